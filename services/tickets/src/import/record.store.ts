import { importLimits, type ImportProblemCode, type RecordKind } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import type { ImportProblemRow, ImportRecordRow, TicketsTx } from '../schema';
import { insertRows } from './insert-rows';

export interface ImportKey {
  organization_id: string;
  id: string;
}

export type Place = { file: string; line: number | null };
/** A record as staged; `data` was checked by its schema. */
export type StagedRecord = Pick<ImportRecordRow, 'kind' | 'key' | 'parent' | 'position' | 'created_at' | 'number'> & {
  data: object;
  place: Place;
};
export type NewProblem = Pick<ImportProblemRow, 'position' | 'code' | 'kind' | 'key' | 'field' | 'value'> & Place;

const recordColumns = {
  organization_id: 'uuid', import_id: 'uuid', kind: 'text', key: 'text', parent: 'text', position: 'bigint', created_at: 'timestamptz',
  number: 'integer', data: 'jsonb', place: 'jsonb',
}; // prettier-ignore
const problemColumns = {
  organization_id: 'uuid', import_id: 'uuid', id: 'uuid', position: 'bigint', code: 'text', kind: 'text', key: 'text', file: 'text',
  line: 'integer', field: 'text', value: 'text',
}; // prettier-ignore

/** Stages records. Returns those whose key another record of the kind has. */
export async function insertRecords(tx: TicketsTx, of: ImportKey, records: readonly StagedRecord[]): Promise<StagedRecord[]> {
  const keys = { organization_id: of.organization_id, import_id: of.id };
  const rows = records.map((record) => ({ ...keys, ...record }));
  const inserted = await insertRows(tx, 'import_records', recordColumns, rows, { isRepeatable: true });
  if (inserted === rows.length) return [];
  const stored = await tx
    .selectFrom('import_records')
    .select('position')
    .where('import_id', '=', of.id)
    .where('key', '=', sql<string>`any(${records.map(({ key }) => key)}::text[])`)
    .where('kind', 'in', [...new Set(records.map(({ kind }) => kind))])
    .execute();
  const positions = new Set(stored.map(({ position }) => position));
  return records.filter(({ position }) => !positions.has(position));
}

export async function insertProblems(tx: TicketsTx, of: ImportKey, problems: readonly NewProblem[]): Promise<void> {
  const keys = { organization_id: of.organization_id, import_id: of.id };
  const rows = problems.map(({ file, key, ...problem }) => ({
    ...keys,
    id: newId(),
    ...problem,
    key: key?.slice(0, 200),
    file: file.slice(0, 500),
  }));
  await insertRows(tx, 'import_problems', problemColumns, rows);
}

/** Deletes at most `limit` staged records or problems. Returns their number. */
export async function deleteStaged(
  tx: TicketsTx,
  of: ImportKey,
  table: 'import_records' | 'import_problems',
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where import_id = ${of.id} limit ${limit}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

// ---- when all records have been read --------------------------------------------------------------------------------

/** The last of the next `limit` keys of a kind; undefined if there are none. */
export async function lastKeyAfter(
  tx: TicketsTx,
  of: ImportKey,
  kind: RecordKind,
  after: string,
  limit: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ key: string | null }>`
    select max(key) as key from (select key from import_records where import_id = ${of.id} and kind = ${kind} and key > ${after}
      order by key limit ${limit}) page`.execute(tx);
  return rows[0]?.key ?? undefined;
}

export interface KeyRange {
  kind: RecordKind;
  after: string;
  last: string;
}
type Found = Pick<ImportRecordRow, 'kind' | 'key' | 'position'> & { place: Place };
const inRange = (of: ImportKey, { kind, after, last }: KeyRange) =>
  sql`r.import_id = ${of.id} and r.kind = ${kind} and r.key > ${after} and r.key <= ${last} and r.state is null`;
const found = sql`r.kind, r.key, r.position, r.place`;

/** After staging: without statistics, the statements below read all records for each one (import_statistics.sql). */
export async function analyzeRecords(tx: TicketsTx): Promise<void> {
  await sql`select analyze_import_records()`.execute(tx);
}

/** Leaves out records whose parent is not part of the import, or is left out. */
export async function failOrphans(tx: TicketsTx, of: ImportKey, range: KeyRange): Promise<Found[]> {
  const parent =
    range.kind === 'file'
      ? sql`p.kind = split_part(r.parent, ':', 1) and p.key = substr(r.parent, strpos(r.parent, ':') + 1)`
      : sql`p.kind = ${range.kind === 'article_version' ? 'article' : 'ticket'} and p.key = r.parent`;
  const { rows } = await sql<Found>`update import_records r set state = 'failed' where ${inRange(of, range)} and not exists (
    select from import_records p where p.import_id = r.import_id and ${parent} and p.state is null) returning ${found}`.execute(tx);
  return rows;
}

/** Moves comments and timeline entries that are older than their ticket to its creation. */
export async function correctTimes(tx: TicketsTx, of: ImportKey, range: KeyRange): Promise<Found[]> {
  const { rows } = await sql<Found>`update import_records r set created_at = t.created_at from import_records t where ${inRange(of, range)}
    and t.import_id = r.import_id and t.kind = 'ticket' and t.key = r.parent and r.created_at < t.created_at returning ${found}`.execute(
    tx,
  );
  return rows;
}

/** Forgets categories of articles that are not part of the import. */
export async function forgetCategories(tx: TicketsTx, of: ImportKey, range: KeyRange): Promise<Found[]> {
  const { rows } = await sql<Found>`update import_records r set data = jsonb_set(r.data, '{category}', 'null') where ${inRange(of, range)}
    and r.data->>'category' is not null and not exists (select from import_records c where c.import_id = r.import_id
      and c.kind = 'article_category' and c.key = r.data->>'category' and c.state is null) returning ${found}`.execute(tx);
  return rows;
}

/** Leaves out comments and timeline entries beyond the limit of a ticket, the newest ones. */
export async function failTooMany(tx: TicketsTx, of: ImportKey, kind: RecordKind, max: number): Promise<Found[]> {
  const { rows } = await sql<Found>`update import_records r set state = 'failed' from (
      select key, row_number() over (partition by parent order by created_at, position) as place_of_parent from import_records
      where import_id = ${of.id} and kind = ${kind} and state is null and parent = any(array(
        select parent from import_records where import_id = ${of.id} and kind = ${kind} and state is null
        group by parent having count(*) > ${max}))
    ) n where r.import_id = ${of.id} and r.kind = ${kind} and r.key = n.key and n.place_of_parent > ${max} returning ${found}`.execute(tx);
  return rows;
}

/** Forgets the targets of merges that are not part of the import, or lead in a circle. Each ticket is visited once. */
export async function forgetWrongMerges(tx: TicketsTx, of: ImportKey): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with recursive merged as (
      select m.key from import_records m join import_records t
        on t.import_id = m.import_id and t.kind = 'ticket' and t.key = m.parent and t.parent is null and t.state is null
      where m.import_id = ${of.id} and m.kind = 'ticket' and m.parent is not null
      union all
      select m.key from merged join import_records m on m.import_id = ${of.id} and m.kind = 'ticket' and m.parent = merged.key
    )
    update import_records r set parent = null where r.import_id = ${of.id} and r.kind = 'ticket' and r.parent is not null
      and r.key not in (select key from merged) returning ${found}`.execute(tx);
  return rows;
}

/** Tickets whose number is taken, here or by an earlier ticket of the import, get a new one. Only for numbers that no new ticket can get. */
export async function forgetTakenNumbers(tx: TicketsTx, of: ImportKey, prefix: string, range: KeyRange): Promise<Found[]> {
  const { rows } = await sql<Found>`update import_records r set number = null where ${inRange(of, range)} and r.number is not null and (
      exists (select from tickets t where t.organization_id = ${of.organization_id}
        and t.ticket_number = ${prefix} || '-' || lpad(r.number::text, greatest(4, length(r.number::text)), '0'))
      or exists (select from import_records o where o.import_id = r.import_id and o.kind = 'ticket' and o.number = r.number
        and o.state is null and (o.created_at, o.position) < (r.created_at, r.position)))
    returning ${found}`.execute(tx);
  return rows;
}

// ---- batches --------------------------------------------------------------------------------------------------------

export type After = { created_at: string; position: number } | null;
/** A staged record of a batch. */
export type BatchRecord = Pick<ImportRecordRow, 'kind' | 'key' | 'parent' | 'position' | 'created_at' | 'number' | 'record_id'> & {
  data: Record<string, unknown>;
  place: Place;
};
const batchColumns = ['kind', 'key', 'parent', 'position', 'created_at', 'number', 'record_id', 'data', 'place'] as const;

/** The next records of a kind in the order of their creation. `state` null: those that are not created yet. */
export const nextRecords = (
  tx: TicketsTx,
  of: ImportKey,
  kind: RecordKind,
  after: After,
  limit: number,
  state: 'created' | null = null,
): Promise<BatchRecord[]> =>
  tx
    .selectFrom('import_records')
    .select(batchColumns)
    .where('import_id', '=', of.id)
    .where('kind', '=', kind)
    .where('state', state === null ? 'is' : '=', state as 'created')
    .$if(after !== null, (all) =>
      all.where(sql<boolean>`(created_at, position) > (${after?.created_at}::timestamptz, ${after?.position}::bigint)`),
    )
    .orderBy('created_at')
    .orderBy('position')
    .limit(limit)
    .execute();

/** What decides about a ticket, of each of its comments or timeline entries, in their order. */
export interface ChildSummary {
  key: string;
  parent: string;
  created_at: string;
  is_internal: boolean | null;
  author: 'customer' | 'teammate' | 'other' | null;
}

export async function summarizeChildren(
  tx: TicketsTx,
  of: ImportKey,
  kind: RecordKind,
  parents: readonly string[],
): Promise<ChildSummary[]> {
  const { rows } = await sql<ChildSummary>`
    select key, parent, created_at, (data->>'is_internal')::boolean as is_internal, data->'author'->>'kind' as author
    from import_records where import_id = ${of.id} and kind = ${kind} and parent = any(${parents}::text[]) and state is null
    order by parent, created_at, position`.execute(tx);
  return rows;
}

export async function countChildren(
  tx: TicketsTx,
  of: ImportKey,
  parents: readonly string[],
  kinds: readonly RecordKind[] = ['comment', 'history'],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ parent: string; count: number }>`select parent, count(*)::int as count from import_records
    where import_id = ${of.id} and kind = any(${kinds}::text[]) and parent = any(${parents}::text[])
    and state is null group by parent`.execute(tx);
  return new Map(rows.map(({ parent, count }) => [parent, count]));
}

export const findRecords = (tx: TicketsTx, of: ImportKey, kind: RecordKind, keys: readonly string[]): Promise<BatchRecord[]> =>
  tx
    .selectFrom('import_records')
    .select(batchColumns)
    .where('import_id', '=', of.id)
    .where('kind', '=', kind)
    .where('key', '=', sql<string>`any(${[...new Set(keys)]}::text[])`)
    .where((eb) => eb.or([eb('state', 'is', null), eb('state', 'in', ['created', 'existing'])]))
    .execute();

export interface Outcome {
  key: string;
  state: 'created' | 'existing' | 'failed';
  record_id: string | null;
  fingerprint?: string | null;
}

export async function saveOutcomes(tx: TicketsTx, of: ImportKey, kind: RecordKind, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`update import_records r set state = o.state, record_id = o.record_id, fingerprint = o.fingerprint
    from json_to_recordset(${JSON.stringify(outcomes)}::json) as o(key text, state text, record_id uuid, fingerprint text)
    where r.import_id = ${of.id} and r.kind = ${kind} and r.key = o.key`.execute(tx);
}

/** Sets the state of all children of tickets; returns their number. */
export async function saveChildren(
  tx: TicketsTx,
  of: ImportKey,
  kind: RecordKind,
  parents: readonly string[],
  state: Outcome['state'],
): Promise<number> {
  const { numAffectedRows } = await sql`update import_records set state = ${state} where import_id = ${of.id} and kind = ${kind}
    and parent = any(${parents}::text[]) and state is null`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function saveUndone(
  tx: TicketsTx,
  of: ImportKey,
  kind: RecordKind,
  keys: readonly string[],
  state: 'undone' | 'kept',
): Promise<void> {
  if (keys.length === 0) return;
  await sql`update import_records set state = ${state} where import_id = ${of.id} and kind = ${kind} and key = any(${keys}::text[])`.execute(
    tx,
  );
}

/** How many problems of an import can still be stored. */
export const storableProblems = (problems: Partial<Record<ImportProblemCode, number>>): number =>
  Math.max(0, importLimits.problems - Object.values(problems).reduce((sum, count) => sum + count, 0));
