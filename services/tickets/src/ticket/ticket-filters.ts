import { anonymizedTicket, AppError, type Context, type TicketFilter } from '@tandem/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { PlainColumn, Condition, RelatedRow } from './ticket-condition';
import { toColumnConditions } from './condition-sql';
import { priorityRank } from './ticket-order';

/** The filters that are conditions on columns of the ticket; `search` is matched with its texts. */
type Filters = Required<Omit<TicketFilter, 'page' | 'cursor' | 'limit' | 'sort' | 'search'>>;
type FilterName = keyof Filters;

/** The tickets that a list, a view or a count selects: those that match the search, if there is one, and all conditions. */
export interface TicketSelection {
  search: string | undefined;
  conditions: readonly Condition[];
}

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }] });

function currentUserId({ actor }: Context): string {
  if (actor.type === 'user') return actor.user_id;
  throw invalid('assignee', '`me` requires a signed-in user');
}

const isSet = (column: PlainColumn) => (value: 'true' | 'false') => ({ column, is: value === 'true' ? 'not_null' : 'null' }) as const;
const from = (column: PlainColumn) => (value: string) => ({ column, is: 'at_least', value }) as const;
const to = (column: PlainColumn) => (value: string) => ({ column, is: 'below', value }) as const;

const periods = (...where: RelatedRow['open_periods']['where']) => ({ column: 'open_periods', is: 'with', where }) as const;
/** A period that has ended, and one that began with a reopening. */
const ended = { column: 'resolved_at', is: 'below', value: 'infinity' } as const;
const reopened = { column: 'is_reopened', is: 'equal', value: 'true' } as const;

/**
 * The conditions of each filter of the contract, for the list, the search, views and counts alike. A period must meet both ends of a range,
 * so these are in `periodRanges`. The filter `condition` is in condition-sql.ts.
 */
const rules: { [Name in Exclude<FilterName, PeriodFilter | 'condition'>]: (value: Filters[Name], ctx: Context) => Condition } = {
  status: (values) => ({ column: 'status', is: 'any_of', values }),
  priority: (values) => ({ column: 'priority_rank', is: 'any_of', values: values.map(priorityRank) }),
  assignee: (value, ctx) =>
    value === 'unassigned'
      ? { column: 'assigned_to', is: 'null' }
      : { column: 'assigned_to', is: 'equal', value: value === 'me' ? currentUserId(ctx) : value },
  category: (value) => ({ column: 'category', is: 'equal', value }),
  tag: (values) => ({ column: 'tags', is: 'overlapping', values }),
  // These must equal the conditions of their three indexes.
  task: (value) =>
    value === 'finished'
      ? { column: 'task_finished_at', is: 'not_null' }
      : { column: 'task', is: value === 'linked' ? 'not_null' : 'null' },
  snoozed: isSet('snoozed_at'),
  customer_email: (value) => ({ column: 'customer_email', is: 'equal', value }),
  created_from: from('created_at'),
  created_to: to('created_at'),
  updated_since: from('updated_at'),
  external_id: (value) => ({ column: 'external_id', is: 'equal', value }),
  created_weekday: (value) => ({ column: 'created_at', is: 'in_weekday', value }),
  created_hour: (value) => ({ column: 'created_at', is: 'in_hour', value }),
  ids: (values) => ({ column: 'id', is: 'any_of', values }),
  channel: (values) => ({
    column: 'channel',
    is: values.includes('none') ? 'any_of_or_null' : 'any_of',
    values: values.filter((value) => value !== 'none'),
  }),
  has_category: isSet('category'),
  other_category: (values) => ({ column: 'category', is: 'none_of', values }),
  other_tag: (values) => ({ column: 'tags', is: 'not_within', values }),
  escalated: isSet('escalated_at'),
  breached: isSet('sla_breached_at'),
  breached_from: from('sla_breached_at'),
  breached_to: to('sla_breached_at'),
  reopened: (value) => ({ column: 'reopen_count', ...(value === 'true' ? { is: 'at_least', value: '1' } : { is: 'equal', value: '0' }) }),
  one_touch: (value) => ({ column: 'is_one_touch', is: 'equal', value }),
  has_first_response_time: isSet('first_response_time_hours'),
  first_response_hours_from: from('first_response_time_hours'),
  first_response_hours_to: to('first_response_time_hours'),
  has_resolution_time: isSet('resolution_time_hours'),
  resolution_hours_from: from('resolution_time_hours'),
  resolution_hours_to: to('resolution_time_hours'),
  survey: (value) => ({ column: value === 'sent' ? 'sent_surveys' : 'surveys', is: 'with', where: [] }),
  rating: (values) => ({ column: 'surveys', is: 'with', where: [{ column: 'rating', is: 'any_of', values }] }),
  open_at: (value) => periods({ column: 'opened_at', is: 'below', value }, { column: 'resolved_at', is: 'at_least', value }),
};
const names = Object.keys(rules) as (keyof typeof rules)[];

type PeriodFilter = 'resolved_from' | 'resolved_to' | 'reopened_from' | 'reopened_to';
function periodRanges({ resolved_from, resolved_to, reopened_from, reopened_to }: Partial<Pick<Filters, PeriodFilter>>): Condition[] {
  const range = (column: 'opened_at' | 'resolved_at', start?: string, end?: string) => [
    ...(start ? [{ column, is: 'at_least', value: start } as const] : []),
    ...(end ? [{ column, is: 'below', value: end } as const] : []),
  ];
  const resolved = range('resolved_at', resolved_from, resolved_to);
  const opened = range('opened_at', reopened_from, reopened_to);
  return [...(resolved.length > 0 ? [periods(ended, ...resolved)] : []), ...(opened.length > 0 ? [periods(reopened, ...opened)] : [])];
}

function conditionOf<Name extends keyof typeof rules>(name: Name, value: Filters[Name] | undefined, ctx: Context): Condition[] {
  if (value === undefined || value.length === 0) return [];
  // A list has one branch per value, and a repeated value would repeat its tickets.
  return [rules[name](Array.isArray(value) ? ([...new Set<unknown>(value)] as Filters[Name]) : value, ctx)];
}

const selective: readonly Condition['column'][] = ['id', 'customer_email', 'external_id'];
/** Whether few tickets meet a condition: then they are found through its index and sorted. */
export const isSelective = ({ column }: Condition): boolean => selective.includes(column);
/** Whether tickets are found by their periods, usually those of one day, and sorted: in the order of a list, they could be far away. */
export const isByPeriod = ({ column }: Condition): boolean => column === 'open_periods';

const indexed: readonly Condition['column'][] = [
  'assigned_to',
  'category',
  'task',
  'task_finished_at',
  'snoozed_at',
  'sla_breached_at',
  'open_periods',
  'updated_at',
];
/** Whether a condition excludes categories: few or no tickets of a long range may match it, and no other index finds them. */
const isRestOfCategories = ({ column, is }: Condition): boolean => column === 'category' && is === 'none_of';
const ofFigures: readonly Condition['column'][] = [
  'channel',
  'escalated_at',
  'reopen_count',
  'is_one_touch',
  'first_response_time_hours',
  'resolution_time_hours',
  'surveys',
  'sent_surveys',
];
const covered: readonly Condition['column'][] = [
  ...ofFigures,
  'created_at',
  'status',
  'priority_rank',
  'category',
  'assigned_to',
  'sla_breached_at',
];
/**
 * Whether the index `tickets_newest` has every column of a filter that no other index has: few or no tickets of a long range may match, and
 * reading all others takes ten times as long as their entries of the index.
 */
export const isCovered = (conditions: readonly Condition[]): boolean =>
  conditions.some((each) => ofFigures.includes(each.column) || isRestOfCategories(each) || each.column === 'condition') &&
  conditions.flatMap(columnsOf).every((column) => covered.includes(column));
const columnsOf = (condition: Condition): Condition['column'][] =>
  condition.column === 'condition' ? condition.of.flatMap(columnsOf) : [condition.column];

const isSetOrNot: readonly Condition['is'][] = ['null', 'not_null'];
/** Whether an index on the column finds the tickets that meet a condition. Indexes of sort orders do not count. */
export const isIndexed = ({ column, is }: Condition): boolean =>
  indexed.includes(column) &&
  !(isSetOrNot.includes(is) && (column === 'category' || column === 'sla_breached_at')) &&
  is !== 'none_of' &&
  // Only snoozed tickets have a value in it.
  !(column === 'snoozed_at' && is === 'null');

/** Converts a query or a saved view to a selection for the caller; empty values do not filter. */
export function toSelection(
  ctx: Context,
  { search, condition, ...filter }: Partial<Filters> & { search?: string },
  now_ms = Date.now(),
): TicketSelection {
  const conditions = [...names.flatMap((name) => conditionOf(name, filter[name], ctx)), ...periodRanges(filter)];
  // No customer has that address, and thousands of tickets.
  if (filter.customer_email === anonymizedTicket.customer_email) conditions.push({ column: 'anonymized_at', is: 'null' });
  if (condition) conditions.push(...toColumnConditions(condition, now_ms, conditions));
  return { search: search || undefined, conditions };
}

/** Row-level security leaves one organization. */
const timeZone = sql`(select o.time_zone from organizations o)`;

const columnOf = (condition: Condition): RawBuilder<unknown> => {
  if (condition.column === 'custom_fields') return fieldOf(condition);
  return condition.column === 'customer_domain' ? sql`split_part(t.customer_email, '@', -1)` : sql.ref(`t.${condition.column}`);
};

function fieldOf({ is, key }: Extract<Condition, { column: 'custom_fields' }>): RawBuilder<unknown> {
  if (is.startsWith('includes')) return sql`field_texts(t.custom_fields, ${key})`;
  if (is.startsWith('number')) return sql`field_number(t.custom_fields, ${key})`;
  return is.startsWith('date') ? sql`field_date(t.custom_fields, ${key})` : sql`(t.custom_fields ->> ${key})`;
}

/** The condition as SQL for the table alias `t`, except that a tag is looked up in `ticket_tags`: the index of an array cannot be used. */
export function toSql(condition: Condition, column: RawBuilder<unknown> = columnOf(condition)): RawBuilder<SqlBool> {
  switch (condition.is) {
    case 'equal':
      return sql`${column} = ${condition.value}`;
    case 'at_least':
      return sql`${column} >= ${condition.value}`;
    case 'at_most':
      return sql`${column} <= ${condition.value}`;
    case 'below':
      return sql`${column} < ${condition.value}`;
    case 'any_of':
      return sql`${column} = any(${condition.values})`;
    case 'any_of_or_null':
      return sql`(${column} = any(${condition.values}) or ${column} is null)`;
    case 'in_weekday':
      return sql`extract(isodow from ${column} at time zone ${timeZone}) = ${condition.value}`;
    case 'in_hour':
      return sql`extract(hour from ${column} at time zone ${timeZone}) = ${condition.value}`;
    case 'with': {
      const where = condition.where.map((each) => sql` and ${toSql(each as Condition, sql.ref(`r.${each.column}`))}`);
      const rows = sql`from ${sql.table(condition.column)} r where true${sql.join(where, sql``)}`;
      // Not `exists`: the planner would read the list in its order and look for the periods of each ticket.
      if (isByPeriod(condition)) return sql`t.id = any(array(select r.ticket_id ${rows}))`;
      return sql`exists (select ${rows} and r.organization_id = t.organization_id and r.ticket_id = t.id)`;
    }
    case 'overlapping':
      return sql`exists (select from ticket_tags g where g.organization_id = t.organization_id and g.ticket_id = t.id and g.tag = any(${condition.values}::text[]))`;
    case 'not_within':
      return sql`not ${column} <@ ${condition.values}::text[]`;
    case 'none_of':
      return sql`${column} <> all(${condition.values}::text[])`;
    case 'null':
      return sql`${column} is null`;
    case 'not_null':
      return sql`${column} is not null`;
    case 'tagged':
      return sql`exists (select from unnest(${column}) g where fold_case(g) = any(${condition.values}::text[]))`;
    case 'same_text':
      return sql`fold_case(${column}) = ${condition.value}`;
    case 'contains_text':
      return sql`strpos(fold_case(${column}), ${condition.value}) > 0`;
    case 'starts_with_text':
      return sql`starts_with(fold_case(${column}), ${condition.value})`;
    case 'ends_with_text':
      return sql`right(fold_case(${column}), char_length(${condition.value})) = ${condition.value}`;
    case 'includes_any_of':
      return sql`${column} && ${condition.values}::text[]`;
    case 'includes_all_of':
      return sql`${column} @> ${condition.values}::text[]`;
    case 'number_equal':
      return sql`${column} = ${condition.value}::float8`;
    case 'number_at_least':
      return sql`${column} >= ${condition.value}::float8`;
    case 'number_at_most':
      return sql`${column} <= ${condition.value}::float8`;
    case 'date_at_least':
      return sql`${column} >= ${condition.value}`;
    case 'date_at_most':
      return sql`${column} <= ${condition.value}`;
    case 'all':
    case 'any':
      return joined(condition);
    case 'not':
      return sql`(${joined(condition)}) is not true`;
  }
}

/** `{ all: [] }` is true, `{ any: [] }` false. */
function joined({ is, of }: Extract<Condition, { column: 'condition' }>): RawBuilder<SqlBool> {
  const members = of.map((each) => sql`(${toSql(each)})`);
  if (members.length === 0) return is === 'any' ? sql`false` : sql`true`;
  return sql`(${sql.join(members, is === 'any' ? sql` or ` : sql` and `)})`;
}
