import { operation } from '@tandem/contracts';
import * as z from 'zod';

/** Handled by the gateway itself: no service knows about proofs of work (`owner` only names the service that they protect). */
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
    /** The hash of `salt` and the number from 0 to `maxnumber` that the browser has to find. */
    challenge: z.string(),
    maxnumber: z.number().int(),
    salt: z.string(),
    signature: z.string(),
  }),
});
