import { sql } from 'kysely';
import type { Tx } from './database';

/**
 * Takes a named lock in the service's database until the end of the transaction; other transactions that request it wait.
 * For constraints that no single row can enforce: a maximum number of things per user, or a choice among many rows.
 * `name` must include the organization's or the user's id.
 */
export async function lockName<S>(tx: Tx<S>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Like `lockName`, but returns false instead of waiting if another transaction has the lock. */
export async function tryLockName<S>(tx: Tx<S>, name: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken`.execute(tx);
  return rows[0]!.taken;
}

/** Like `lockName`, except that the transactions which call this do not wait for each other: only for one that calls `lockName`. */
export async function lockNameShared<S>(tx: Tx<S>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx);
}
