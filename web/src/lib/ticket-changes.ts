/** Ticket changes, for lists that refetch only changed tickets: one ticket was created or changed, or events may have been missed. */
export type TicketChange = { id: string; isNew: boolean } | 'gap';

const listeners = new Set<(news: TicketChange) => void>();
let lastAt = 0;
let draftedAt = 0;

export function publishTicketChange(news: TicketChange): void {
  lastAt = Date.now();
  if (news === 'gap') draftedAt = lastAt;
  for (const listener of listeners) listener(news);
}

export function onTicketChange(listener: (news: TicketChange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const draftListeners = new Set<(ticket_id: string) => unknown>();

/** An API token has drafted a reply on a ticket, for this user or for a colleague. */
export function publishReplyDrafted(ticket_id: string): void {
  draftedAt = Date.now();
  for (const listener of draftListeners) listener(ticket_id);
}

/** Time of the latest reply that a token drafted on any ticket, or of a gap that may hide one. */
export const lastReplyDraftedAt = (): number => draftedAt;

export function onReplyDrafted(listener: (ticket_id: string) => unknown): () => void {
  draftListeners.add(listener);
  return () => void draftListeners.delete(listener);
}

const readListeners = new Set<(id: string, isUnread: boolean) => unknown>();

/** The user has read a ticket or marked it as unread, here, in another tab or on another device. */
export function publishRead(id: string, isUnread: boolean): void {
  for (const listener of readListeners) listener(id, isUnread);
}

export function onRead(listener: (id: string, isUnread: boolean) => unknown): () => void {
  readListeners.add(listener);
  return () => void readListeners.delete(listener);
}

/** Time of the latest change: a list cached before it is outdated. */
export const lastTicketChangeAt = (): number => lastAt;

/** Tickets that the user created, in this tab or elsewhere: their arrival is not announced. */
const own = new Set<string>();
export const addOwnTicket = (id: string): void => void own.add(id);
export const isOwnTicket = (id: string): boolean => own.has(id);
