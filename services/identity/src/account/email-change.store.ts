import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';
import { emailChangeHours } from './account';
import type { Account } from './account.store';

type IdentityTx = Tx<IdentityTables>;

/**
 * Locks a user and, if it exists, the account with the address that they want. In id order, so that two people who want each other's
 * address do not deadlock.
 */
export async function findUserAndOwnerForUpdate(
  tx: IdentityTx,
  user_id: string,
  email: string,
): Promise<{ person: Account | undefined; owner: Account | undefined }> {
  const accounts = await tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'password_hash', 'email_confirmed_at'])
    .where((or) => or.or([or('id', '=', user_id), or('email', '=', email)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  return { person: accounts.find(({ id }) => id === user_id), owner: accounts.find((account) => account.email === email) };
}

/** Inserts a link that makes `email` the user's sign-in address. */
export async function insertEmailChange(tx: IdentityTx, change: { token_hash: string; user_id: string; email: string }): Promise<void> {
  const expires_at = sql<string>`now() + make_interval(hours => ${emailChangeHours})`;
  await tx
    .insertInto('email_changes')
    .values({ ...change, expires_at })
    .execute();
}

export async function deleteEmailChanges(tx: IdentityTx, user_id: string): Promise<void> {
  await tx.deleteFrom('email_changes').where('user_id', '=', user_id).execute();
}

export const findEmailChange = (tx: IdentityTx, token_hash: string): Promise<{ user_id: string; email: string } | undefined> =>
  tx
    .selectFrom('email_changes')
    .select(['user_id', 'email'])
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();

/** Uses up a link; false if a concurrent request has used it. */
export async function consumeEmailChange(tx: IdentityTx, token_hash: string): Promise<boolean> {
  const used = await tx.deleteFrom('email_changes').where('token_hash', '=', token_hash).returning('user_id').executeTakeFirst();
  return used !== undefined;
}

/** An unconfirmed account must not keep an address from the user who has just proved that they own it. */
export async function deleteUnconfirmed(tx: IdentityTx, user_id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', user_id).where('email_confirmed_at', 'is', null).execute();
}

/**
 * Saves the address. False if the unique index rejects it because the address was taken in the meantime; the transaction must then be
 * rolled back.
 */
export async function saveEmail(tx: IdentityTx, user_id: string, email: string): Promise<boolean> {
  try {
    await tx.updateTable('users').set({ email }).where('id', '=', user_id).execute();
    return true;
  } catch (error) {
    // 23505: unique_violation.
    if ((error as { code?: unknown } | null)?.code === '23505') return false;
    throw error;
  }
}
