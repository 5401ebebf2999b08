import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';
import { unconfirmedDays } from './account';

type IdentityTx = Tx<IdentityTables>;

/** Maximum rows per table and transaction, so that locks are short. */
export const cleanupBatch = 1_000;

const linkTables = ['confirmation_tokens', 'password_resets', 'email_changes', 'mfa_challenges'] as const;

/** Returns the number of deleted rows. */
export async function deleteExpiredLinks(tx: IdentityTx): Promise<number> {
  let deleted = 0;
  for (const table of linkTables) {
    const past = tx
      .selectFrom(table)
      .select('token_hash')
      .where('expires_at', '<', sql<string>`now()`)
      .limit(cleanupBatch);
    const result = await tx.deleteFrom(table).where('token_hash', 'in', past).executeTakeFirst();
    deleted += Number(result.numDeletedRows);
  }
  return deleted;
}

/** Spares accounts that a link from the last day may still confirm. Returns the number of deleted rows. */
export async function deleteUnconfirmedAccounts(tx: IdentityTx): Promise<number> {
  const past = tx
    .selectFrom('users')
    .select('users.id')
    .where('users.email_confirmed_at', 'is', null)
    .where('users.created_at', '<', sql<string>`now() - make_interval(days => ${unconfirmedDays})`)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('confirmation_tokens')
            .select('token_hash')
            .whereRef('confirmation_tokens.user_id', '=', 'users.id')
            .where('confirmation_tokens.expires_at', '>', sql<string>`now()`),
        ),
      ),
    )
    .orderBy('users.created_at')
    .limit(cleanupBatch);
  // Checks the row itself again: a link may confirm it concurrently.
  const result = await tx.deleteFrom('users').where('id', 'in', past).where('email_confirmed_at', 'is', null).executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Deletes sessions and their refresh tokens 24 hours after the session's latest possible end. Returns the number of deleted sessions. */
export async function deleteOldSessions(tx: IdentityTx): Promise<number> {
  const past = tx
    .selectFrom('sessions')
    .select('id')
    .where('absolute_expires_at', '<', sql<string>`now() - interval '24 hours'`)
    .limit(cleanupBatch);
  const result = await tx.deleteFrom('sessions').where('id', 'in', past).executeTakeFirst();
  return Number(result.numDeletedRows);
}
