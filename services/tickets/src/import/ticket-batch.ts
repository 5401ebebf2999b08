import type { CommentRecord, HistoryRecord, RecordKind, TenantContext, TicketRecord } from '@tandem/contracts';
import { sql } from 'kysely';
import { emitHistories } from '../export/ticket-export.worker';
import type { TicketsTx } from '../schema';
import { ticketNumber } from '../ticket/ticket';
import { findActiveMembersForShare } from '../ticket/ticket.store';
import { addUnusedNumbers } from '../ticket-deletion/delete-tickets.store';
import { addCounts, externalIdOf, recordId, type Counts } from './import';
import type { StoredImport } from './import.store';
import { insertRows } from './insert-rows';
import {
  countChildren,
  findRecords,
  nextRecords,
  saveChildren,
  saveOutcomes,
  summarizeChildren,
  type BatchRecord,
  type ChildSummary,
  type Outcome,
} from './record.store';
import {
  activityColumns,
  activityRow,
  commentColumns,
  commentFigures,
  commentRow,
  distinctTimes,
  importedActivity,
  periodsOf,
  ticketColumns,
  ticketRow,
  type References,
} from './ticket-rows';

/** Tickets of a transaction, and the comments and timeline entries after which it takes no further ticket. */
export const batchLimits = { tickets: 200, children: 2_000, childrenPerStatement: 200 };

interface NewTicket {
  record: BatchRecord & { data: TicketRecord };
  id: string;
}

/** What a batch did: the last record, and how many numbers it used. Undefined: there are no more records. */
export type BatchResult = { last: BatchRecord; numbers: number } | undefined;

/** Creates the next tickets with all that belongs to them, except files. Nothing is announced but their histories, which only analytics reads. */
export async function importTickets(
  tx: TicketsTx,
  ctx: TenantContext,
  row: StoredImport,
  counts: Counts,
  limit: number,
): Promise<BatchResult> {
  const position = row.position!;
  const records = await takeBatch(tx, row, await nextRecords(tx, row, 'ticket', position.after, limit));
  const last = records.at(-1);
  if (!last) return undefined;
  const all = records.map((record) => ({ record, id: record.record_id! }));
  const existing = await findExisting(tx, all.map(({ id }) => id)); // prettier-ignore
  // Two records of the source can be the same ticket.
  const wanted = [...new Map(all.filter(({ id }) => !existing.has(id)).map((ticket) => [ticket.id, ticket])).values()];
  const created = new Set(wanted);
  const numbers = await insertTickets(tx, row, wanted);
  const outcomes = all.map((ticket): Outcome => ({ key: ticket.record.key, state: created.has(ticket) ? 'created' : 'existing', record_id: ticket.id })); // prettier-ignore
  await saveOutcomes(tx, row, 'ticket', outcomes);
  addCounts(counts, 'ticket', { created: wanted.length, existing: all.length - wanted.length });
  for (const kind of ['comment', 'history'] as const) await countOutcomes(tx, row, counts, kind, all, created);
  await emitHistories(tx, ctx, wanted.map(({ id }) => id)); // prettier-ignore
  await addUnusedNumbers(tx, row.organization_id, -wanted.length);
  return { last, numbers };
}

async function countOutcomes(
  tx: TicketsTx,
  row: StoredImport,
  counts: Counts,
  kind: RecordKind,
  all: readonly NewTicket[],
  created: ReadonlySet<NewTicket>,
): Promise<void> {
  const keysOf = (isCreated: boolean) => all.filter((ticket) => created.has(ticket) === isCreated).map(({ record }) => record.key);
  addCounts(counts, kind, {
    created: await saveChildren(tx, row, kind, keysOf(true), 'created'),
    existing: await saveChildren(tx, row, kind, keysOf(false), 'existing'),
  });
}

/** As many of the tickets as have a limited number of comments and timeline entries together, but at least one. */
async function takeBatch(tx: TicketsTx, row: StoredImport, records: BatchRecord[]): Promise<NewTicket['record'][]> {
  const counts = await countChildren(tx, row, records.map(({ key }) => key)); // prettier-ignore
  let children = 0;
  const end = records.findIndex(({ key }) => (children += counts.get(key) ?? 0) > batchLimits.children);
  return records.slice(0, end < 0 ? records.length : Math.max(1, end)) as NewTicket['record'][];
}

async function findExisting(tx: TicketsTx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.selectFrom('tickets').select('id').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute(); // prettier-ignore
  return new Set(rows.map(({ id }) => id));
}

/** Returns how many new numbers it used. */
async function insertTickets(tx: TicketsTx, row: StoredImport, tickets: readonly NewTicket[]): Promise<number> {
  if (tickets.length === 0) return 0;
  const keys = tickets.map(({ record }) => record.key);
  const [comments, history] = [await summarizeChildren(tx, row, 'comment', keys), await summarizeChildren(tx, row, 'history', keys)];
  const references = await findReferences(tx, row, tickets);
  const [times, now] = [new Map<string, string>(), new Date().toISOString()];
  const commentsOf = Map.groupBy(comments, ({ parent }) => parent);
  for (const own of commentsOf.values()) for (const [key, time] of distinctTimes(own)) times.set(key, time);
  const assign = numbersOf(row, await findPrefix(tx, row));
  const externalIds = await freeExternalIds(tx, row, tickets);
  const names = await findCustomerNames(tx, row, tickets);
  const rows = tickets.map(({ record, id }) => {
    const given = {
      organization_id: row.organization_id, id, ticket_number: assign.next(record), external_id: externalIds.get(id) ?? null,
      customer_name: names.get(record.data.customer.email) ?? null, now,
    }; // prettier-ignore
    return ticketRow(record.data, given, commentFigures(commentsOf.get(record.key) ?? [], times), references);
  });
  await insertRows(tx, 'tickets', ticketColumns, rows);
  await insertParts(tx, row, tickets, rows, now);
  await insertComments(tx, row, tickets, comments, times, references);
  await insertHistory(tx, row, tickets, history, references);
  return assign.used();
}

/** The number that a ticket keeps, or the next one that was reserved for this import. */
function numbersOf(row: StoredImport, prefix: string) {
  let used = 0;
  const next = ({ number }: BatchRecord): string => {
    if (row.options.keep_numbers && number !== null) return ticketNumber(prefix, number);
    used += 1;
    return ticketNumber(prefix, row.position!.next_number + used - 1);
  };
  return { next, used: () => used };
}

export async function findPrefix(tx: TicketsTx, { organization_id }: StoredImport): Promise<string> {
  const counter = tx.selectFrom('ticket_counters').select('prefix').where('organization_id', '=', organization_id);
  return (await counter.executeTakeFirstOrThrow()).prefix;
}

async function freeExternalIds(tx: TicketsTx, row: StoredImport, tickets: readonly NewTicket[]): Promise<Map<string, string>> {
  const wanted = new Map<string, string>();
  for (const { record, id } of tickets) {
    const external_id = externalIdOf(row.source, record.data);
    if (external_id !== null) wanted.set(external_id, id);
  }
  const taken = await tx
    .selectFrom('tickets')
    .select('external_id')
    .where('organization_id', '=', row.organization_id)
    .where('external_id', '=', sql<string>`any(${[...wanted.keys()]}::text[])`)
    .execute();
  for (const { external_id } of taken) wanted.delete(external_id!);
  return new Map([...wanted].map(([external_id, id]) => [id, external_id]));
}

async function findCustomerNames(tx: TicketsTx, row: StoredImport, tickets: readonly NewTicket[]): Promise<Map<string, string>> {
  const emails = tickets.filter(({ record }) => record.data.customer.name === null).map(({ record }) => record.data.customer.email);
  if (emails.length === 0) return new Map();
  const { rows } = await sql<{ parent: string; name: string }>`select parent, data->>'name' as name from import_records
    where import_id = ${row.id} and kind = 'customer' and parent = any(${emails}::text[]) and state is null`.execute(tx);
  return new Map(rows.map(({ parent, name }) => [parent, name]));
}

async function findReferences(tx: TicketsTx, row: StoredImport, tickets: readonly NewTicket[]): Promise<References> {
  const users = new Map(row.teammates.flatMap(({ key, user_id }) => (user_id === null ? [] : [[key, user_id] as const])));
  const active = new Set(users.size === 0 ? [] : await findActiveMembersForShare(tx, [...new Set(users.values())]));
  const names = new Map(row.teammates.map(({ key, name, email }) => [key, name ?? email ?? '']));
  const { rows } = await sql<{ key: string }>`select distinct data->>'merged_from' as key from import_records
    where import_id = ${row.id} and kind = 'comment' and parent = any(${tickets.map(({ record }) => record.key)}::text[])
      and data->>'merged_from' is not null`.execute(tx);
  const merged = row.source === 'tandem' ? await mergedInHistory(tx, row, tickets) : [];
  const others = [...rows.map(({ key }) => key), ...merged, ...tickets.flatMap(({ record }) => record.data.follow_up_of ?? [])];
  const records = others.length === 0 ? [] : await findRecords(tx, row, 'ticket', others);
  const ids = records.map(({ key, record_id }) => [key, record_id!] as const);
  return { users, active, names, tickets: new Map(ids) };
}

/** The keys of tickets that timeline entries name. */
async function mergedInHistory(tx: TicketsTx, row: StoredImport, tickets: readonly NewTicket[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select distinct value #>> '{}' as key from import_records,
      jsonb_path_query(data, '$.changes.*.*.id ? (@.type() == "string")') as value
    where import_id = ${row.id} and kind = 'history' and parent = any(${tickets.map(({ record }) => record.key)}::text[])`.execute(tx);
  return rows.map(({ key }) => key);
}

type TicketRows = ReturnType<typeof ticketRow>[];

/** Periods, surveys, the time at which a snooze ends, and the entry of tickets that were imported from another product. */
async function insertParts(tx: TicketsTx, row: StoredImport, tickets: readonly NewTicket[], rows: TicketRows, now: string): Promise<void> {
  const { organization_id } = row;
  const of = (id: string) => ({ organization_id, ticket_id: id });
  const key = { organization_id: 'uuid', ticket_id: 'uuid' };
  const periods = tickets.flatMap(({ record, id }, i) =>
    periodsOf(record.data, rows[i]!.resolved_at).map((period) => ({ ...of(id), ...period })),
  );
  await insertRows(tx, 'open_periods', { ...key, opened_at: 'timestamptz', is_reopened: 'boolean', resolved_at: 'timestamptz' }, periods);
  // Tickets of our own exports have their whole timeline, and another export of them is the same.
  const foreign = row.source === 'tandem' ? [] : tickets;
  const imported = foreign.map(({ record, id }) =>
    importedActivity({ ...of(id), id: recordId(row, 'history', 'imported', id) }, row.created_by, row.source, record.data, now),
  );
  await insertRows(tx, 'activities', activityColumns, imported);
  const surveys = tickets.flatMap(({ record, id }) => (record.data.survey ? [{ ...of(id), survey: record.data.survey, customer_email: record.data.customer.email }] : [])); // prettier-ignore
  const sent = surveys.flatMap(({ survey, ticket_id }) => (survey.sent_at === null ? [] : [{ ...of(ticket_id), sent_at: survey.sent_at }]));
  await insertRows(tx, 'sent_surveys', { ...key, sent_at: 'timestamptz' }, sent);
  const answers = surveys.flatMap(({ survey: { rating, feedback, answered_at }, ticket_id, customer_email }) =>
    rating === null || rating < 1 || rating > 5 || answered_at === null
      ? []
      : [{ ...of(ticket_id), customer_email, rating, feedback: feedback?.slice(0, 5_000) ?? null, created_at: answered_at }],
  );
  await insertRows(
    tx,
    'surveys',
    { ...key, customer_email: 'text', rating: 'smallint', feedback: 'text', created_at: 'timestamptz' },
    answers,
  );
  const wakes = rows.flatMap(({ id, snoozed_until }) => (snoozed_until ? [{ ...of(id), wake_at: snoozed_until }] : []));
  await insertRows(tx, 'ticket_wake_times', { ...key, wake_at: 'timestamptz' }, wakes);
  const quiet = tickets.flatMap(({ record, id }) => (record.data.is_quiet === true ? [of(id)] : []));
  await insertRows(tx, 'quiet_tickets', key, quiet);
}

async function insertComments(
  tx: TicketsTx,
  row: StoredImport,
  tickets: readonly NewTicket[],
  comments: readonly ChildSummary[],
  times: ReadonlyMap<string, string>,
  references: References,
): Promise<void> {
  const byKey = new Map(tickets.map((ticket) => [ticket.record.key, ticket]));
  await eachPage(tx, row, 'comment', comments, async (records) => {
    const rows = records.map(({ key, parent, data }) => {
      const { record, id: ticket_id } = byKey.get(parent!)!;
      const { organization_id } = row;
      const { email: customer_email } = record.data.customer;
      const given = {
        organization_id,
        id: recordId(row, 'comment', key, ticket_id),
        ticket_id,
        customer_email,
        created_at: times.get(key)!,
      };
      return commentRow(data as unknown as CommentRecord, given, references, idsOf(row));
    });
    await insertRows(tx, 'comments', commentColumns, rows);
  });
}

async function insertHistory(
  tx: TicketsTx,
  row: StoredImport,
  tickets: readonly NewTicket[],
  history: readonly ChildSummary[],
  references: References,
): Promise<void> {
  const idOf = new Map(tickets.map(({ record, id }) => [record.key, id]));
  await eachPage(tx, row, 'history', history, async (records) => {
    const rows = records.map(({ key, parent, created_at, data }) => {
      const ticket_id = idOf.get(parent!)!;
      const given = { organization_id: row.organization_id, id: recordId(row, 'history', key, ticket_id), ticket_id, created_at };
      return activityRow(data as unknown as HistoryRecord, given, references, idsOf(row));
    });
    await insertRows(tx, 'activities', activityColumns, rows);
  });
}

const idsOf = (row: StoredImport) => (what: string, key: string) =>
  recordId(row, what === 'rule' ? 'rule' : 'teammate', key, what === 'rule' ? null : what);

/** Reads the texts of a limited number of records at a time. */
async function eachPage(
  tx: TicketsTx,
  row: StoredImport,
  kind: RecordKind,
  all: readonly ChildSummary[],
  insert: (records: BatchRecord[]) => Promise<void>,
): Promise<void> {
  const size = batchLimits.childrenPerStatement;
  for (let from = 0; from < all.length; from += size)
    await insert(await findRecords(tx, row, kind, all.slice(from, from + size).map(({ key }) => key))); // prettier-ignore
}

/** Links merged tickets to those that continue them, when all of them exist. The version stays: nothing has changed for people. */
export async function importMerges(tx: TicketsTx, ctx: TenantContext, row: StoredImport): Promise<BatchResult> {
  const { after } = row.position!;
  const { rows } = await sql<BatchRecord & { target: string }>`
    select m.key, m.created_at, m.position, m.record_id, t.record_id as target from import_records m
    join import_records t on t.import_id = m.import_id and t.kind = 'ticket' and t.key = m.parent
    where m.import_id = ${row.id} and m.kind = 'ticket' and m.parent is not null and m.state = 'created' and t.state in ('created', 'existing')
      and (${after?.created_at ?? null}::timestamptz is null
        or (m.created_at, m.position) > (${after?.created_at ?? null}::timestamptz, ${after?.position ?? null}::bigint))
    order by m.created_at, m.position limit ${batchLimits.tickets}`.execute(tx);
  const last = rows.at(-1);
  if (!last) return undefined;
  const links = rows.map(({ record_id, target }) => ({ id: record_id, into: target }));
  await sql`update tickets t set merged_into_id = l.into from json_to_recordset(${JSON.stringify(links)}::json) as l(id uuid, "into" uuid)
    where t.id = l.id and t.id <> l.into and exists (select from tickets o where o.id = l.into)`.execute(tx);
  await emitHistories(tx, ctx, rows.map(({ record_id }) => record_id!)); // prettier-ignore
  return { last, numbers: 0 };
}
