import { operation, readOriginalMail } from '@tandem/contracts';
import * as z from 'zod';

/**
 * Handled by the gateway itself: `readOriginalMail` as a separate page, because its content security policy depends on the reader's choice
 * to show pictures.
 */
export const readMailPage = operation({
  name: 'gateway.readMailPage',
  summary: 'An email as it was sent, for a sandboxed frame: without scripts, and without external images unless `pictures` is said.',
  owner: 'tickets',
  method: 'GET',
  path: '/tickets/:id/original/page',
  allow: 'ticket.read',
  handwritten: true,
  input: { ...readOriginalMail.input, query: readOriginalMail.input.query.extend({ pictures: z.literal('true').optional() }) },
  output: z.string(),
  problems: readOriginalMail.problems,
});
