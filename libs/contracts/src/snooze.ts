import * as z from 'zod';
import { event, job, operation } from './define';
import { Id, Timestamp } from './scalars';
import { byTicket, Ticket } from './tickets';
import { snoozeLimits } from './values/tickets';

const owner = 'tickets';

export const snoozeTicket = operation({
  name: 'tickets.snooze',
  summary:
    'Snooze an open ticket until a time or until the customer replies, whichever is first. Its timers keep running; `snoozed=false` leaves it out of lists.',
  owner,
  method: 'PUT',
  path: '/tickets/:id/snooze',
  allow: 'ticket.write',
  token: 'tickets:write',
  input: {
    ...byTicket,
    body: z.strictObject({
      /** In the future, at most a year ahead. Null: only until the customer replies. */
      until: Timestamp.nullable(),
    }),
  },
  output: Ticket,
  problems: ['ticket.not_found', 'ticket.locked'],
});
export const wakeTicketNow = operation({
  name: 'tickets.wake',
  summary: 'End the snooze of a ticket.',
  owner,
  method: 'DELETE',
  path: '/tickets/:id/snooze',
  allow: 'ticket.write',
  token: 'tickets:write',
  input: byTicket,
  output: Ticket,
  problems: ['ticket.not_found'],
});

/** The rule of `until`, for the service and the dialog. */
export const isValidSnooze = (until: string, now: number): boolean =>
  Date.parse(until) > now && Date.parse(until) <= now + snoozeLimits.maxDays * 86_400_000;

/** `ticket.updated` is also emitted for both: pages and webhooks get that one. */
export const ticketSnoozed = event('ticket.snoozed', owner, z.object({ ticket: Ticket }));
/** The actor is the customer who replied, the user who ended the snooze, or the system when its time came. */
export const ticketWoken = event('ticket.woken', owner, z.object({ ticket: Ticket }));

/** Wakes one ticket; its row in `ticket_wake_times` is the source of truth. */
export const wakeTicket = job({
  type: 'wake_ticket',
  owner,
  queue: 'snooze',
  data: z.object({ ticket_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});
