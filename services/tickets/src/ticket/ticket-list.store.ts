import { isCustomFieldName, keyOfName, maxPageSize, totalCap, ticketStatuses, type TicketStatus } from '@tandem/contracts';
import { fixedQuery } from '@tandem/db';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { TicketRow, TicketsTx } from '../schema';
import { isResolvedOrClosed } from './ticket';
import { isByPeriod, isCovered, isIndexed, isSelective, toSql, type TicketSelection } from './ticket-filters';
import { isFieldValue, isStoredApart, type Condition, type FieldLookup, type FieldValue } from './ticket-condition';
import {
  dueFirst,
  newestFirst,
  noDueTime,
  oldestFirst,
  orderOf,
  updatedOldestFirst,
  type ListCursor,
  type ListOrder,
  type ListRow,
  type ListSort,
  type OrderKey,
  type PageRequest,
} from './ticket-order';
import { countByText, idsByText, searchCap } from './ticket-search.store';
import { assignee, qualified } from './ticket.store';
import { summaryFields } from './ticket-fields';

type Sql = RawBuilder<SqlBool>;
type Source = RawBuilder<TicketRow>;
const all = (conditions: Sql[]) => (conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`);

/** Must equal the expression of the index `tickets_by_due` (the baseline migration explains why it is not `coalesce`). */
const runningDue = sql`case when t.next_due_at is null then 'infinity'::timestamptz else t.next_due_at end`;
const keySql: Record<OrderKey, RawBuilder<unknown>> = {
  field: sql`t.sort_value`,
  created_at: sql`t.created_at`,
  updated_at: sql`t.updated_at`,
  changed_in: sql`t.changed_in`,
  rank: sql`t.priority_rank`,
  due: sql`case when t.status in ('resolved', 'closed') then 'infinity'::timestamptz else (${runningDue}) end`,
  id: sql`t.id`,
};
type Keys = Partial<Record<OrderKey, RawBuilder<unknown>>>;

const expression = (key: OrderKey, keys: Keys) => keys[key] ?? keySql[key];
const inOrder = ({ keys, direction }: ListOrder, named: Keys = {}) =>
  sql.join(keys.map((key) => sql`${expression(key, named)} ${sql.raw(direction)}`));

const keyTypes: Partial<Record<OrderKey, string>> = { id: 'uuid', rank: 'smallint', changed_in: 'bigint' };

/** A row comparison, which is a single range scan of the index with these keys. */
function afterCursor({ keys, direction }: ListOrder, cursor: ListCursor | undefined, named: Keys = {}): Sql[] {
  if (cursor === undefined) return [];
  const type = (key: OrderKey) => sql.raw(keyTypes[key] ?? 'timestamptz');
  const values = keys.map((key, i) => sql`${cursor[i]}::${type(key)}`);
  const operator = sql.raw(direction === 'desc' ? '<' : '>');
  return [sql`(${sql.join(keys.map((key) => expression(key, named)))}) ${operator} (${sql.join(values)})`];
}

interface Entries {
  table: 'ticket_tags' | 'ticket_field_values';
  /** One condition on the table `g` per value. */
  each: Sql[];
}

/** The conditions that decide how to read the rows, and all others. */
interface Parts {
  statuses: readonly TicketStatus[] | undefined;
  ranks: readonly number[] | undefined;
  /** The tags, or the values of a custom field, of which a ticket must have one: an index has them by age. */
  entries: Entries | undefined;
  created: Condition[];
  others: Condition[];
}
const separate: readonly Condition['column'][] = ['status', 'priority_rank', 'tags', 'created_at'];
const isSeparate = ({ column, is }: Condition): boolean => separate.includes(column) && is !== 'not_within';
function partsOf({ conditions }: TicketSelection): Parts {
  const valuesOf = (name: Condition['column']) =>
    conditions.flatMap((each) => (each.column === name && isSeparate(each) && 'values' in each ? [each.values] : []))[0];
  const tags = valuesOf('tags') as string[] | undefined;
  const field = tags ? undefined : conditions.find(isFieldValue);
  return {
    statuses: valuesOf('status') as TicketStatus[] | undefined,
    ranks: valuesOf('priority_rank') as number[] | undefined,
    entries: tags ? { table: 'ticket_tags', each: tags.map((tag) => sql<SqlBool>`g.tag = ${tag}`) } : field && entriesOf(field),
    created: conditions.filter(({ column }) => column === 'created_at'),
    others: conditions.filter((each) => !isSeparate(each) && each !== field),
  };
}
const entriesOf = ({ key, values }: FieldValue): Entries => ({
  table: 'ticket_field_values',
  each: values.map((value) => sql<SqlBool>`(g.key = ${key} and g.value = ${value})`),
});
const toSqls = (conditions: readonly Condition[], column?: RawBuilder<unknown>): Sql[] =>
  conditions.map((condition) => toSql(condition, column));

/**
 * With an hour of a weekday, finds the tickets by these hours, week by week: reading all tickets of the range would take as long as the range.
 * Up to two hours more on both sides, because the clocks may change; the conditions themselves still apply.
 */
function inHourOfWeek(conditions: readonly Condition[]): Sql[] {
  const valueOf = (is: Condition['is']) =>
    conditions.flatMap((each) => (each.column === 'created_at' && each.is === is && 'value' in each ? [each.value] : []))[0];
  const [weekday, hour] = [valueOf('in_weekday'), valueOf('in_hour')];
  if (weekday === undefined || hour === undefined) return [];
  const start = sql`coalesce(${valueOf('at_least') ?? null}::timestamptz, (select min(c.created_at) from tickets c))`;
  const end = sql`coalesce(${valueOf('below') ?? null}::timestamptz, (select max(c.created_at) from tickets c))`;
  const offset = sql`make_interval(days => ${Number(weekday) - 8}, hours => ${Number(hour)})`;
  return [
    sql`t.id = any(array(select c.id from organizations o,
      generate_series(date_trunc('week', ${start} at time zone o.time_zone) + ${offset}, ${end} at time zone o.time_zone + interval '1 day',
        interval '7 days') hour,
      lateral (select c.id from tickets c where c.created_at >= hour at time zone o.time_zone - interval '2 hours'
        and c.created_at < hour at time zone o.time_zone + interval '3 hours' offset 0) c))`,
  ];
}

const isByAge = (sort: ListSort) => sort === 'newest' || sort === 'oldest';

/** Columns that list rows need, those for sorting, and `imported_at` for `isUnread`. */
const columns = sql.join(
  ['organization_id', ...summaryFields, 'description_preview', 'priority_rank', 'changed_in', 'imported_at'].map((column) =>
    sql.ref(`t.${column}`),
  ),
);

/**
 * The first rows, in the given order, of the tickets that match any of the disjoint branches: takes the first rows of each branch, then the
 * first of those. Each branch has its own `order by` and `limit`, because under row-level security PostgreSQL does not merge them in index
 * order.
 */
function merged(branches: Sql[][], order: ListOrder, limit: number, skip: number, keys: Keys = {}): Source {
  const part = (branch: Sql[], rows: number, from: number) => sql`
    select ${columns} from tickets t where ${all(branch)} order by ${inOrder(order, keys)} limit ${rows} offset ${from}`;
  if (branches.length === 1) return sql`(${part(branches[0]!, limit, skip)})`;
  return sql`(
    select * from (${sql.join(
      branches.map((branch) => sql`(${part(branch, limit + skip, 0)})`),
      sql` union all `,
    )}) t
    order by ${inOrder(order, keys)} limit ${limit} offset ${skip})`;
}

/**
 * The rows of one page, as a table. A filter by status or priority, and a sort order whose index starts with the status, become one branch
 * per value: an index returns rows in order only if the columns before the sort keys each equal a single value, and the planner does not
 * split lists of values. All other filters apply within each branch, where the planner chooses between the index of the order and that of
 * the filter: both are equalities on text or uuid, for which it may use statistics even under row-level security.
 */
function pageOf(selection: TicketSelection, request: PageRequest): Source {
  const { sort, after, skip, rows } = request;
  const { conditions } = selection;
  const { statuses, ranks } = partsOf(selection);
  const order = orderOf(sort);
  if (sort === 'updated_oldest') return merged([[...toSqls(conditions), ...committed(selection, after)]], order, rows, skip);
  const byHour = inHourOfWeek(conditions);
  if (byHour.length > 0 || conditions.some((each) => isSelective(each) || isByPeriod(each)))
    return merged([[...toSqls(conditions), ...byHour, ...afterCursor(order, after)]], order, rows, skip);

  if (isByAge(sort) && isCovered(conditions)) {
    const ids = sql<{ id: string }>`(select t.id from tickets t where ${all([...toSqls(conditions), ...afterCursor(order, after)])}
      order by ${inOrder(order)} limit ${rows} offset ${skip})`;
    return rowsOf(ids, { ...request, after: undefined, skip: 0 });
  }

  const withRank = toSqls(conditions.filter(({ column }) => column === 'priority_rank'));
  const others = toSqls(conditions.filter(({ column }) => column !== 'status' && column !== 'priority_rank'));
  const hasOwnIndex = conditions.some(isIndexed);
  const isPlain = isByAge(sort) && !statuses && !ranks && !hasOwnIndex;
  if (isPlain) return merged([[...others, ...afterCursor(order, after)]], order, rows, skip);

  const perRank = ranks && !hasOwnIndex && (isByAge(sort) || sort === 'priority');
  const rankParts: Sql[][] = perRank ? ranks.map((rank) => [sql`t.priority_rank = ${rank}::smallint`]) : [withRank];
  const branchesOf = (wanted: readonly TicketStatus[], cursor: Sql[]) =>
    wanted.flatMap((status) => rankParts.map((rank) => [sql<SqlBool>`t.status = ${status}`, ...rank, ...others, ...cursor]));
  const wanted = statuses ?? ticketStatuses;
  if (sort !== 'due') return merged(branchesOf(wanted, afterCursor(order, after)), order, rows, skip);
  return byDue(wanted, branchesOf, request);
}

/**
 * The changes of all transactions before the oldest one that is still open. All of them have ended, and every later transaction has a
 * higher number, so nothing will ever be written before the end of a page. The first page begins at the earliest change to the tickets that
 * were updated since the requested time, because reading the index from its beginning could pass many others. `+ 0` keeps the planner from
 * finding that minimum in the same way.
 */
function committed({ conditions }: TicketSelection, after: ListCursor | undefined): Sql[] {
  const isOver = sql<SqlBool>`t.changed_in < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;
  const since = toSqls(conditions.filter(({ column }) => column === 'updated_at'));
  if (after || since.length === 0) return [isOver, ...afterCursor(updatedOldestFirst, after)];
  const anyStatus = sql<SqlBool>`t.status = any(${ticketStatuses}::text[])`;
  return [isOver, sql<SqlBool>`t.changed_in >= (select min(t.changed_in + 0) from tickets t where ${all([anyStatus, ...since])})`];
}

/** Whether a cursor of `updated_oldest` is from another server than this one, from which the database was restored: nothing would follow it. */
export async function isFromFuture(tx: TicketsTx, after: ListCursor): Promise<boolean> {
  const { rows } = await sql<{ next: number }>`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`.execute(tx);
  return Number(after[0]) >= rows[0]!.next;
}

/** Open tickets come from the index of due times. Closed ones have no due time, so they follow, by age. Each part supplies a full page. */
function byDue(
  wanted: readonly TicketStatus[],
  branchesOf: (wanted: readonly TicketStatus[], cursor: Sql[]) => Sql[][],
  { after, skip, rows }: PageRequest,
): Source {
  const running = wanted.filter((status) => !isResolvedOrClosed(status));
  const over = wanted.filter(isResolvedOrClosed);
  const keys = { due: sql`(${runningDue})` };
  const cursor = after?.[0] === noDueTime ? after.slice(1) : undefined;
  const parts = [
    ...(running.length > 0 ? [merged(branchesOf(running, afterCursor(dueFirst, after, keys)), dueFirst, rows + skip, 0, keys)] : []),
    ...(over.length > 0 ? [merged(branchesOf(over, afterCursor(oldestFirst, cursor)), oldestFirst, rows + skip, 0)] : []),
  ];
  return sql<TicketRow>`(select * from (${sql.join(parts, sql` union all `)}) t order by ${inOrder(dueFirst)} limit ${rows} offset ${skip})`;
}

/** By value and age, from the rows of the tags or of a field's values, which have both. A ticket with several of the values appears once. */
function pageByEntries(selection: TicketSelection, { table, each }: Entries, { sort, after, skip, rows }: PageRequest) {
  const order = orderOf(sort);
  const keys = { created_at: sql`g.created_at`, id: sql`g.ticket_id` };
  const parts = partsOf(selection);
  const others = toSqls([...parts.others, ...selection.conditions.filter(({ column }) => column === 'priority_rank')]);
  const shared = [...toSqls(parts.created, keys.created_at), ...afterCursor(order, after, keys)];
  const source =
    others.length > 0
      ? sql`${sql.table(table)} g join tickets t on t.organization_id = g.organization_id and t.id = g.ticket_id`
      : sql`${sql.table(table)} g`;
  const branches = each.flatMap((entry) =>
    (parts.statuses ?? ticketStatuses).map((status) => {
      const conditions = [entry, sql<SqlBool>`g.status = ${status}`, ...shared, ...others];
      return sql`(select g.created_at, g.ticket_id from ${source} where ${all(conditions)}
        order by ${inOrder(order, keys)} limit ${rows + skip})`;
    }),
  );
  return sql<{ id: string }>`(select g.ticket_id as id from (${sql.join(branches, sql` union all `)}) g
    group by g.created_at, g.ticket_id order by ${inOrder(order, keys)} limit ${rows} offset ${skip})`;
}

/**
 * Whether there is something that the reader has not seen. A resolved or closed ticket that they never opened counts as read, and so does
 * one that is older than `unread_since`, or without news since its import. Subqueries rather than joins: the read position is looked up by
 * the whole primary key, once per row of the page; a join could read all positions of the reader, because the statistics do not show how
 * many there are. Without a reader, no ticket is unread.
 */
const isUnread = (reader: string | null) =>
  sql<boolean>`coalesce(coalesce(t.last_comment_at, t.created_at) > coalesce(
    (select r.read_until from ticket_reads r
      where r.organization_id = t.organization_id and r.user_id = ${reader}::uuid and r.ticket_id = t.id),
    case when t.status in ('resolved', 'closed') then 'infinity'
      else greatest((select m.unread_since from members m where m.user_id = ${reader}::uuid), t.imported_at) end), false)`;

const withRows = (tx: TicketsTx, page: Source, sort: ListSort, reader: string | null) =>
  tx
    .selectFrom(page.as<'t'>(sql`t`))
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 't.organization_id').onRef('m.user_id', '=', 't.assigned_to'))
    .select(qualified(summaryFields))
    .select(['t.description_preview', 't.changed_in', assignee])
    .select(isUnread(reader).as('is_unread'))
    .$if(isCustomFieldName(sort), (query) => query.select(sql<string | number | null>`t.sort_value`.as('sort_value')))
    .orderBy(inOrder(orderOf(sort)));

const isByText = (selection: TicketSelection): selection is TicketSelection & { search: string } => selection.search !== undefined;

/** The rows for a set of ids; `request` only applies if there are more than one page. */
const rowsOf = (ids: RawBuilder<{ id: string }>, { sort, after, skip, rows }: PageRequest): Source => sql<TicketRow>`(
  select ${columns} from tickets t where t.id in (select id from ${ids} found) and ${all(afterCursor(orderOf(sort), after))}
  order by ${inOrder(orderOf(sort))} limit ${rows} offset ${skip})`;

export const selectTickets = (tx: TicketsTx, selection: TicketSelection, request: PageRequest) =>
  withRows(tx, sourceOf(selection, request), request.sort, request.reader);

/** So many tickets with a value are read one by one and sorted. With more, a list in its own order soon finds a page of them. */
const narrowLimit = 2_000;

/** The selection limited to the tickets that an index finds by a custom field, if they are few. A list by age reads values in its own order. */
export async function narrowed(tx: TicketsTx, selection: TicketSelection, sort: ListSort): Promise<TicketSelection> {
  const field = selection.conditions.find(isStoredApart);
  const isReadByAge = isByAge(sort) && !isByText(selection) && partsOf(selection).entries !== undefined;
  if (!field || isReadByAge || selection.conditions.some(isSelective)) return selection;
  const ids = await idsOfFew(tx, field);
  if (ids === null) return selection;
  return { ...selection, conditions: [...selection.conditions, { column: 'id', is: 'any_of', values: ids }] };
}

/** The tickets that an index finds by a custom field; null if they are too many, whose ids are then not sent here. */
async function idsOfFew(tx: TicketsTx, field: FieldLookup): Promise<string[] | null> {
  const { rows } = await sql<{ ids: string[] | null }>`
    select case when count(*) <= ${narrowLimit} then coalesce(array_agg(distinct f.ticket_id), '{}') end as ids
    from (
      select v.ticket_id from ticket_field_values v where v.key = ${field.key} and ${lookupOf(field)} limit ${narrowLimit + 1} offset 0
    ) f`.execute(tx);
  return rows[0]!.ids;
}

function lookupOf(field: FieldLookup): Sql {
  switch (field.is) {
    case 'includes_any_of':
    case 'includes_all_of':
      return sql`v.value = any(${field.values}::text[])`;
    case 'number_equal':
      return sql`v.number = ${field.value}::float8`;
    case 'number_at_least':
      return sql`v.number >= ${field.value}::float8`;
    case 'number_at_most':
      return sql`v.number <= ${field.value}::float8`;
    case 'date_at_least':
      return sql`v.value >= ${field.value}`;
    case 'date_at_most':
      return sql`v.value <= ${field.value}`;
  }
}

/** The order is total, so a cursor neither repeats nor skips tickets that existed at its start and did not change their position. */
export async function findTickets(tx: TicketsTx, selection: TicketSelection, request: PageRequest): Promise<ListRow[]> {
  return selectTickets(tx, selection, request).execute();
}

/**
 * The first page of all tickets, or of one customer's, as a statement that PostgreSQL plans once. It needs a limit that is known when it plans:
 * for a parameter PostgreSQL assumes a tenth of all rows, so a plan for all values seems more expensive than one for these values, and it
 * plans the query again at each call, which takes twice as long as running it.
 */
function firstPage(tx: TicketsTx, rows: number, reader: string | null, conditions: Sql[]) {
  const newest = sql`(select ${columns} from tickets t where ${all(conditions)}
    order by ${inOrder(newestFirst)} limit ${sql.lit(maxPageSize + 1)})`;
  return withRows(tx, sql<TicketRow>`(select * from ${newest} t limit ${rows})`, 'newest', reader);
}

const newestTickets = fixedQuery((tx: TicketsTx, rows: number, reader: string | null) =>
  // Each number is that of a ticket, or counted as unused, so the total is known without counting.
  firstPage(tx, rows, reader, []).select(sql<number>`(select c.last_number - c.unused_numbers from ticket_counters c)`.as('total')),
);
const newestOfCustomer = fixedQuery((tx: TicketsTx, rows: number, reader: string | null, customer_email: string) =>
  firstPage(tx, rows, reader, [sql<SqlBool>`t.customer_email = ${customer_email}`]),
);

/** Whether `findFirstPage` reads these tickets: all of an organization, or those of one customer. */
export function hasFixedFirstPage({ search, conditions }: TicketSelection): boolean {
  const [condition, ...others] = conditions;
  return search === undefined && others.length === 0 && (condition === undefined || customerIn(condition) !== undefined);
}
/** Whether a search is one statement for all words and filters, which are an argument of the function that finds the tickets. */
export const hasFixedSearch = ({ search, conditions }: TicketSelection, sort: ListSort): boolean =>
  search !== undefined && isByAge(sort) && !conditions.some(isStoredApart);
const customerIn = (condition: Condition | undefined): string | undefined =>
  condition?.column === 'customer_email' && condition.is === 'equal' ? condition.value : undefined;

/** The newest tickets (`rows`: at most one more than a page), and the number of all if it is known without counting. */
export async function findFirstPage(
  tx: TicketsTx,
  { conditions: [condition] }: TicketSelection,
  { rows, reader }: Pick<PageRequest, 'rows' | 'reader'>,
): Promise<{ rows: ListRow[]; total: number | undefined }> {
  const customer = customerIn(condition);
  if (customer !== undefined) return { rows: (await tx.executeQuery(newestOfCustomer(tx, rows, reader, customer))).rows, total: undefined };
  const { rows: found } = await tx.executeQuery(newestTickets(tx, rows, reader));
  const total = found[0]?.total;
  return { rows: found.map((row) => Object.assign(row, { total: undefined })), total };
}

/** By a custom field: the tickets with a value in the order of its index, then those without one, by age. Each part supplies a full page. */
function byField(conditions: Sql[], key: string, { after, skip, rows, byNumber = false }: PageRequest): Source {
  const value = byNumber ? sql`g.number` : sql`g.value`;
  const [last, id] = after ?? [];
  const isWith = (table: RawBuilder<unknown>) =>
    sql<SqlBool>`${table}.key = ${key} and ${byNumber ? sql`${table}.number is not null` : sql`true`}`;
  const next =
    after === undefined ? [] : [sql<SqlBool>`(${value}, g.ticket_id) > (${byNumber ? sql`${last}::float8` : last}, ${id}::uuid)`];
  const withValue = sql`(select ${columns}, ${value} as sort_value
    from ticket_field_values g join tickets t on t.organization_id = g.organization_id and t.id = g.ticket_id
    where ${all([isWith(sql`g`), ...next, ...conditions])} order by ${value}, g.ticket_id limit ${rows + skip})`;
  const afterId = last === null ? [sql<SqlBool>`t.id > ${id}::uuid`] : [];
  const without = sql`(select ${columns}, null as sort_value from tickets t
    where ${all([sql`not exists (select from ticket_field_values v where v.organization_id = t.organization_id and v.ticket_id = t.id and ${isWith(sql`v`)})`, ...afterId, ...conditions])}
    order by t.id limit ${rows + skip})`;
  const parts = last === null ? [without] : [withValue, without];
  return sql<TicketRow>`(select * from (${sql.join(parts, sql` union all `)}) t order by t.sort_value, t.id limit ${rows} offset ${skip})`;
}

function sourceOf(selection: TicketSelection, request: PageRequest): Source {
  if (isCustomFieldName(request.sort)) {
    const found = isByText(selection)
      ? [
          sql<SqlBool>`t.id in (select id from ${idsByText(selection, { ...request, sort: 'newest', after: undefined, skip: 0, rows: searchCap })} found)`,
        ]
      : [];
    return byField([...toSqls(selection.conditions), ...found], keyOfName(request.sort), request);
  }
  const whole = { ...request, after: undefined, skip: 0 };
  if (isByText(selection)) {
    if (isByAge(request.sort)) return rowsOf(idsByText(selection, request), whole);
    return rowsOf(idsByText(selection, { ...request, sort: 'newest', after: undefined, skip: 0, rows: searchCap }), request);
  }
  const { entries } = partsOf(selection);
  if (entries && isByAge(request.sort) && !selection.conditions.some(isSelective))
    return rowsOf(pageByEntries(selection, entries, request), whole);
  return pageOf(selection, request);
}

/** The number of matching tickets, counted up to `rows`. */
export async function countTickets(tx: TicketsTx, selection: TicketSelection, rows = totalCap + 1): Promise<number> {
  if (isByText(selection)) return countByText(tx, selection, rows);
  if (selection.conditions.length === 0) {
    // As in `newestTickets`.
    const counter = await tx.selectFrom('ticket_counters').select(['last_number', 'unused_numbers']).executeTakeFirst();
    return counter ? counter.last_number - counter.unused_numbers : 0;
  }
  const { rows: counted } = await sql<{
    total: number;
  }>`select count(*) as total from ${matchingTickets(selection, rows)} as counted`.execute(tx);
  return counted[0]?.total ?? 0;
}

/** At most `rows` matches in any order, for counting. */
export function matchingTickets(selection: TicketSelection, rows: number): RawBuilder<unknown> {
  const { conditions } = selection;
  const { statuses, ranks, entries, created, others } = partsOf(selection);
  if (entries && others.length === 0 && !ranks) {
    const tagged = [sql<SqlBool>`(${sql.join(entries.each, sql` or `)})`, ...toSqls(created, sql`g.created_at`)];
    if (statuses) tagged.push(sql`g.status = any(${statuses}::text[])`);
    const distinct = entries.each.length > 1 ? sql`distinct g.ticket_id` : sql`1`;
    return sql`(select ${distinct} from ${sql.table(entries.table)} g where ${all(tagged)} limit ${rows})`;
  }
  const lookup = conditions.find(isStoredApart);
  if (lookup && conditions.every((each) => each === lookup || each.column === 'status') && !lookup.is.startsWith('includes')) {
    const status = statuses ? [sql<SqlBool>`v.status = any(${statuses}::text[])`] : [];
    return sql`(select 1 from ticket_field_values v where ${all([sql`v.key = ${lookup.key}`, lookupOf(lookup), ...status])} limit ${rows})`;
  }
  const isPartial = ({ column, is }: Condition) =>
    column === 'task' || column === 'task_finished_at' || (column === 'snoozed_at' && is === 'not_null');
  if (conditions.some(isPartial) && !conditions.some(isSelective)) {
    const rest = conditions.filter(({ column }) => column !== 'status');
    return inIndexOrder(toSqls(rest), statuses ?? ticketStatuses, rows);
  }
  const wanted = [...toSqls(conditions), ...inHourOfWeek(conditions)];
  // With a priority or a time of the last change, list all statuses: their indexes have the status before them.
  const isAfterStatus = ranks !== undefined || conditions.some(({ column }) => column === 'updated_at');
  if (isAfterStatus && !statuses) wanted.push(sql`t.status = any(${ticketStatuses}::text[])`);
  return sql`(select 1 from tickets t where ${all(wanted)} limit ${rows})`;
}

/**
 * Counts in the order of the partial indexes of tasks and snoozed tickets, although no order is needed. The statistics cover all organizations and do not show how many
 * tickets of this one have a task or are snoozed; without an order the planner scans the table, expecting to reach the limit soon.
 */
function inIndexOrder(conditions: Sql[], statuses: readonly TicketStatus[], rows: number): RawBuilder<unknown> {
  const branches = statuses.map(
    (status) => sql`(select 1 from tickets t where ${all([sql`t.status = ${status}`, ...conditions])}
      order by ${inOrder(newestFirst)} limit ${rows})`,
  );
  return sql`(select 1 from (${sql.join(branches, sql` union all `)}) t limit ${rows})`;
}
