import { operation, readPublicTicket } from '@tandem/contracts';
import * as z from 'zod';

/** Handled by the gateway itself. Anyone who may read the ticket may follow it: checked once, with `readPublicTicket`. */
export const followTicket = operation({
  name: 'gateway.followTicket',
  summary: 'Server-sent events of one ticket for its customer: a reply was written, or the status changed. Ends after half an hour.',
  owner: 'tickets',
  method: 'GET',
  path: '/public/tickets/:id/events',
  allow: 'portal',
  handwritten: true,
  input: readPublicTicket.input,
  /** `sequence` numbers the events of this connection. */
  output: z.object({ type: z.string(), sequence: z.number().int() }),
  problems: ['ticket.not_found'],
});
