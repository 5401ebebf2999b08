import type { SyncDirection, SyncField } from '@tandem/contracts';
import type { TaskText } from '../provider/task-tool';
import type { Sharing } from './sharing.store';

/** Tandem's lines in a description, and the panel of a ticket, name at most this many other tickets. */
export const maxListedTickets = 20;
/** At most this many tickets share one task: each of them is compared whenever the task changes. */
export const maxTicketsPerTask = 100;

/** What the lines of a shared task say, as text to compare with what was written last; empty for a task of one ticket. */
export const listedTickets = ({ tickets, customers, others }: Sharing): string =>
  tickets < 2 ? '' : `${customers}/${tickets}: ${others.map(({ ticket_number }) => ticket_number).join(', ')}`;

/** The lines below those of the primary ticket: how many customers wait, and the other tickets. */
export function sharingLines({ tickets, customers, others }: Sharing, addressOf: (ticket_id: string) => string): TaskText['lines'] {
  if (tickets < 2) return [];
  const waiting = customers === 1 ? '1 customer' : `${customers} customers`;
  const more = tickets - 1 - others.length;
  return [
    { label: 'Customers', text: `${waiting} in ${tickets} tickets` },
    ...others.map(({ id, ticket_number }) => ({ label: 'Ticket', text: ticket_number, url: addressOf(id) })),
    ...(more > 0 ? [{ label: 'Tickets', text: `and ${more} more` }] : []),
  ];
}

/** `none`: the task has one ticket. `primary`: its link reads the task; `follower`: it compares its ticket with what the primary link has seen. */
export type SharingRole = 'none' | 'primary' | 'follower';

/**
 * Which way a field syncs while several tickets share a task. A ticket's status is about its own customer: it never reaches a shared task, so that one
 * resolved ticket does not finish the work that others wait for, and no ticket changes another one. All other fields are the primary ticket's.
 */
export function directionWhenShared(direction: SyncDirection, field: SyncField, role: SharingRole): SyncDirection {
  if (role === 'none') return direction;
  if (field === 'status') return direction === 'both' || direction === 'to_ticket' ? 'to_ticket' : 'off';
  return role === 'primary' ? direction : 'off';
}
