import type { SyncDirection, SyncField, TicketTask } from '@tandem/contracts';
import type { TaskText } from '../provider/task-tool';

export type Sharing = TicketTask['sharing'];

/** Tandem's lines in a description, and the panel of a ticket, name at most this many other tickets. */
export const maxListedTickets = 20;
/** At most this many tickets share one task: each of them is compared whenever the task changes. */
export const maxTicketsPerTask = 100;

/** Summary of a shared task's lines, to compare with the lines that were written last; empty for a task with one ticket. */
export const listedTickets = ({ tickets, customers, others }: Sharing): string =>
  tickets < 2 ? '' : `${customers}/${tickets}: ${others.map(({ ticket_number }) => ticket_number).join(', ')}`;

/** The lines below those of the primary ticket: how many customers wait, and at most `maxListed` of the other tickets. */
export function sharingLines(
  { tickets, customers, others }: Sharing,
  addressOf: (ticket_id: string) => string,
  maxListed = maxListedTickets,
): TaskText['lines'] {
  if (tickets < 2) return [];
  const waiting = customers === 1 ? '1 customer' : `${customers} customers`;
  const listed = others.slice(0, maxListed);
  const more = tickets - 1 - listed.length;
  return [
    { label: 'Customers', text: `${waiting} in ${tickets} tickets` },
    ...listed.map(({ id, ticket_number }) => ({ label: 'Ticket', text: ticket_number, url: addressOf(id) })),
    ...(more > 0 ? [{ label: 'Tickets', text: `and ${more} more` }] : []),
  ];
}

/**
 * `none`: the task has one ticket. `primary`: this link reads the task. `follower`: this link compares its ticket with the snapshot of the
 * primary link.
 */
export type SharingRole = 'none' | 'primary' | 'follower';

/**
 * The direction of a field while several tickets share a task. A ticket's status concerns its own customer and is never sent to a shared
 * task: one resolved ticket must not finish work that others wait for, and no ticket may change another. All other fields are synced with
 * the primary ticket only.
 */
export function directionWhenShared(direction: SyncDirection, field: SyncField, role: SharingRole): SyncDirection {
  if (role === 'none') return direction;
  if (field === 'status') return direction === 'both' || direction === 'to_ticket' ? 'to_ticket' : 'off';
  return role === 'primary' ? direction : 'off';
}
