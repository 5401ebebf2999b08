import { Id, operation } from '@tandem/contracts';
import * as z from 'zod';

/** `writing`: a reply to the customer. `writing_note`: a note that only the team sees. */
export const Presence = z.object({ user_id: Id, state: z.enum(['viewing', 'writing', 'writing_note']) });
export type Presence = z.infer<typeof Presence>;

/** A presence update. A `visit` identifies one open page: a person with two open pages is present until both have left. */
export const PresenceMark = z.strictObject({
  state: z.enum(['viewing', 'writing', 'writing_note', 'left']),
  visit: z
    .string()
    .regex(/^[\w-]{1,36}$/)
    .default('only'),
});

/** Handled by the gateway itself: presence is stored in Redis only. Only the caller's organization can see it. */
export const markPresence = operation({
  name: 'gateway.markPresence',
  summary: 'Reports that the user views a ticket or writes to it, and returns the other users. Expires after 45 seconds; `left` ends it.',
  owner: 'tickets',
  method: 'PUT',
  path: '/tickets/:id/presence',
  allow: 'ticket.read',
  limit: 'presence',
  handwritten: true,
  input: { params: z.object({ id: Id }), body: PresenceMark },
  output: z.array(Presence),
  problems: ['ticket.not_found'],
});
