import { operation, readOriginalMail } from '@tandem/contracts';
import * as z from 'zod';

/** The gateway's own operation: `readOriginalMail` as a page of its own, because what it may load depends on its reader's wish. */
export const readMailPage = operation({
  name: 'gateway.readMailPage',
  summary: 'A mail as it looked, for a sandboxed frame: without scripts, and without pictures from elsewhere unless `pictures` is said.',
  owner: 'tickets',
  method: 'GET',
  path: '/tickets/:id/original/page',
  allow: 'ticket.read',
  handwritten: true,
  input: { ...readOriginalMail.input, query: readOriginalMail.input.query.extend({ pictures: z.literal('true').optional() }) },
  output: z.string(),
  problems: readOriginalMail.problems,
});
