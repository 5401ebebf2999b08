import type { Profile, SignUp, UpdateProfile } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';
import { confirmationHours, mailsPerHour } from './account';

type IdentityTx = Tx<IdentityTables>;

export interface Account {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  password_hash: string;
  email_confirmed_at: string | null;
}
const accountColumns = ['id', 'email', 'first_name', 'last_name', 'password_hash', 'email_confirmed_at'] as const;

export const findAccountByEmail = (tx: IdentityTx, email: string): Promise<Account | undefined> =>
  tx.selectFrom('users').select(accountColumns).where('email', '=', email).executeTakeFirst();

export const findAccountByEmailForUpdate = (tx: IdentityTx, email: string): Promise<Account | undefined> =>
  tx.selectFrom('users').select(accountColumns).where('email', '=', email).forUpdate().executeTakeFirst();

/**
 * Returns the account of this address, locked. A new address gets an account, an unconfirmed account gets the new input, and a confirmed
 * account is unchanged. One statement for all three cases, so that concurrent requests cannot create duplicates and response times do not
 * differ.
 */
export async function createAccount(tx: IdentityTx, account: Omit<SignUp, 'password'> & { password_hash: string }): Promise<Account> {
  const { email, first_name = null, last_name = null, password_hash } = account;
  return tx
    .insertInto('users')
    .values({ id: newId(), email, first_name, last_name, password_hash, email_confirmed_at: null })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({
        first_name: sql`case when users.email_confirmed_at is null then excluded.first_name else users.first_name end`,
        last_name: sql`case when users.email_confirmed_at is null then excluded.last_name else users.last_name end`,
        password_hash: sql`case when users.email_confirmed_at is null then excluded.password_hash else users.password_hash end`,
      }),
    )
    .returning(accountColumns)
    .executeTakeFirstOrThrow();
}

/** Counts an email that an unauthenticated form is about to send; false if the address has reached its hourly limit. */
export async function countMail(tx: IdentityTx, user_id: string): Promise<boolean> {
  const counted = await tx
    .updateTable('users')
    .set({
      mails_sent: sql`case when mails_since < now() - interval '1 hour' then 1 else mails_sent + 1 end`,
      mails_since: sql`case when mails_since < now() - interval '1 hour' then now() else mails_since end`,
    })
    .where('id', '=', user_id)
    .where((or) => or.or([or('mails_sent', '<', mailsPerHour), or('mails_since', '<', sql<string>`now() - interval '1 hour'`)]))
    .returning('id')
    .executeTakeFirst();
  return counted !== undefined;
}

/** Inserts a link that confirms the address together with the current password and name of `account`. */
export async function insertConfirmation(tx: IdentityTx, token_hash: string, account: Account, browser_hash: string | null): Promise<void> {
  const { id: user_id, password_hash, first_name, last_name } = account;
  const expires_at = sql<string>`now() + make_interval(hours => ${confirmationHours})`;
  // Expired links are useless, and contain password hashes.
  await tx
    .deleteFrom('confirmation_tokens')
    .where('user_id', '=', user_id)
    .where('expires_at', '<', sql<string>`now()`)
    .execute();
  await tx
    .insertInto('confirmation_tokens')
    .values({ token_hash, user_id, password_hash, first_name, last_name, browser_hash, expires_at })
    .execute();
}

/** Whether this browser made the latest sign-up of the account, so that its links may also sign in. */
export async function hasSignedUpInBrowser(tx: IdentityTx, { id, password_hash }: Account, browser_hash: string): Promise<boolean> {
  const found = await tx
    .selectFrom('confirmation_tokens')
    .select('token_hash')
    .where('user_id', '=', id)
    .where('browser_hash', '=', browser_hash)
    .where('password_hash', '=', password_hash)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export interface ConfirmedAccount {
  id: string;
  email: string;
  browser_hash: string | null;
}

/**
 * Uses up a link. Undefined if it is unknown or expired, or its account is already confirmed. The update of the account's row decides, so
 * only one of two concurrent requests succeeds.
 */
export async function confirmAccount(tx: IdentityTx, token_hash: string): Promise<ConfirmedAccount | undefined> {
  const confirmed = await tx
    .updateTable('users')
    .from('confirmation_tokens as token')
    .set((row) => ({
      email_confirmed_at: sql<string>`now()`,
      password_hash: row.ref('token.password_hash'),
      first_name: row.ref('token.first_name'),
      last_name: row.ref('token.last_name'),
    }))
    .whereRef('token.user_id', '=', 'users.id')
    .where('token.token_hash', '=', token_hash)
    .where('token.expires_at', '>', sql<string>`now()`)
    .where('users.email_confirmed_at', 'is', null)
    .returning(['users.id', 'users.email', 'token.browser_hash'])
    .executeTakeFirst();
  if (confirmed) await tx.deleteFrom('confirmation_tokens').where('user_id', '=', confirmed.id).execute();
  return confirmed;
}

/** A user and their membership, in any organization: the caller has no tenant until the organization is known. */
export const findProfileAcrossOrganizations = (
  tx: IdentityTx,
  user_id: string,
): Promise<(Profile & { is_active: boolean | null }) | undefined> =>
  tx
    .selectFrom('users')
    .leftJoin('members', 'members.user_id', 'users.id')
    .select([
      'users.id as user_id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'users.signature',
      'members.organization_id',
      'members.role',
      'members.is_active',
    ])
    .where('users.id', '=', user_id)
    .executeTakeFirst();

/** Saves the given fields only, so that a concurrent change of another one is not overwritten. */
export const saveProfile = (
  tx: IdentityTx,
  user_id: string,
  changes: UpdateProfile,
): Promise<Pick<Profile, 'first_name' | 'last_name' | 'signature'>> =>
  tx
    .updateTable('users')
    .set(changes)
    .where('id', '=', user_id)
    .returning(['first_name', 'last_name', 'signature'])
    .executeTakeFirstOrThrow();
