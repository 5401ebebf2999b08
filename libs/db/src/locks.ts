import { sql } from 'kysely';
import type { Tx } from './database';

/**
 * From here to the end of the transaction nobody else holds the lock of this name in the service's database; whoever asks for it waits. For
 * what no row stands for: the number of things somebody may have, a choice among many rows. The name has the organization or the person in it.
 */
export async function lockName<S>(tx: Tx<S>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
