/** `not_checked`: without DNS, without an answer in time, or where the check needs what is not known (SPF of a fetched email). */
export const checkResults = ['pass', 'fail', 'none', 'not_checked'] as const;
export type CheckResult = (typeof checkResults)[number];

/** What a domain asks receivers to do with email that fails DMARC. */
export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const;

/**
 * How an email came to its ticket. `conversation`: it has a token or a Message-ID that only recipients of the ticket's emails know.
 * `number`: nothing but the ticket number in its subject, which anyone can guess.
 */
export const emailMatches = ['conversation', 'number'] as const;

interface DmarcCheck {
  dmarc: CheckResult;
  policy: (typeof dmarcPolicies)[number] | null;
}

/** The domain in From says that the email is not from there, and asks receivers not to deliver it. */
export const isDisowned = ({ dmarc, policy }: DmarcCheck): boolean => dmarc === 'fail' && (policy === 'quarantine' || policy === 'reject');

/** Matched by number, and no DMARC pass confirms the address in From either. */
export const isSenderUnproven = (proof: { matched_by: (typeof emailMatches)[number]; checks: DmarcCheck }): boolean =>
  proof.matched_by === 'number' && proof.checks.dmarc !== 'pass';
