import type { MfaState } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { hashToken, newToken } from '@tandem/platform';
import { sql } from 'kysely';
import { lockUser } from '../access/access.store';
import type { IdentityTables } from '../schema';
import { challengeMinutes, mfaRequired, newRecoveryCodes, noFailedCodes, formatRecoveryCode, type FailedCodes } from './mfa';

type IdentityTx = Tx<IdentityTables>;

/** A user's authenticator, and the database time when it was read. */
export interface Authenticator extends FailedCodes {
  sealed_secret: string;
  confirmed_at: string | null;
  last_used_step: number | null;
  now: string;
}

/** Must be read under the user's lock (`lockUser`), so that a code cannot be accepted twice. */
export const findAuthenticator = (tx: IdentityTx, user_id: string): Promise<Authenticator | undefined> =>
  tx
    .selectFrom('mfa')
    .select(['sealed_secret', 'confirmed_at', 'last_used_step', 'failed_count', 'failed_since', 'blocked_until'])
    .select(sql<string>`clock_timestamp()`.as('now'))
    .where('user_id', '=', user_id)
    .executeTakeFirst();

export async function hasMfa(tx: IdentityTx, user_id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('mfa')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** A user with the data that two-factor sign-in needs: their address, and whether their organization requires it. */
export interface MfaOwner {
  user_id: string;
  email: string;
  first_name: string | null;
  organization_id: string | null;
  required: boolean;
}

export async function findMfaOwnerAcrossOrganizations(tx: IdentityTx, user_id: string): Promise<MfaOwner | undefined> {
  const found = await tx
    .selectFrom('users')
    .leftJoin('members', 'members.user_id', 'users.id')
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['users.email', 'users.first_name', 'members.organization_id', 'members.role', 'organizations.require_mfa_for_admins'])
    .where('users.id', '=', user_id)
    .executeTakeFirst();
  if (!found) return undefined;
  const { email, first_name, organization_id } = found;
  return { user_id, email, first_name, organization_id, required: mfaRequired(found) };
}

/** Replaces an unconfirmed secret. Wrong codes stay counted, so that starting again does not lift a block. */
export async function saveSecret(tx: IdentityTx, user_id: string, sealed_secret: string): Promise<void> {
  await tx
    .insertInto('mfa')
    .values({ user_id, sealed_secret })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed_secret, last_used_step: null }))
    .execute();
}

/** Saves the same secret, sealed with another key. */
export async function saveResealed(tx: IdentityTx, user_id: string, sealed_secret: string): Promise<void> {
  await tx.updateTable('mfa').set({ sealed_secret }).where('user_id', '=', user_id).execute();
}

export async function saveFailedCodes(tx: IdentityTx, user_id: string, failed: FailedCodes): Promise<void> {
  const { failed_count, failed_since, blocked_until } = failed;
  await tx.updateTable('mfa').set({ failed_count, failed_since, blocked_until }).where('user_id', '=', user_id).execute();
}

/** Saves the latest time step whose code was accepted and resets the count of wrong codes. */
export async function saveUsedStep(tx: IdentityTx, user_id: string, last_used_step: number | null): Promise<void> {
  await tx
    .updateTable('mfa')
    .set({ ...noFailedCodes, last_used_step })
    .where('user_id', '=', user_id)
    .execute();
}

export async function saveConfirmed(tx: IdentityTx, user_id: string): Promise<void> {
  await tx
    .updateTable('mfa')
    .set({ confirmed_at: sql<string>`clock_timestamp()` })
    .where('user_id', '=', user_id)
    .execute();
}

/** Uses up a recovery code; false if it is not one of this user's or was used before. */
export async function useRecoveryCode(tx: IdentityTx, user_id: string, code: string): Promise<boolean> {
  const used = await tx
    .updateTable('mfa_recovery_codes')
    .set({ used_at: sql<string>`clock_timestamp()` })
    .where('user_id', '=', user_id)
    .where('code_hash', '=', hashToken(code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Invalidates all earlier recovery codes and returns new ones in their displayed form; only hashes are stored. */
export async function replaceRecoveryCodes(tx: IdentityTx, user_id: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.deleteFrom('mfa_recovery_codes').where('user_id', '=', user_id).execute();
  await tx
    .insertInto('mfa_recovery_codes')
    .values(codes.map((code) => ({ user_id, code_hash: hashToken(code) })))
    .execute();
  return codes.map(formatRecoveryCode);
}

/**
 * Removes a user's authenticator, recovery codes and pending second steps. False if two-factor sign-in was not enabled (an unconfirmed
 * secret is removed as well), so that nothing has to be announced. Works in `asSystem` and in `forTenant`.
 */
export async function removeMfa(tx: IdentityTx, user_id: string): Promise<boolean> {
  await lockUser(tx, user_id);
  await tx.deleteFrom('mfa_challenges').where('user_id', '=', user_id).execute();
  const removed = await tx.deleteFrom('mfa').where('user_id', '=', user_id).returning('confirmed_at').executeTakeFirst();
  return removed !== undefined && removed.confirmed_at !== null;
}

export async function readMfaState(tx: IdentityTx, owner: MfaOwner): Promise<MfaState> {
  const found = await tx
    .selectFrom('mfa')
    .leftJoin('mfa_recovery_codes as code', (join) => join.onRef('code.user_id', '=', 'mfa.user_id').on('code.used_at', 'is', null))
    .select((row) => ['mfa.confirmed_at', row.fn.count<number>('code.code_hash').as('recovery_codes_left')])
    .where('mfa.user_id', '=', owner.user_id)
    .where('mfa.confirmed_at', 'is not', null)
    .groupBy('mfa.confirmed_at')
    .executeTakeFirst();
  const { confirmed_at: enabled_at = null, recovery_codes_left = 0 } = found ?? {};
  return { enabled: enabled_at !== null, enabled_at, recovery_codes_left, required: owner.required };
}

/** Stores a sign-in that waits for its second step, and deletes the user's expired ones. */
export async function insertChallenge(tx: IdentityTx, user_id: string): Promise<{ mfa_token: string; expires_at: string }> {
  await tx
    .deleteFrom('mfa_challenges')
    .where('user_id', '=', user_id)
    .where('expires_at', '<=', sql<string>`clock_timestamp()`)
    .execute();
  const mfa_token = newToken();
  const { expires_at } = await tx
    .insertInto('mfa_challenges')
    .values({
      token_hash: hashToken(mfa_token),
      user_id,
      expires_at: sql<string>`clock_timestamp() + make_interval(mins => ${challengeMinutes})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { mfa_token, expires_at };
}

/** The user whose sign-in waits under this token; undefined if it expired, was completed or never existed. */
export async function findChallenged(tx: IdentityTx, mfa_token: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('mfa_challenges')
    .select('user_id')
    .where('token_hash', '=', hashToken(mfa_token))
    .where('expires_at', '>', sql<string>`clock_timestamp()`)
    .executeTakeFirst();
  return found?.user_id;
}

export async function deleteChallenge(tx: IdentityTx, mfa_token: string): Promise<void> {
  await tx.deleteFrom('mfa_challenges').where('token_hash', '=', hashToken(mfa_token)).execute();
}
