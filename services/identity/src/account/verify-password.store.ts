import { limits } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';

type IdentityTx = Tx<IdentityTables>;

const { limit, windowSeconds, blockSeconds } = limits.login;
const now = sql<string>`clock_timestamp()`;

/**
 * Counts an attempt at the user's password and returns the hash to compare with; undefined while the user is blocked. Attempts count
 * before they are compared, so that concurrent requests cannot exceed the limit.
 */
export async function countPasswordAttempt(tx: IdentityTx, user_id: string): Promise<{ email: string; password_hash: string } | undefined> {
  // An expired block also ends the window; rows with an active block are excluded by the `where` clause.
  const begins = sql`(password_failed_since is null or password_blocked_until is not null
    or password_failed_since < ${now} - make_interval(secs => ${windowSeconds}))`;
  const count = sql<number>`(case when ${begins} then 1 else password_failed_count + 1 end)`;
  return tx
    .updateTable('users')
    .set({
      password_failed_count: count,
      password_failed_since: sql<string>`case when ${begins} then ${now} else password_failed_since end`,
      password_blocked_until: sql<
        string | null
      >`case when ${count} >= ${limit}::integer then ${now} + make_interval(secs => ${blockSeconds}) end`,
    })
    .where('id', '=', user_id)
    .where((or) => or.or([or('password_blocked_until', 'is', null), or('password_blocked_until', '<=', now)]))
    .returning(['email', 'password_hash'])
    .executeTakeFirst();
}

/** Resets the count of wrong attempts after a correct password. */
export async function resetPasswordAttempts(tx: IdentityTx, user_id: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_failed_count: 0, password_failed_since: null, password_blocked_until: null })
    .where('id', '=', user_id)
    .execute();
}

/** Seconds until the block ends; undefined if the user does not exist. */
export async function findBlockSeconds(tx: IdentityTx, user_id: string): Promise<number | undefined> {
  const found = await tx
    .selectFrom('users')
    .select(sql<number>`greatest(1, ceil(extract(epoch from password_blocked_until - ${now})))::integer`.as('seconds'))
    .where('id', '=', user_id)
    .executeTakeFirst();
  return found?.seconds;
}
