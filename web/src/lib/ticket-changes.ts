/** Ticket changes, for lists that refetch only changed tickets: one ticket was created or changed, or events may have been missed. */
export type TicketChange = { id: string; isNew: boolean } | 'gap';

const listeners = new Set<(news: TicketChange) => void>();
let lastAt = 0;

export function publishTicketChange(news: TicketChange): void {
  lastAt = Date.now();
  for (const listener of listeners) listener(news);
}

export function onTicketChange(listener: (news: TicketChange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Time of the latest change: a list cached before it is outdated. */
export const lastTicketChangeAt = (): number => lastAt;

/** Tickets that the user created, in this tab or elsewhere: their arrival is not announced. */
const own = new Set<string>();
export const addOwnTicket = (id: string): void => void own.add(id);
export const isOwnTicket = (id: string): boolean => own.has(id);
