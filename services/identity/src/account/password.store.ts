import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';
import { resetHours } from './account';

type IdentityTx = Tx<IdentityTables>;

/** Inserts a link that sets a new password. */
export async function insertPasswordReset(tx: IdentityTx, token_hash: string, user_id: string): Promise<void> {
  const expires_at = sql<string>`now() + make_interval(hours => ${resetHours})`;
  await tx.insertInto('password_resets').values({ token_hash, user_id, expires_at }).execute();
}

const activeResets = (tx: IdentityTx, token_hash: string) =>
  tx
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.email'])
    .where('password_resets.token_hash', '=', token_hash)
    .where('password_resets.expires_at', '>', sql<string>`now()`);

export const findAccountOfReset = (tx: IdentityTx, token_hash: string): Promise<{ id: string; email: string } | undefined> =>
  activeResets(tx, token_hash).executeTakeFirst();

/** Uses up a link and locks its user. Undefined if it is unknown, expired or used, including by a concurrent request. */
export async function consumePasswordReset(tx: IdentityTx, token_hash: string): Promise<{ id: string; email: string } | undefined> {
  const found = await activeResets(tx, token_hash).forNoKeyUpdate('users').executeTakeFirst();
  if (!found) return undefined;
  // A separate statement, so that it sees what was committed while this transaction waited for the lock.
  const used = await tx.deleteFrom('password_resets').where('token_hash', '=', token_hash).returning('user_id').executeTakeFirst();
  return used && found;
}

/** Deletes every emailed link of a user that sets a password or changes the address, because an attacker may have requested them. */
export async function deleteLinks(tx: IdentityTx, user_id: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', user_id).execute();
  await tx.deleteFrom('email_changes').where('user_id', '=', user_id).execute();
}

/**
 * Saves a password and resets the count of wrong attempts. False if `before` is given and is no longer the current hash: of two concurrent
 * changes, the later one has verified an outdated password.
 */
export async function savePassword(tx: IdentityTx, user_id: string, password_hash: string, before?: string): Promise<boolean> {
  const saved = await tx
    .updateTable('users')
    .set({ password_hash, password_failed_count: 0, password_failed_since: null, password_blocked_until: null })
    .where('id', '=', user_id)
    .$if(before !== undefined, (query) => query.where('password_hash', '=', before!))
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}
