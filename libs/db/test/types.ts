// Compiled by `typecheck`, never run: each marked line must not compile.
import type { Kysely } from 'kysely';
import { afterCommit, type Database, type PlatformTables, type Tx } from '../src/index';

interface Tables {
  notes: { id: string; organization_id: string; body: string };
}
declare const db: Database<Tables>;
declare const loose: Kysely<Tables & PlatformTables>;
declare function findNotes(tx: Tx<Tables>): Promise<unknown>;
declare function emitLike(tx: Tx): Promise<unknown>;

// @ts-expect-error a database cannot be queried outside a transaction
void db.selectFrom;
// @ts-expect-error nor can a separate Kysely instance replace a transaction
void findNotes(loose);
// @ts-expect-error an organization must be named
void db.forTenant({}, findNotes);
void db.forTenant({ organization_id: null }, async (tx) => {
  afterCommit(tx, () => undefined);
  await findNotes(tx);
  await emitLike(tx);
  // @ts-expect-error a table that the service does not have
  tx.selectFrom('tickets');
});
