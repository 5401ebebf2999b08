import { sql } from 'kysely';
import type { Tx } from './database';

/**
 * Makes a transaction read indexes in their order, for statements that read the first rows of a backlog. While a backlog grows, statistics are
 * older than it: PostgreSQL expects few rows, and would read and sort all of them, through another index or without one.
 */
export async function readInIndexOrder<S>(tx: Tx<S>): Promise<void> {
  const settings = ['enable_bitmapscan', 'enable_seqscan', 'enable_sort'].map((name) => sql`set_config(${name}, 'off', true)`);
  await sql`select ${sql.join(settings)}`.execute(tx);
}
