import * as z from 'zod';
import { event, operation } from './define';
import { Id, Timestamp } from './scalars';
import { byTicket } from './tickets';

const owner = 'tickets';

/**
 * How far a user has read a ticket. Comments of one ticket have different times, so a time is an exact position: comments of others with a
 * later `created_at` are new to the user.
 */
export const ReadPosition = z.object({
  /** Null if the user has never opened the ticket. */
  read_until: Timestamp.nullable(),
});
export type ReadPosition = z.infer<typeof ReadPosition>;

export const readPosition = operation({
  name: 'tickets.readPosition',
  summary: 'Read how far you have read a ticket.',
  owner,
  method: 'GET',
  path: '/tickets/:id/read',
  allow: 'ticket.read',
  input: byTicket,
  output: ReadPosition,
  problems: ['ticket.not_found'],
});
/** Never moves backwards, so that a slow request of another tab changes nothing. */
export const markTicketRead = operation({
  name: 'tickets.markRead',
  summary: 'Mark a ticket as read up to the newest comment that you have seen.',
  owner,
  method: 'PUT',
  path: '/tickets/:id/read',
  allow: 'ticket.read',
  // Sent by open pages, like presence.
  limit: 'presence',
  input: {
    ...byTicket,
    body: z.strictObject({
      /** `created_at` of the newest comment that was shown, or of the ticket if it has none. */
      until: Timestamp,
    }),
  },
  output: ReadPosition,
  problems: ['ticket.not_found'],
});
export const markTicketUnread = operation({
  name: 'tickets.markUnread',
  summary: 'Mark the newest comment of a ticket as unread, or the whole ticket if it has none.',
  owner,
  method: 'DELETE',
  path: '/tickets/:id/read',
  allow: 'ticket.read',
  input: byTicket,
  output: ReadPosition,
  problems: ['ticket.not_found'],
});

const Read = z.object({ ticket_id: Id, user_id: Id });
/** Only the open pages of the same user receive these two. */
export const ticketRead = event('ticket.read', owner, Read, { live: true });
export const ticketMarkedUnread = event('ticket.marked_unread', owner, Read, { live: true });
