/** What happened to tickets, for lists that re-read only what changed: one ticket came or changed, or something may have been missed. */
export type TicketNews = { id: string; isNew: boolean } | 'gap';

const listeners = new Set<(news: TicketNews) => void>();
let lastAt = 0;

export function tellTicketNews(news: TicketNews): void {
  lastAt = Date.now();
  for (const listener of listeners) listener(news);
}

export function onTicketNews(listener: (news: TicketNews) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** When something last happened: a list that was kept from before that is not up to date. */
export const lastTicketNewsAt = (): number => lastAt;

/** The tickets that the person created on this page: their arrival is no news. */
const own = new Set<string>();
export const addOwnTicket = (id: string): void => void own.add(id);
export const isOwnTicket = (id: string): boolean => own.has(id);
