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

/** Like `lockName`, except that the transactions which call this do not wait for each other: only for one that calls `lockName`. */
export async function lockNameShared<S>(tx: Tx<S>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx);
}
