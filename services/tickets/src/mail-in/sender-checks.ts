import type { CheckResult, SenderChecks } from '@tandem/contracts';
import type { AuthStatus } from 'mailauth';

export const notChecked: SenderChecks = { spf: 'not_checked', dkim: 'not_checked', dmarc: 'not_checked', policy: null };

/** Each signature requires hashing the whole email: without a limit, one email could block the process for seconds. */
export const maxSignatures = 10;

/** Number of DKIM signatures in the headers of an email. */
export function countSignatures(raw: Buffer): number {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.subarray(0, end < 0 ? raw.length : end).toString('latin1');
  return header.match(/^dkim-signature[ \t]*:/gim)?.length ?? 0;
}

type Status = AuthStatus['result'];

/** Results of the library: for SPF, for each DKIM signature, and for DMARC with the policy that applies. */
export interface Statuses {
  /** Undefined if SPF does not apply. */
  spf: Status | undefined;
  dkim: Status[];
  dmarc: Status | undefined;
  policy: string | undefined;
}

/** A broken record (`permerror`) proves as little as no record. An unanswered lookup gives no result. */
function spfResult(status: Status | undefined): CheckResult {
  if (status === undefined || status === 'temperror') return 'not_checked';
  if (status === 'pass') return 'pass';
  return status === 'fail' || status === 'softfail' ? 'fail' : 'none';
}

/** One valid signature is enough. */
function dkimResult(statuses: Status[]): CheckResult {
  const signed = statuses.filter((status) => status !== 'none');
  if (signed.length === 0) return 'none';
  if (signed.includes('pass')) return 'pass';
  return signed.includes('temperror') ? 'not_checked' : 'fail';
}

const isPolicy = (policy: string | undefined): policy is NonNullable<SenderChecks['policy']> =>
  policy === 'none' || policy === 'quarantine' || policy === 'reject';

/**
 * DMARC passes if SPF or DKIM passes for the domain in From. It fails only if the results of both are known: if SPF could not be checked,
 * an email that is authenticated by SPF alone would look forged.
 */
export function checksOf({ spf, dkim, dmarc, policy }: Statuses): SenderChecks {
  const [spfIs, dkimIs] = [spfResult(spf), dkimResult(dkim)];
  const isUnknown = dmarc === 'temperror' || (dmarc === 'fail' && (spfIs === 'not_checked' || dkim.includes('temperror')));
  const dmarcIs = dmarc === 'pass' ? 'pass' : isUnknown ? 'not_checked' : dmarc === 'fail' ? 'fail' : 'none';
  return { spf: spfIs, dkim: dkimIs, dmarc: dmarcIs, policy: isPolicy(policy) ? policy : null };
}
