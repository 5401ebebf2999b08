import { sql, type RawBuilder } from 'kysely';
import type { Database, Tx } from './database';
import { referringFirst, readTenantTables } from './organization-deletion';

/** Events that one statement reads: the outbox has no index on the subject. */
const page = 5_000;
/** Fewer, because the whole event is read. */
const letterPage = 500;

/**
 * Deletes the rows of these tickets in every table of the service that has an `organization_id` and a `ticket_id`, referring rows first. A new
 * table needs no code, but one that only refers to such a row does. Not for the tickets service, where a `ticket_id` can also be a mere
 * reference. Returns the number of rows of each table that had any.
 */
export async function deleteTicketRows(tx: Tx, organization_id: string, ticket_ids: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const { tables, references } = await readTenantTables(tx, 'ticket_id');
  for (const { name } of referringFirst(tables, references)) {
    if (name === 'ticket_deletions') continue;
    const { numAffectedRows } = await sql`
      delete from ${sql.table(name)} where organization_id = ${organization_id}::uuid and ticket_id = any(${ticket_ids}::uuid[])`.execute(
      tx,
    );
    if (numAffectedRows) counts[name] = Number(numAffectedRows);
  }
  return counts;
}

/**
 * Deletes the published events and the dead letters about all tickets in `ticket_deletions`, in pages, and returns their number. Events that
 * are not published yet stay: other services need them, and a later pass deletes them. Events whose subject is another one, such as the
 * organization, stay until the outbox is cleaned up.
 */
export async function deleteTicketEvents(db: Database): Promise<number> {
  return (await deletePages(db, eventPage)) + (await deletePages(db, deadLetterPage));
}

/**
 * Deletes the published events and the dead letters of an organization whose envelope contains `text`, or that have this type, and returns
 * their number. Reads both tables.
 */
export async function deleteEventsContaining(db: Database, organization_id: string, text: string, type = ''): Promise<number> {
  const isIts = sql`(type = ${type} or position(${text} in envelope::text) > 0)`;
  const events = await deletePages(db, (tx, after) =>
    deletePage(
      tx,
      'outbox',
      sql`organization_id = ${organization_id}::uuid
    and published_at is not null and ${isIts}`,
      after,
    ),
  );
  const isItsLetter = sql`envelope ->> 'organizationid' = ${organization_id} and position(${text} in envelope::text) > 0`;
  return events + (await deletePages(db, (tx, after) => deletePage(tx, 'dead_letters', isItsLetter, after)));
}

async function deletePage(tx: Tx, table: 'outbox' | 'dead_letters', isIts: RawBuilder<unknown>, after: string): Promise<DeletedPage> {
  const { rows } = await sql<DeletedPage>`
    with page as (
      select id, ctid as place, ${isIts} as is_its from ${sql.table(table)} where id > ${after}::uuid order by id limit ${letterPage}
    ), gone as (
      delete from ${sql.table(table)} where ctid = any(array(select place from page where is_its)) returning id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*) from gone) as deleted`.execute(tx);
  return rows[0]!;
}

interface DeletedPage {
  /** The last row that was read; null at the end of the table. */
  last: string | null;
  deleted: number;
}

/** Each page is a transaction, so that no statement is long, however many rows the table has. */
async function deletePages(db: Database, deletePage: (tx: Tx, after: string) => Promise<DeletedPage>): Promise<number> {
  let deleted = 0;
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null;) {
    const from: string = after;
    const read = await db.asSystem('the events of deleted tickets', (tx) => deletePage(tx, from));
    deleted += read.deleted;
    after = read.last;
  }
  return deleted;
}

async function eventPage(tx: Tx, after: string): Promise<DeletedPage> {
  const { rows } = await sql<DeletedPage>`
    with page as (
      select id, ctid as place, organization_id, subject, published_at is not null as is_published
      from outbox where id > ${after}::uuid order by id limit ${page}
    ), gone as (
      delete from outbox where ctid = any(array(
        select p.place from page p join ticket_deletions d on d.organization_id = p.organization_id and d.ticket_id::text = p.subject
        where p.is_published
      )) returning id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*) from gone) as deleted`.execute(tx);
  return rows[0]!;
}

async function deadLetterPage(tx: Tx, after: string): Promise<DeletedPage> {
  const { rows } = await sql<DeletedPage>`
    with page as (
      select id, ctid as place, envelope ->> 'organizationid' as owner, envelope ->> 'subject' as subject
      from dead_letters where id > ${after}::uuid order by id limit ${letterPage}
    ), gone as (
      delete from dead_letters where ctid = any(array(
        select p.place from page p join ticket_deletions d on d.organization_id::text = p.owner and d.ticket_id::text = p.subject
      )) returning id
    )
    select (select id from page order by id desc limit 1) as last, (select count(*) from gone) as deleted`.execute(tx);
  return rows[0]!;
}
