import { Id, operation } from '@tandem/contracts';
import * as z from 'zod';

/** Handled by the gateway itself (`owner` only names the service that most events come from). */
export const streamEvents = operation({
  name: 'gateway.events',
  summary: 'Server-sent events of the organization: what changed, never its content.',
  owner: 'tickets',
  method: 'GET',
  path: '/events',
  allow: 'ticket.read',
  limit: 'events',
  handwritten: true,
  output: z.object({
    id: Id,
    type: z.string(),
    subject: z.string(),
    sequence: z.number().int(),
    own: z.boolean().describe('Whether the person who reads the stream caused it.'),
  }),
});
