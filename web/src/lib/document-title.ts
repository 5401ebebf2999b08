let page: string | undefined;
let owner = '';
let count = '';

function show(): void {
  if (page !== undefined) document.title = `${count && `(${count}) `}${page}${owner && ` · ${owner}`}`;
}

/** Sets the tab title from the page and its owner: customers know the organization, not the product. */
export function setDocumentTitle(title: string, of = 'Tandem'): void {
  page = title;
  owner = of;
  show();
}

/** Sets the count shown before every page title: '(3) Tickets · Tandem'. An empty string removes it. */
export function setTitleCount(waiting: string): void {
  count = waiting;
  show();
}
