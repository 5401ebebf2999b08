import type { Tx } from '@tandem/db';
import type { Secrets } from '@tandem/platform';
import type { IdentityTables } from '../schema';
import { afterWrongCode, blockedSeconds, isAuthenticatorCode, stepOfCode } from './mfa';
import { saveFailedCodes, saveResealed, saveUsedStep, useRecoveryCode, type Authenticator } from './mfa.store';

/** The purpose that a secret is sealed for. */
export const secretPurpose = 'mfa-secret';

/** What became of a code. A wrong one was counted: the transaction must commit, so the caller throws after it. */
export type CodeVerdict =
  | { is: 'right'; recovery: boolean }
  /** `locksOut`: it was one too many, and from now on none is taken. */
  | { is: 'wrong'; locksOut: boolean }
  | { is: 'blocked'; seconds: number };

/**
 * Judges a code and uses it up. The caller holds the lock of the person and has read the authenticator under it: of two requests at once
 * with one code, the second finds it used.
 */
export async function takeCode(
  tx: Tx<IdentityTables>,
  secrets: Secrets,
  user_id: string,
  authenticator: Authenticator,
  code: string,
): Promise<CodeVerdict> {
  const { now } = authenticator;
  const seconds = blockedSeconds(authenticator, now);
  if (seconds > 0) return { is: 'blocked', seconds };
  const recovery = !isAuthenticatorCode(code);
  const secret = secrets.open(secretPurpose, authenticator.sealed_secret);
  const step = recovery ? undefined : stepOfCode(secret, code, now, authenticator.last_used_step);
  if (step !== undefined || (recovery && (await useRecoveryCode(tx, user_id, code)))) {
    // A recovery code leaves the steps as they are.
    await saveUsedStep(tx, user_id, step ?? authenticator.last_used_step);
    // With use, everybody's secret comes under the current key, so that an old one can be taken away some day.
    if (secrets.needsRotation(authenticator.sealed_secret)) await saveResealed(tx, user_id, secrets.seal(secretPurpose, secret));
    return { is: 'right', recovery };
  }
  const failed = afterWrongCode(authenticator, now);
  await saveFailedCodes(tx, user_id, failed);
  return { is: 'wrong', locksOut: failed.blocked_until !== null };
}
