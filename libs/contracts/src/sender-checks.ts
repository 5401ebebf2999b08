import * as z from 'zod';
import { checkResults, dmarcPolicies, emailMatches } from './values/sender-checks';

/** How an incoming email did in the checks of its sender's domain. `policy` is what that domain asks for when DMARC fails. */
export const SenderChecks = z.object({
  spf: z.enum(checkResults),
  dkim: z.enum(checkResults),
  dmarc: z.enum(checkResults),
  policy: z.enum(dmarcPolicies).nullable(),
});
export type SenderChecks = z.infer<typeof SenderChecks>;

export const EmailProof = z.object({ matched_by: z.enum(emailMatches), checks: SenderChecks });
export type EmailProof = z.infer<typeof EmailProof>;
