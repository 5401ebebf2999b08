import * as z from 'zod';
import { operation } from './define';

/** Proofs of work are created and verified by the gateway; no service knows about them. */
export const readChallenge = operation({
  name: 'gateway.readChallenge',
  summary:
    'Get a proof of work for a browser to solve. Send the solution once in `X-Tandem-Challenge`, with the call that failed with `challenge.required`.',
  owner: 'gateway',
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
