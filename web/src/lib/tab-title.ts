let page: string | undefined;
let owner = '';
let count = '';

function show(): void {
  if (page !== undefined) document.title = `${count && `(${count}) `}${page}${owner && ` · ${owner}`}`;
}

/** Names the browser's tab after the page, and after whose page it is: customers know the organization, not the product. */
export function nameTab(title: string, of = 'Tandem'): void {
  page = title;
  owner = of;
  show();
}

/** How much waits for the person, before the name of every page: '(3) Tickets · Tandem'. Empty for nothing. */
export function countInTab(waiting: string): void {
  count = waiting;
  show();
}
