import { sql } from 'kysely';
import type { Database, Tx } from './database';

/** Rows per transaction, so that locks are short. */
const batch = 1_000;
/** Rows that one statement reads from a table without an index on the organization. */
const page = 5_000;
/** Fewer, because the whole event is read. */
const letterPage = 500;

interface Reference {
  /** The table whose rows refer to rows of `target`. */
  source: string;
  target: string;
  source_columns: string[];
  target_columns: string[];
}

export interface DeletedOrganization {
  organization_id: string;
  /** The users whose accounts were deleted with it: their events belong to no organization. */
  member_ids: readonly string[];
  /** The last event that the running pass has read; null at its start. */
  events_after: string | null;
}

/**
 * Deletes all rows of an organization from the database, in batches, with referring rows first: every table with row-level security, and its
 * published events with their sequences, and its dead letters. It can be repeated, and continues where it was interrupted. Other rows
 * without an organization, such as accounts, stay. Returns the number of rows.
 */
export async function deleteOrganizationRows(db: Database, deleted: DeletedOrganization): Promise<number> {
  const { organization_id } = deleted;
  const { tables, references } = await db.asSystem('the tables with rows of organizations', (tx) => readTenantTables(tx));
  let rows = 0;
  for (const { name, ids } of referringFirst(tables, references)) {
    const toItself = references.filter(({ source, target }) => source === name && target === name);
    for (let count = batch; count > 0;) {
      count = await db.forTenant({ organization_id }, (tx) => deleteBatch(tx, { name, ids }, organization_id, toItself));
      rows += count;
    }
  }
  rows += await deletePages(db, deleted.events_after ?? firstIdOf(organization_id), (tx, after) => deleteEvents(tx, deleted, after));
  rows += await deletePages(db, firstIdOf(organization_id), (tx, after) => deleteLetters(tx, deleted, after));
  await db.asSystem('the sequences of a deleted organization', (tx) => deleteSequences(tx, deleted));
  return rows;
}

interface Table {
  name: string;
  /** The columns of its primary key that can be the subject of an event. */
  ids: string[];
}

/**
 * The tables with row-level security, and their references to each other.
 *
 * @param column only tables that also have this column
 */
export async function readTenantTables(tx: Tx, column = 'organization_id'): Promise<{ tables: Table[]; references: Reference[] }> {
  const tables = await sql<Table>`
    select c.relname as name,
      array(select k.attname::text from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary and k.atttypid = 'uuid'::regtype and k.attname <> 'organization_id') as ids
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relrowsecurity and a.attname = 'organization_id' and c.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = ${column} and not o.attisdropped)
    order by c.relname`.execute(tx);
  const references = await sql<Reference>`
    select s.relname as source, t.relname as target,
      array(select a.attname::text from unnest(f.conkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = s.oid and a.attnum = k.n order by k.i) as source_columns,
      array(select a.attname::text from unnest(f.confkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = t.oid and a.attnum = k.n order by k.i) as target_columns
    from pg_constraint f join pg_class s on s.oid = f.conrelid join pg_class t on t.oid = f.confrelid
    where f.contype = 'f' and s.relrowsecurity and t.relrowsecurity`.execute(tx);
  return { tables: tables.rows, references: references.rows };
}

/** @throws {Error} if tables refer to each other in a cycle */
export function referringFirst(tables: readonly Table[], references: readonly Reference[]): Table[] {
  const ordered: Table[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const free = [...waiting.values()].find(({ name }) =>
      references.every(({ source, target }) => target !== name || source === name || !waiting.has(source)),
    );
    if (free === undefined) throw new Error(`The tables ${[...waiting.keys()].join(', ')} refer to each other in a cycle`);
    waiting.delete(free.name);
    ordered.push(free);
  }
  return ordered;
}

/**
 * Also deletes the sequences of the events about these rows. In a table that refers to itself, deletes the rows that no other row refers
 * to; the next batch finds those that have become free.
 */
async function deleteBatch(tx: Tx, { name, ids }: Table, organization_id: string, toItself: readonly Reference[]): Promise<number> {
  const isFree = toItself.map(({ source_columns, target_columns }) => {
    const refers = sql.join(
      source_columns.map((column, n) => sql`r.${sql.ref(column)} = t.${sql.ref(target_columns[n]!)}`),
      sql` and `,
    );
    return sql`and not exists (select from ${sql.table(name)} r where r.organization_id = ${organization_id}::uuid and ${refers})`;
  });
  const subjects = sql.join([sql`null`, ...ids.map((column) => sql`${sql.ref(column)}::text`)]);
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from ${sql.table(name)} where ctid = any(array(
        select t.ctid from ${sql.table(name)} t where t.organization_id = ${organization_id}::uuid ${sql.join(isFree, sql` `)} limit ${batch}
      )) returning array[${subjects}] as subjects
    ), sequences as (
      delete from event_sequences where subject = any(array(select unnest(subjects) from gone))
    )
    select count(*) as count from gone`.execute(tx);
  return rows[0]!.count;
}

/** The clocks of two machines can differ by this much. */
const clockDifferenceMs = 3_600_000;

/**
 * A lower limit of the ids of the organization's events. Ids begin with the time (UUIDv7), so the events of a demo are found among those of
 * the last hours, by the primary key, and the outbox needs no index on the organization.
 */
export function firstIdOf(organization_id: string): string {
  const createdMs = organization_id[14] === '7' ? Number.parseInt(organization_id.replace('-', '').slice(0, 12), 16) : 0;
  const hex = Math.max(0, createdMs - clockDifferenceMs)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

interface DeletedPage {
  /** The last row that was read; null at the end of the table. */
  last: string | null;
  deleted: number;
}

/** Each page is a transaction, so that no statement is long, however many rows the table has. */
async function deletePages(db: Database, first: string, deletePage: (tx: Tx, after: string) => Promise<DeletedPage>): Promise<number> {
  let deleted = 0;
  for (let after: string | null = first; after !== null;) {
    const from: string = after;
    const read = await db.asSystem('the events of a deleted organization', (tx) => deletePage(tx, from));
    deleted += read.deleted;
    after = read.last;
  }
  return deleted;
}

/**
 * Events that are not published yet stay: other services need them, and the next pass deletes them. Saves how far it has come in the same
 * statement.
 */
async function deleteEvents(tx: Tx, { organization_id, member_ids }: DeletedOrganization, after: string): Promise<DeletedPage> {
  const { rows } = await sql<DeletedPage>`
    with page as (
      select id, ctid as place, subject, published_at is not null
        and (organization_id = ${organization_id}::uuid or (organization_id is null and subject = any(${member_ids}::text[]))) as is_its
      from outbox where id > ${after}::uuid order by id limit ${page}
    ), gone as (
      delete from outbox where ctid = any(array(select place from page where is_its)) returning subject
    ), sequences as (
      delete from event_sequences where subject = any(array(select distinct subject from gone))
    ), progress as (
      update organization_deletions set events_after = (select id from page order by id desc limit 1)
      where organization_id = ${organization_id}::uuid and exists (select from page)
    )
    select (select id from page order by id desc limit 1) as last, (select count(*) from gone) as deleted`.execute(tx);
  return rows[0]!;
}

async function deleteLetters(tx: Tx, { organization_id, member_ids }: DeletedOrganization, after: string): Promise<DeletedPage> {
  const { rows } = await sql<DeletedPage>`
    with page as (
      select id, ctid as place, envelope ->> 'organizationid' as owner, envelope ->> 'subject' as subject
      from dead_letters where id > ${after}::uuid order by id limit ${letterPage}
    ), gone as (
      delete from dead_letters where ctid = any(array(
        select place from page where owner = ${organization_id} or (owner is null and subject = any(${member_ids}::text[]))
      )) returning id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*) from gone) as deleted`.execute(tx);
  return rows[0]!;
}

/** The sequences of the organization itself and its members, which no longer have rows in any table. */
async function deleteSequences(tx: Tx, { organization_id, member_ids }: DeletedOrganization): Promise<void> {
  await sql`delete from event_sequences where subject = any(${[organization_id, ...member_ids]}::text[])`.execute(tx);
}
