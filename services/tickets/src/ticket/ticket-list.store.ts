import {
  totalCap,
  ticketStatuses,
  type TaskFilter,
  type TicketPriority,
  type TicketSort,
  type TicketStatus,
  type TicketSummary,
} from '@tandem/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { TicketRow, TicketsTx } from '../schema';
import { isResolvedOrClosed } from './ticket';
import { noDueTime, orders, priorityRank, type ListOrder, type ListCursor, type OrderKey } from './ticket-order';
import { countByText, idsByText, searchCap } from './ticket-search.store';
import type { PageRequest, TicketSelection } from './ticket-selection';
import { assignee, qualified } from './ticket.store';
import { summaryFields } from './ticket-fields';

type Condition = RawBuilder<SqlBool>;
type Source = RawBuilder<TicketRow>;
const all = (conditions: Condition[]) => (conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`);

/** Must equal the expression of the index `tickets_by_due` (0005 explains why it is not `coalesce`). */
const runningDue = sql`case when t.next_due_at is null then 'infinity'::timestamptz else t.next_due_at end`;
const keySql: Record<OrderKey, RawBuilder<unknown>> = {
  created_at: sql`t.created_at`,
  updated_at: sql`t.updated_at`,
  rank: sql`t.priority_rank`,
  due: sql`case when t.status in ('resolved', 'closed') then 'infinity'::timestamptz else (${runningDue}) end`,
  id: sql`t.id`,
};
type Keys = Partial<Record<OrderKey, RawBuilder<unknown>>>;

const expression = (key: OrderKey, keys: Keys) => keys[key] ?? keySql[key];
const inOrder = ({ keys, direction }: ListOrder, named: Keys = {}) =>
  sql.join(keys.map((key) => sql`${expression(key, named)} ${sql.raw(direction)}`));

/** A row comparison, which is a single range scan of the index with these keys. */
function afterCursor({ keys, direction }: ListOrder, place: ListCursor | undefined, named: Keys = {}): Condition[] {
  if (place === undefined) return [];
  const type = (key: OrderKey) => sql.raw(key === 'id' ? 'uuid' : key === 'rank' ? 'smallint' : 'timestamptz');
  const values = keys.map((key, i) => sql`${place[i]}::${type(key)}`);
  const operator = sql.raw(direction === 'desc' ? '<' : '>');
  return [sql`(${sql.join(keys.map((key) => expression(key, named)))}) ${operator} (${sql.join(values)})`];
}

const createdWithin = ({ created_from, created_to }: TicketSelection, column: RawBuilder<unknown>): Condition[] => [
  ...(created_from === undefined ? [] : [sql<SqlBool>`${column} >= ${created_from}::timestamptz`]),
  ...(created_to === undefined ? [] : [sql<SqlBool>`${column} < ${created_to}::timestamptz`]),
];

/** Must equal the conditions of their three indexes (0013). */
const taskIs: Record<TaskFilter, Condition> = {
  linked: sql`t.task is not null`,
  unlinked: sql`t.task is null`,
  finished: sql`t.task_finished_at is not null`,
};

/** All filters except status, priority, tags and time. */
function narrowed(selection: TicketSelection): Condition[] {
  const { assignee: who, category, task, customer_email, ids } = selection;
  return [
    ...(who === null ? [sql<SqlBool>`t.assigned_to is null`] : []),
    ...(typeof who === 'string' ? [sql<SqlBool>`t.assigned_to = ${who}::uuid`] : []),
    ...(category === undefined ? [] : [sql<SqlBool>`t.category = ${category}`]),
    ...(task === undefined ? [] : [taskIs[task]]),
    ...(customer_email === undefined ? [] : [sql<SqlBool>`t.customer_email = ${customer_email}`]),
    ...(ids === undefined ? [] : [sql<SqlBool>`t.id = any(${ids}::uuid[])`]),
  ];
}
const statusIn = (statuses: TicketStatus[] | undefined): Condition[] => (statuses ? [sql`t.status = any(${statuses}::text[])`] : []);
const rankIn = (priorities: TicketPriority[] | undefined): Condition[] =>
  priorities ? [sql`t.priority_rank = any(${priorities.map(priorityRank)}::smallint[])`] : [];
const taggedAny = (tags: string[] | undefined): Condition[] =>
  tags
    ? [
        sql`exists (select from ticket_tags g where g.organization_id = t.organization_id and g.ticket_id = t.id and g.tag = any(${tags}::text[]))`,
      ]
    : [];

const isByAge = (sort: TicketSort) => sort === 'newest' || sort === 'oldest';

/** Columns that list rows need, and those for sorting. */
const columns = sql.join(
  ['organization_id', ...summaryFields, 'description_preview', 'priority_rank'].map((column) => sql.ref(`t.${column}`)),
);

/**
 * The first rows, in the given order, of the tickets that match any of the disjoint branches: takes the first rows of each branch, then the
 * first of those. Each branch has its own `order by` and `limit`, because under row-level security PostgreSQL does not merge them in index
 * order.
 */
function merged(branches: Condition[][], order: ListOrder, limit: number, skip: number, keys: Keys = {}): Source {
  const part = (branch: Condition[], rows: number, from: number) => sql`
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
function pageOf(selection: TicketSelection, slice: PageRequest): Source {
  const { sort, after, skip, rows } = slice;
  const { statuses, priorities } = selection;
  const order = orders[sort];
  const others = [...narrowed(selection), ...createdWithin(selection, sql`t.created_at`), ...taggedAny(selection.tags)];
  if (selection.ids || selection.customer_email !== undefined) {
    // Few matches by nature: found through their own index, then sorted.
    return merged([[...others, ...statusIn(statuses), ...rankIn(priorities), ...afterCursor(order, after)]], order, rows, skip);
  }
  const hasOwnIndex = selection.assignee !== undefined || selection.category !== undefined || selection.task !== undefined;
  const isPlain = isByAge(sort) && !statuses && !priorities && !hasOwnIndex;
  if (isPlain) return merged([[...others, ...afterCursor(order, after)]], order, rows, skip);

  const perRank = priorities && !hasOwnIndex && (isByAge(sort) || sort === 'priority');
  const ranks: Condition[][] = perRank
    ? priorities.map((priority) => [sql`t.priority_rank = ${priorityRank(priority)}::smallint`])
    : [rankIn(priorities)];
  const branchesOf = (wanted: readonly TicketStatus[], place: Condition[]) =>
    wanted.flatMap((status) => ranks.map((rank) => [sql<SqlBool>`t.status = ${status}`, ...rank, ...others, ...place]));
  const wanted = statuses ?? ticketStatuses;
  if (sort !== 'due') return merged(branchesOf(wanted, afterCursor(order, after)), order, rows, skip);
  return byDue(wanted, branchesOf, slice);
}

/** Open tickets come from the index of due times. Closed ones have no due time, so they follow, by age. Each part supplies a full page. */
function byDue(
  wanted: readonly TicketStatus[],
  branchesOf: (wanted: readonly TicketStatus[], place: Condition[]) => Condition[][],
  { after, skip, rows }: PageRequest,
): Source {
  const running = wanted.filter((status) => !isResolvedOrClosed(status));
  const over = wanted.filter(isResolvedOrClosed);
  const keys = { due: sql`(${runningDue})` };
  const cursor = after?.[0] === noDueTime ? after.slice(1) : undefined;
  const parts = [
    ...(running.length > 0 ? [merged(branchesOf(running, afterCursor(orders.due, after, keys)), orders.due, rows + skip, 0, keys)] : []),
    ...(over.length > 0 ? [merged(branchesOf(over, afterCursor(orders.oldest, cursor)), orders.oldest, rows + skip, 0)] : []),
  ];
  return sql<TicketRow>`(select * from (${sql.join(parts, sql` union all `)}) t order by ${inOrder(orders.due)} limit ${rows} offset ${skip})`;
}

/** By tag and age, from the tag rows, which have both. A ticket with several of the tags appears once. */
function taggedPage(selection: TicketSelection & { tags: string[] }, { sort, after, skip, rows }: PageRequest) {
  const order = orders[sort];
  const keys = { created_at: sql`g.created_at`, id: sql`g.ticket_id` };
  const others = [...narrowed(selection), ...rankIn(selection.priorities)];
  const shared = [...createdWithin(selection, sql`g.created_at`), ...afterCursor(order, after, keys)];
  const source =
    others.length > 0
      ? sql`ticket_tags g join tickets t on t.organization_id = g.organization_id and t.id = g.ticket_id`
      : sql`ticket_tags g`;
  const branches = selection.tags.flatMap((tag) =>
    (selection.statuses ?? ticketStatuses).map((status) => {
      const conditions = [sql<SqlBool>`g.tag = ${tag}`, sql<SqlBool>`g.status = ${status}`, ...shared, ...others];
      return sql`(select g.created_at, g.ticket_id from ${source} where ${all(conditions)}
        order by ${inOrder(order, keys)} limit ${rows + skip})`;
    }),
  );
  return sql<{ id: string }>`(select g.ticket_id as id from (${sql.join(branches, sql` union all `)}) g
    group by g.created_at, g.ticket_id order by ${inOrder(order, keys)} limit ${rows} offset ${skip})`;
}

const withRows = (tx: TicketsTx, page: Source, sort: TicketSort) =>
  tx
    .selectFrom(page.as<'t'>(sql`t`))
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 't.organization_id').onRef('m.user_id', '=', 't.assigned_to'))
    .select(qualified(summaryFields))
    .select(['t.description_preview', assignee])
    .orderBy(inOrder(orders[sort]));

const isTagged = (selection: TicketSelection): selection is TicketSelection & { tags: string[] } => selection.tags !== undefined;
const isByText = (selection: TicketSelection): selection is TicketSelection & { search: string } => selection.search !== undefined;

/** The rows for a set of ids; `slice` only applies if there are more than one page. */
const rowsOf = (ids: RawBuilder<{ id: string }>, { sort, after, skip, rows }: PageRequest): Source => sql<TicketRow>`(
  select ${columns} from tickets t where t.id in (select id from ${ids} found) and ${all(afterCursor(orders[sort], after))}
  order by ${inOrder(orders[sort])} limit ${rows} offset ${skip})`;

/** The order is total, so a cursor neither repeats nor skips tickets that existed at its start and did not change their position. */
export async function findTickets(tx: TicketsTx, selection: TicketSelection, slice: PageRequest): Promise<TicketSummary[]> {
  return withRows(tx, sourceOf(selection, slice), slice.sort).execute();
}

function sourceOf(selection: TicketSelection, slice: PageRequest): Source {
  const whole = { ...slice, after: undefined, skip: 0 };
  if (isByText(selection)) {
    if (isByAge(slice.sort)) return rowsOf(idsByText(selection, slice), whole);
    return rowsOf(idsByText(selection, { sort: 'newest', after: undefined, skip: 0, rows: searchCap }), slice);
  }
  const isNarrow = selection.ids !== undefined || selection.customer_email !== undefined;
  if (isTagged(selection) && isByAge(slice.sort) && !isNarrow) return rowsOf(taggedPage(selection, slice), whole);
  return pageOf(selection, slice);
}

/** The number of matchingTickets tickets, counted up to `rows`. */
export async function countTickets(tx: TicketsTx, selection: TicketSelection, rows = totalCap + 1): Promise<number> {
  if (isByText(selection)) return countByText(tx, selection, rows);
  if (Object.values(selection).every((value) => value === undefined)) {
    // All tickets: numbers have no gaps and tickets are never deleted, so the last number is the count.
    const counter = await tx.selectFrom('ticket_counters').select('last_number').executeTakeFirst();
    return counter?.last_number ?? 0;
  }
  const { rows: counted } = await sql<{
    total: number;
  }>`select count(*) as total from ${matchingTickets(selection, rows)} as counted`.execute(tx);
  return counted[0]?.total ?? 0;
}

/** At most `rows` matches in any order, for counting. */
export function matchingTickets(selection: TicketSelection, rows: number): RawBuilder<unknown> {
  const { statuses, priorities, tags } = selection;
  const others = narrowed(selection);
  const isNarrow = selection.ids !== undefined || selection.customer_email !== undefined;
  if (tags && others.length === 0 && !priorities && !isNarrow) {
    const conditions = [sql<SqlBool>`g.tag = any(${tags}::text[])`, ...createdWithin(selection, sql`g.created_at`)];
    if (statuses) conditions.push(sql`g.status = any(${statuses}::text[])`);
    const distinct = tags.length > 1 ? sql`distinct g.ticket_id` : sql`1`;
    return sql`(select ${distinct} from ticket_tags g where ${all(conditions)} limit ${rows})`;
  }
  const conditions = [...others, ...createdWithin(selection, sql`t.created_at`), ...taggedAny(tags), ...rankIn(priorities)];
  if (selection.task && !isNarrow) return inIndexOrder(conditions, statuses ?? ticketStatuses, rows);
  // With a priority, list all statuses: the index with the priority has the status before it.
  conditions.push(...statusIn(statuses ?? (priorities ? [...ticketStatuses] : undefined)));
  return sql`(select 1 from tickets t where ${all(conditions)} limit ${rows})`;
}

/**
 * Counts in the order of the task indexes, although no order is needed. The statistics cover all organizations and do not show how many
 * tickets of this one have a task; without an order the planner scans the table, expecting to reach the limit soon.
 */
function inIndexOrder(conditions: Condition[], statuses: readonly TicketStatus[], rows: number): RawBuilder<unknown> {
  const branches = statuses.map(
    (status) => sql`(select 1 from tickets t where ${all([sql`t.status = ${status}`, ...conditions])}
      order by ${inOrder(orders.newest)} limit ${rows})`,
  );
  return sql`(select 1 from (${sql.join(branches, sql` union all `)}) t limit ${rows})`;
}
