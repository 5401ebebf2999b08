import { operation, readPublicTicket } from '@tandem/contracts';
import * as z from 'zod';

/** The gateway's own operation. Who may read the ticket may follow it: its owner is asked once, by `readPublicTicket`. */
export const followTicket = operation({
  name: 'gateway.followTicket',
  summary: 'Server-sent events of one ticket for its customer: a reply was written, or the status changed. Ends after half an hour.',
  owner: 'tickets',
  method: 'GET',
  path: '/public/tickets/:id/events',
  allow: 'portal',
  handwritten: true,
  input: readPublicTicket.input,
  /** `sequence` counts what was told on this connection. */
  output: z.object({ type: z.string(), sequence: z.number().int() }),
  problems: ['ticket.not_found'],
});
