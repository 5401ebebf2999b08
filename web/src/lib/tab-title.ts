let page: string | undefined;
let count = '';

function show(): void {
  if (page !== undefined) document.title = `${count && `(${count}) `}${page} · Tandem`;
}

/** Names the browser's tab after the page. */
export function nameTab(title: string): void {
  page = title;
  show();
}

/** How much waits for the person, before the name of every page: '(3) Tickets · Tandem'. Empty for nothing. */
export function countInTab(waiting: string): void {
  count = waiting;
  show();
}
