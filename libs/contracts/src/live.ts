import * as z from 'zod';
import { operation } from './define';
import { readPublicTicket } from './portal';
import { Id } from './scalars';
import { byTicket } from './tickets';
import { longestReplayMs } from './values/limits';

const owner = 'gateway';

/** `writing`: a reply to the customer. `writing_note`: a note that only the team sees. */
export const Presence = z.object({ user_id: Id, state: z.enum(['viewing', 'writing', 'writing_note']) });
export type Presence = z.infer<typeof Presence>;

/** A presence update. A `visit` identifies one open page: a person with two open pages is present until both have left. */
export const PresenceUpdate = z.strictObject({
  state: z.enum(['viewing', 'writing', 'writing_note', 'left']),
  visit: z
    .string()
    .regex(/^[\w-]{1,36}$/)
    .default('only'),
});

export const streamEvents = operation({
  name: 'gateway.events',
  summary: 'Server-sent events of the organization: what has changed, without its content.',
  owner,
  method: 'GET',
  path: '/events',
  allow: 'ticket.read',
  limit: 'events',
  handwritten: true,
  input: {
    query: z.strictObject({
      /** The stream begins with the events of so many milliseconds before it: a page passes the time since it began to read its data. */
      since_ms: z.coerce.number().int().min(0).max(longestReplayMs).default(0),
    }),
  },
  output: z.object({
    id: Id,
    type: z.string(),
    subject: z.string(),
    sequence: z.number().int(),
    own: z.boolean().describe('Whether the user of this stream caused the event.'),
  }),
});

/** Any client that may read the ticket may follow it: checked once, with `readPublicTicket`. */
export const followTicket = operation({
  name: 'gateway.followTicket',
  summary: 'Server-sent events of one ticket for its customer: a reply was written, or the status changed. Ends after half an hour.',
  owner,
  method: 'GET',
  path: '/public/tickets/:id/events',
  allow: 'portal',
  handwritten: true,
  input: readPublicTicket.input,
  /** `sequence` numbers the events of this connection. */
  output: z.object({ type: z.string(), sequence: z.number().int() }),
  problems: ['ticket.not_found'],
});

/** Presence is stored in Redis only. Only the caller's organization can see it. */
export const markPresence = operation({
  name: 'gateway.markPresence',
  summary: 'Report that the user views a ticket or writes to it, and return the other users. Expires after 45 seconds; `left` ends it.',
  owner,
  method: 'PUT',
  path: '/tickets/:id/presence',
  allow: 'ticket.read',
  limit: 'presence',
  handwritten: true,
  input: { ...byTicket, body: PresenceUpdate },
  output: z.array(Presence),
  problems: ['ticket.not_found'],
});
