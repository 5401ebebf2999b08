import { beforeCommit } from '@tandem/db';
import { sql } from 'kysely';
import type { AnyTx } from '../any-tx';

/**
 * Part of a statement of a transaction: its commit does not wait for the disk. If PostgreSQL crashes, the transaction may be undone as a
 * whole, so its cause must come again.
 */
export const withoutDisk = sql`set_config('synchronous_commit', 'off', true)`;

/** The commit waits for the disk after all, as the server is configured: what others have seen of it must not be undone by a crash. */
export const waitForDisk = (tx: AnyTx): void => beforeCommit(tx, sql`set local synchronous_commit to default`, { isVisible: false });

/**
 * The commit waits for the disk, or for a synchronous standby, even if the transaction has changed nothing. Everything that was committed
 * before it is then on the disk, too.
 */
export const writeEarlierCommits = (tx: AnyTx): void =>
  beforeCommit(tx, sql`select pg_logical_emit_message(true, 'tandem', '')`, { isVisible: false });
