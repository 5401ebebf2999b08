import type { Tx } from '@tandem/db';
import type { Secrets } from '@tandem/platform';
import type { IdentityTables } from '../schema';
import { afterWrongCode, blockedSeconds, isAuthenticatorCode, stepOfCode } from './mfa';
import { saveFailedCodes, saveResealed, saveUsedStep, useRecoveryCode, type Authenticator } from './mfa.store';

/** The purpose under which secrets are sealed. */
export const secretPurpose = 'mfa-secret';

/** The result of checking a code. A wrong code was counted: the transaction must commit, so the caller throws after it. */
export type CodeResult =
  | { is: 'right'; recovery: boolean }
  /** `locksOut`: this attempt reached the limit, and all codes are rejected from now on. */
  | { is: 'wrong'; locksOut: boolean }
  | { is: 'blocked'; seconds: number };

/**
 * Checks a code and uses it up. The caller must hold the user's lock and have read the authenticator under it: of two concurrent requests
 * with one code, the second is then rejected.
 */
export async function verifyCode(
  tx: Tx<IdentityTables>,
  secrets: Secrets,
  user_id: string,
  authenticator: Authenticator,
  code: string,
): Promise<CodeResult> {
  const { now } = authenticator;
  const seconds = blockedSeconds(authenticator, now);
  if (seconds > 0) return { is: 'blocked', seconds };
  const recovery = !isAuthenticatorCode(code);
  const secret = secrets.open(secretPurpose, authenticator.sealed_secret);
  const step = recovery ? undefined : stepOfCode(secret, code, now, authenticator.last_used_step);
  if (step !== undefined || (recovery && (await useRecoveryCode(tx, user_id, code)))) {
    // A recovery code does not change the last used step.
    await saveUsedStep(tx, user_id, step ?? authenticator.last_used_step);
    // Re-encrypt each secret when it is used, so that an old key can be removed eventually.
    if (secrets.needsRotation(authenticator.sealed_secret)) await saveResealed(tx, user_id, secrets.seal(secretPurpose, secret));
    return { is: 'right', recovery };
  }
  const failed = afterWrongCode(authenticator, now);
  await saveFailedCodes(tx, user_id, failed);
  return { is: 'wrong', locksOut: failed.blocked_until !== null };
}
