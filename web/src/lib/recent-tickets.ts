import type { Ticket } from '@tandem/contracts';
import { createExternalStore } from './external-store';
import { onSignOut } from './session-cleanup';
import { tabStorage } from './tab-storage';

export type RecentTicket = Pick<Ticket, 'id' | 'ticket_number' | 'subject' | 'status' | 'customer_name' | 'customer_email'>;

const key = 'recent-tickets';
const maxTickets = 8;

// Before the store's own reset, which reads the storage.
onSignOut({ drop: () => tabStorage.remove(key) });
const recent = createExternalStore(() => tabStorage.read<RecentTicket[]>(key) ?? []);

/** The tickets opened in this tab, the latest first. */
export const useRecentTickets = (): RecentTicket[] => recent.use();

export function rememberTicket({ id, ticket_number, subject, status, customer_name, customer_email }: RecentTicket): void {
  const ticket = { id, ticket_number, subject, status, customer_name, customer_email };
  const next = [ticket, ...recent.get().filter((each) => each.id !== id)].slice(0, maxTickets);
  recent.set(next);
  tabStorage.write(key, next);
}
