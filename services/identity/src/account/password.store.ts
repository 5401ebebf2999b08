import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';
import { resetHours } from './account';

type IdentityTx = Tx<IdentityTables>;

/** A link that sets the password of a person anew. */
export async function insertPasswordReset(tx: IdentityTx, token_hash: string, user_id: string): Promise<void> {
  const expires_at = sql<string>`now() + make_interval(hours => ${resetHours})`;
  await tx.insertInto('password_resets').values({ token_hash, user_id, expires_at }).execute();
}

const livingResets = (tx: IdentityTx, token_hash: string) =>
  tx
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.email'])
    .where('password_resets.token_hash', '=', token_hash)
    .where('password_resets.expires_at', '>', sql<string>`now()`);

export const findAccountOfReset = (tx: IdentityTx, token_hash: string): Promise<{ id: string; email: string } | undefined> =>
  livingResets(tx, token_hash).executeTakeFirst();

/** Uses a link up and locks its person. Undefined when it is unknown, expired or used, also by a request that was a moment faster. */
export async function takePasswordReset(tx: IdentityTx, token_hash: string): Promise<{ id: string; email: string } | undefined> {
  const found = await livingResets(tx, token_hash).forNoKeyUpdate('users').executeTakeFirst();
  if (!found) return undefined;
  // A statement of its own, which sees what was committed while the person was waited for.
  const used = await tx.deleteFrom('password_resets').where('token_hash', '=', token_hash).returning('user_id').executeTakeFirst();
  return used && found;
}

/** Ends every mailed link of a person that sets a password or moves the account: whoever asked for it may be whom the change is against. */
export async function deleteLinks(tx: IdentityTx, user_id: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', user_id).execute();
  await tx.deleteFrom('email_changes').where('user_id', '=', user_id).execute();
}

/**
 * Writes a password, and forgets wrong tries at the one before it. False when `before` is given and is no longer the hash that holds:
 * of two changes at once the later one has proved a password that is none any more.
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
