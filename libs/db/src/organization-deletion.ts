import { sql } from 'kysely';
import type { Database, Tx } from './database';

/** Rows per transaction, so that locks are short. */
const batch = 1_000;
/** More, because no index finds the events of an organization. */
const eventBatch = 20_000;

interface Reference {
  /** The table whose rows refer to rows of `target`. */
  source: string;
  target: string;
  source_columns: string[];
  target_columns: string[];
}

/**
 * Deletes all rows of an organization from the database, in batches, with referring rows first: every table with row-level security, and its
 * published events, dead letters and stored responses. It can be repeated, and continues where it was interrupted. Rows without an
 * organization, such as accounts, stay. Returns the number of rows.
 */
export async function deleteOrganizationRows(db: Database, organization_id: string): Promise<number> {
  const { tables, references } = await db.asSystem('the tables with rows of organizations', readTables);
  let deleted = 0;
  for (const table of referringFirst(tables, references)) {
    const toItself = references.filter(({ source, target }) => source === table && target === table);
    for (let count = batch; count > 0;) {
      count = await db.forTenant({ organization_id }, (tx) => deleteBatch(tx, table, organization_id, toItself));
      deleted += count;
    }
  }
  for (let count = 1; count > 0; deleted += count)
    count = await db.asSystem('the events of a deleted organization', (tx) => deleteEvents(tx, organization_id));
  return deleted;
}

async function readTables(tx: Tx): Promise<{ tables: string[]; references: Reference[] }> {
  const tables = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relrowsecurity and a.attname = 'organization_id' and c.relnamespace = 'public'::regnamespace
    order by c.relname`.execute(tx);
  const references = await sql<Reference>`
    select s.relname as source, t.relname as target,
      array(select a.attname::text from unnest(f.conkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = s.oid and a.attnum = k.n order by k.i) as source_columns,
      array(select a.attname::text from unnest(f.confkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = t.oid and a.attnum = k.n order by k.i) as target_columns
    from pg_constraint f join pg_class s on s.oid = f.conrelid join pg_class t on t.oid = f.confrelid
    where f.contype = 'f' and s.relrowsecurity and t.relrowsecurity`.execute(tx);
  return { tables: tables.rows.map(({ name }) => name), references: references.rows };
}

/** @throws {Error} if tables refer to each other in a circle */
function referringFirst(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const free = [...waiting].find((table) =>
      references.every(({ source, target }) => target !== table || source === table || !waiting.has(source)),
    );
    if (free === undefined) throw new Error(`The tables ${[...waiting].join(', ')} refer to each other in a circle`);
    waiting.delete(free);
    ordered.push(free);
  }
  return ordered;
}

/** Of a table that refers to itself, deletes the rows that no other row refers to; the next batch finds those that have become free. */
async function deleteBatch(tx: Tx, table: string, organization_id: string, toItself: readonly Reference[]): Promise<number> {
  const isFree = toItself.map(({ source_columns, target_columns }) => {
    const refers = sql.join(
      source_columns.map((column, n) => sql`r.${sql.ref(column)} = t.${sql.ref(target_columns[n]!)}`),
      sql` and `,
    );
    return sql`and not exists (select from ${sql.table(table)} r where r.organization_id = ${organization_id}::uuid and ${refers})`;
  });
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t where t.organization_id = ${organization_id}::uuid ${sql.join(isFree, sql` `)} limit ${batch}
    ))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Events that are not published yet stay: other services need them, and the next deletion removes them. */
async function deleteEvents(tx: Tx, organization_id: string): Promise<number> {
  const events = await sql`
    delete from outbox where ctid = any(array(
      select ctid from outbox where organization_id = ${organization_id}::uuid and published_at is not null limit ${eventBatch}
    ))`.execute(tx);
  const letters = await sql`delete from dead_letters where envelope ->> 'organizationid' = ${organization_id}`.execute(tx);
  return Number((events.numAffectedRows ?? 0n) + (letters.numAffectedRows ?? 0n));
}
