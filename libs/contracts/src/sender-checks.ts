import * as z from 'zod';
import { checkResults, dmarcPolicies, emailMatches } from './values/sender-checks';

/** The results of an incoming email's sender checks. `policy` is what the sender's domain requests if DMARC fails. */
export const SenderChecks = z.object({
  spf: z.enum(checkResults),
  dkim: z.enum(checkResults),
  dmarc: z.enum(checkResults),
  policy: z.enum(dmarcPolicies).nullable(),
});
export type SenderChecks = z.infer<typeof SenderChecks>;

export const EmailProof = z.object({ matched_by: z.enum(emailMatches), checks: SenderChecks });
export type EmailProof = z.infer<typeof EmailProof>;
