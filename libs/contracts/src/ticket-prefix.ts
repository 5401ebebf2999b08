import * as z from 'zod';
import { event, operation } from './define';
import { Id } from './scalars';

const owner = 'tickets';

/** The letters before the counter in ticket numbers. Editable until the first ticket exists, because customers keep its number. */
export const TicketPrefix = z.object({ prefix: z.string(), editable: z.boolean() });
export type TicketPrefix = z.infer<typeof TicketPrefix>;

const enterLetters = 'Enter 2 to 5 letters';
export const SaveTicketPrefix = z.strictObject({
  prefix: z
    .string(enterLetters)
    .max(100, { error: enterLetters, abort: true })
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2,5}$/, enterLetters),
});
export type SaveTicketPrefix = z.infer<typeof SaveTicketPrefix>;

export const readTicketPrefix = operation({
  name: 'tickets.readPrefix',
  summary: 'Read the prefix of ticket numbers, and whether it can still change.',
  owner,
  method: 'GET',
  path: '/ticket-prefix',
  allow: 'organization.read',
  output: TicketPrefix,
  problems: ['organization.not_found'],
});
export const saveTicketPrefix = operation({
  name: 'tickets.savePrefix',
  summary: 'Change the prefix of ticket numbers, before the first ticket.',
  owner,
  method: 'PUT',
  path: '/ticket-prefix',
  allow: 'organization.write',
  input: { body: SaveTicketPrefix },
  output: TicketPrefix,
  problems: ['organization.not_found', 'ticket_prefix.in_use'],
});

/** Identity stores it with the organization and in the audit log. Its subject is the organization. */
export const ticketPrefixChanged = event(
  'ticket_prefix.changed',
  owner,
  z.object({ organization_id: Id, prefix: z.string(), previous: z.string() }),
  { audited: true },
);
