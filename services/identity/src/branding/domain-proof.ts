import { customDomainRules } from '@tandem/contracts';

/** The times since which the record of a verified domain has been missing and links have used the subdomain instead. */
export interface ProofState {
  custom_domain_missing_since: string | null;
  custom_domain_lapsed_at: string | null;
}
/** `released`: the claim has ended, so that another organization may verify the domain. */
export type ProofChange = 'none' | 'found_again' | 'restored' | 'missing' | 'lapsed' | 'released';

const dayMs = 86_400_000;
const present: ProofState = { custom_domain_missing_since: null, custom_domain_lapsed_at: null };

/** When the claim ends if the record stays missing. */
export const releaseTime = (missingSince: string): string =>
  new Date(Date.parse(missingSince) + customDomainRules.releaseDays * dayMs).toISOString();

/**
 * Computes the change after one check. Time counts from the first check that missed the record, so a pause of the checks does not count as
 * missing.
 */
export function applyCheckResult(before: ProofState, isFound: boolean, now: Date): { state: ProofState; change: ProofChange } {
  const { custom_domain_missing_since: since, custom_domain_lapsed_at: lapsedAt } = before;
  if (isFound) return { state: present, change: lapsedAt !== null ? 'restored' : since !== null ? 'found_again' : 'none' };
  const at = now.toISOString();
  if (since === null) return { state: { ...present, custom_domain_missing_since: at }, change: 'missing' };
  const missingDays = (now.getTime() - Date.parse(since)) / dayMs;
  // A lapse, which warns the admins, precedes the release even if no check ran in between.
  if (lapsedAt !== null && missingDays >= customDomainRules.releaseDays) return { state: present, change: 'released' };
  if (lapsedAt === null && missingDays >= customDomainRules.lapseDays)
    return { state: { ...before, custom_domain_lapsed_at: at }, change: 'lapsed' };
  return { state: before, change: 'none' };
}
