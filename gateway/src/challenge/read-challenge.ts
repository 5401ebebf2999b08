import { operation } from '@tandem/contracts';
import * as z from 'zod';

/** The gateway's own operation: nobody else knows of proofs of work (`owner` only names whom they protect). */
export const readChallenge = operation({
  name: 'gateway.readChallenge',
  summary:
    'A small sum for a browser to solve. What it answers goes into `X-Tandem-Challenge`, once, where a call met `challenge.required`.',
  owner: 'tickets',
  method: 'GET',
  path: '/public/challenge',
  allow: 'public',
  handwritten: true,
  output: z.object({
    algorithm: z.literal('SHA-256'),
    /** The hash of `salt` and a number from 0 to `maxnumber`, which is to be found. */
    challenge: z.string(),
    maxnumber: z.number().int(),
    salt: z.string(),
    signature: z.string(),
  }),
});
