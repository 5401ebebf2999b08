/** `not_checked`: no DNS, no response in time, or missing data (a fetched email has no client address for SPF). */
export const checkResults = ['pass', 'fail', 'none', 'not_checked'] as const;
export type CheckResult = (typeof checkResults)[number];

/** What a domain asks receivers to do with email that fails DMARC. */
export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const;

/**
 * How an email was matched to its ticket. `conversation`: it has a token or a Message-ID that only recipients of the ticket's emails know.
 * `number`: only by the ticket number in its subject, which anyone can guess.
 */
export const emailMatches = ['conversation', 'number'] as const;

interface DmarcCheck {
  dmarc: CheckResult;
  policy: (typeof dmarcPolicies)[number] | null;
}

/** DMARC fails, and the domain in From asks receivers not to deliver such email. */
export const isDisowned = ({ dmarc, policy }: DmarcCheck): boolean => dmarc === 'fail' && (policy === 'quarantine' || policy === 'reject');

/** Matched by number only, and without a DMARC pass for the address in From. */
export const isSenderUnproven = (proof: { matched_by: (typeof emailMatches)[number]; checks: DmarcCheck }): boolean =>
  proof.matched_by === 'number' && proof.checks.dmarc !== 'pass';
