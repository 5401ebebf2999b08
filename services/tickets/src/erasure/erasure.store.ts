import { activeImportStates, type Page, type PageQuery } from '@tandem/contracts';
import { anyOf, paginate } from '@tandem/db';
import { sql, type Insertable, type Selectable } from 'kysely';
import { isSentBy } from '../data-export/customer-lines.store';
import type { ErasureRow, TicketsTx } from '../schema';

// Reads filter by organization in addition to row-level security, because the sweep may read this table too (attachment.store.ts).

const shown = [
  'id', 'sealed_email', 'state', 'starts_at', 'requested_by', 'created_at', 'finished_at', 'answers', 'remains', 'ticket_count', 'is_requested',
] as const satisfies readonly (keyof ErasureRow)[]; // prettier-ignore
export type StoredErasure = Pick<Selectable<ErasureRow>, (typeof shown)[number]>;

export interface ErasureKey {
  organization_id: string;
  id: string;
}
const erasureOf = (tx: TicketsTx, { organization_id, id }: ErasureKey) =>
  tx.selectFrom('erasures').select(shown).where('organization_id', '=', organization_id).where('id', '=', id);

export const findErasure = (tx: TicketsTx, key: ErasureKey): Promise<StoredErasure | undefined> => erasureOf(tx, key).executeTakeFirst();
export const findErasureForUpdate = (tx: TicketsTx, key: ErasureKey): Promise<StoredErasure | undefined> =>
  erasureOf(tx, key).forUpdate().executeTakeFirst();
export const findErasures = (tx: TicketsTx, organization_id: string, page: PageQuery): Promise<Page<StoredErasure>> =>
  paginate(tx, tx.selectFrom('erasures').select(shown).where('organization_id', '=', organization_id), page);

export async function countOpen(tx: TicketsTx, organization_id: string): Promise<number> {
  const row = await tx
    .selectFrom('erasures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('state', 'in', ['scheduled', 'running'])
    .executeTakeFirstOrThrow();
  return row.count;
}

type NewErasure = Pick<
  Insertable<ErasureRow>,
  'organization_id' | 'id' | 'sealed_email' | 'email_hash' | 'state' | 'starts_at' | 'requested_by' | 'created_at'
>;
/** False if one of the same address is open. */
export async function insertErasure(tx: TicketsTx, row: NewErasure): Promise<boolean> {
  const inserted = await tx
    .insertInto('erasures')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'email_hash']).where('email_hash', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function saveErasure(
  tx: TicketsTx,
  { organization_id, id }: ErasureKey,
  {
    answers,
    ...changes
  }: Partial<Pick<StoredErasure, 'sealed_email' | 'state' | 'finished_at' | 'answers' | 'remains' | 'ticket_count' | 'is_requested'>> & {
    email_hash?: null;
  },
): Promise<void> {
  await tx
    .updateTable('erasures')
    .set({ ...changes, ...(answers && { answers: JSON.stringify(answers) }) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

/** Erasures whose tickets are to be deleted now. */
export const findDueAcrossOrganizations = (tx: TicketsTx): Promise<ErasureKey[]> =>
  tx
    .selectFrom('erasures')
    .select(['organization_id', 'id'])
    .where('state', 'in', ['scheduled', 'running'])
    .where('is_requested', '=', false)
    .where('starts_at', '<=', sql<string>`now()`)
    .orderBy('starts_at')
    .limit(100)
    .execute();

// ---- the customer's data ----------------------------------------------------------------------------------------

export async function isMember(tx: TicketsTx, email: string): Promise<boolean> {
  return (
    (await tx.selectFrom('members').select('user_id').where('email', '=', email).where('is_active', '=', true).executeTakeFirst()) !==
    undefined
  );
}

// The address of anonymized tickets belongs to no customer, so these are left out.

/** The next tickets of the customer, and whether they are linked to tasks. */
export async function findTicketsOfCustomer(tx: TicketsTx, email: string, limit: number): Promise<{ id: string; is_linked: boolean }[]> {
  return tx
    .selectFrom('tickets')
    .select(['id', sql<boolean>`task is not null`.as('is_linked')])
    .where('customer_email', '=', email)
    .where('anonymized_at', 'is', null)
    .limit(limit)
    .execute();
}

export interface CustomerPreview {
  tickets: number;
  comments: number;
  files: number;
  surveys: number;
  received_emails: number;
  drafts: number;
  exports: number;
  linked_tasks: number;
}
export async function countForCustomer(tx: TicketsTx, email: string): Promise<CustomerPreview> {
  const of = (table: string) => sql`(select count(*)::int from ${sql.table(table)} x join own on x.ticket_id = own.id)`;
  const { rows } = await sql<CustomerPreview>`
    with own as (select id, task from tickets where customer_email = ${email} and anonymized_at is null)
    select (select count(*)::int from own) as tickets, ${of('comments')} as comments, ${of('attachments')} as files, ${of('surveys')} as surveys,
      ${of('drafts')} as drafts, (select count(*)::int from own where task is not null) as linked_tasks,
      (select count(*)::int from inbound_mails where ${isSentBy(email)}) as received_emails,
      (select count(*)::int from exports where pieces <> '[]') as exports`.execute(tx);
  return rows[0]!;
}

export const findLatestTickets = (tx: TicketsTx, email: string, limit: number) =>
  tx
    .selectFrom('tickets')
    .select(['id', 'ticket_number', 'subject'])
    .where('customer_email', '=', email)
    .where('anonymized_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Tickets of other customers on which the address is in Cc or has written. Reads all comments and tickets: neither has an index for it. */
export async function findOtherTickets(tx: TicketsTx, email: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select ticket_id as id from comments c where customer_email = ${email}
      and not exists (select from tickets t where t.organization_id = c.organization_id and t.id = c.ticket_id and t.customer_email = ${email})
    union select id from tickets where cc @> array[${email}] and customer_email <> ${email}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The next files of the customer's comments on these tickets of other customers. */
export async function findFilesInOtherTickets(tx: TicketsTx, email: string, ids: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select f.id from comments c join attachments f on f.organization_id = c.organization_id and f.ticket_id = c.ticket_id and f.comment_id = c.id
    where c.ticket_id = ${anyOf('uuid', ids)} and c.customer_email = ${email} limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes the customer's comments and the address in Cc of these tickets of other customers, and returns the number of comments. */
export async function eraseInOtherTickets(tx: TicketsTx, email: string, ids: readonly string[]): Promise<number> {
  const own = anyOf('uuid', ids);
  await sql`select from tickets where id = ${own} order by id for update`.execute(tx);
  await sql`delete from mail_originals m using comments c where m.ticket_id = ${own} and c.organization_id = m.organization_id and c.id = m.comment_id
    and c.customer_email = ${email}`.execute(tx);
  const { rows } = await sql`delete from comments where ticket_id = ${own} and customer_email = ${email} returning id`.execute(tx);
  await sql`
    update tickets t set cc = array_remove(cc, ${email}), version = version + 1, changed_in = pg_current_xact_id()::text::bigint,
      comment_count = (select count(*) from comments c where c.organization_id = t.organization_id and c.ticket_id = t.id)
    where id = ${own}`.execute(tx);
  return rows.length;
}

/** Emails of the customer that belong to no ticket, and stored responses and events that contain the address. */
export async function eraseTraces(
  tx: TicketsTx,
  organization_id: string,
  email: string,
): Promise<{ received_emails: number; responses: number }> {
  const mails = await sql`
    delete from inbound_mails where organization_id = ${organization_id}::uuid and ${isSentBy(email)} returning id`.execute(tx);
  const responses = await sql`
    delete from idempotency_keys where organization_id = ${organization_id}::uuid and status = 'done'
      and position(convert_to(${email}, 'UTF8') in response_body) > 0 returning key`.execute(tx);
  return { received_emails: mails.rows.length, responses: responses.rows.length };
}

/** Entries that one statement reads. */
const historyPage = 10_000;
const noId = '00000000-0000-0000-0000-000000000000';

/**
 * Removes the changes of `cc` and of the customer that contain the address from the history of other tickets. The name of a former customer is
 * in the same entry. Reads the whole history, in pages: no index has the values.
 */
export async function eraseInHistory(tx: TicketsTx, organization_id: string, email: string): Promise<void> {
  for (let after: string | null = noId; after !== null;) {
    const found: { last: string | null; ids: string[] } = (
      await sql<{ last: string | null; ids: string[] }>`
        with page as (
          select id, position(${email} in changes::text) > 0 as is_matching from activities
          where organization_id = ${organization_id}::uuid and id > ${after}::uuid order by id limit ${historyPage}
        )
        select (select id from page order by id desc limit 1) as last, array(select id from page where is_matching) as ids`.execute(tx)
    ).rows[0]!;
    after = found.last;
    if (found.ids.length === 0) continue;
    const own = sql`organization_id = ${organization_id}::uuid and id = ${anyOf('uuid', found.ids)}`;
    await sql`
      update activities set changes = changes - 'customer_name' - array(
        select key from jsonb_each(changes) where position(${email} in value::text) > 0)
      where ${own}`.execute(tx);
    await sql`delete from activities where ${own} and changes = '{}'`.execute(tx);
  }
}

/** An import that is creating tickets could create some of the customer again. */
export async function isImporting(tx: TicketsTx, organization_id: string): Promise<boolean> {
  const active = await tx
    .selectFrom('imports')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('state', 'in', activeImportStates)
    .executeTakeFirst();
  return active !== undefined;
}

/**
 * Ends imports that were not started, and the time in which others can be undone: `pruneImports` then deletes their files and staged records,
 * which contain the customer.
 */
export async function endImports(tx: TicketsTx, organization_id: string): Promise<void> {
  await tx
    .updateTable('imports')
    .set({
      undo_until: null,
      sealed_token: null,
      state: sql`case when state in ('preparing', 'ready') then 'cancelled' else state end`,
      finished_at: sql`coalesce(finished_at, now())`,
    })
    .where('organization_id', '=', organization_id)
    .where('state', 'not in', activeImportStates)
    .where((eb) => eb.or([eb('has_files', '=', true), eb('has_records', '=', true), eb('state', 'in', ['preparing', 'ready'])]))
    .execute();
}

/** Exports contain the customer: their archives are deleted by `pruneExports`, and running ones stop. Returns their number. */
export async function deleteExports(tx: TicketsTx, organization_id: string): Promise<number> {
  const rows = await tx
    .updateTable('exports')
    .set({ is_deleted: true, sealed_email: null })
    .where('organization_id', '=', organization_id)
    .where('is_deleted', '=', false)
    .where((eb) => eb.or([eb('state', '=', 'running'), sql<boolean>`pieces <> '[]'`]))
    .returning('id')
    .execute();
  return rows.length;
}

/** Its own events contain the address. */
export async function deleteEventsAbout(tx: TicketsTx, { organization_id, id }: ErasureKey): Promise<void> {
  await sql`
    insert into ticket_deletions (organization_id, ticket_id, keep_figures) values (${organization_id}, ${id}, false) on conflict do nothing`.execute(
    tx,
  );
}
