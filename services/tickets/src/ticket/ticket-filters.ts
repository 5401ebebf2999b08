import { AppError, type Context, type TicketFilter } from '@tandem/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { TicketRow } from '../schema';
import { priorityRank } from './ticket-order';

/** The filters that are conditions on columns of the ticket; `search` is matched with its texts. */
type Filters = Required<Omit<TicketFilter, 'page' | 'cursor' | 'limit' | 'sort' | 'search'>>;
type FilterName = keyof Filters;

/** A condition on one column. The list renders it as SQL (`toSql`), the search function does the same with its own copy of the operators. */
export type Condition = { column: keyof TicketRow } & (
  | { is: 'equal' | 'at_least' | 'below'; value: string }
  | { is: 'any_of'; values: readonly (string | number)[] }
  | { is: 'null' | 'not_null' }
  | { column: 'tags'; is: 'overlapping'; values: readonly string[] }
);

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

/** The conditions of each filter of the contract, for the list, the search, views and counts alike. */
const rules: { [Name in FilterName]: (value: Filters[Name], ctx: Context) => Condition } = {
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
  customer_email: (value) => ({ column: 'customer_email', is: 'equal', value }),
  created_from: (value) => ({ column: 'created_at', is: 'at_least', value }),
  created_to: (value) => ({ column: 'created_at', is: 'below', value }),
  ids: (values) => ({ column: 'id', is: 'any_of', values }),
};
const names = Object.keys(rules) as FilterName[];

function conditionOf<Name extends FilterName>(name: Name, value: Filters[Name] | undefined, ctx: Context): Condition[] {
  if (value === undefined || value.length === 0) return [];
  // A list has one branch per value, and a repeated value would repeat its tickets.
  return [rules[name](Array.isArray(value) ? ([...new Set<unknown>(value)] as Filters[Name]) : value, ctx)];
}

/** Whether few tickets meet a condition: then they are found through its index and sorted. */
export const isSelective = ({ column }: Condition): boolean => column === 'id' || column === 'customer_email';

const indexed: readonly (keyof TicketRow)[] = ['assigned_to', 'category', 'task', 'task_finished_at'];
/** Whether an index on the column finds the tickets that meet a condition. The indexes of the sort orders are not meant. */
export const isIndexed = ({ column }: Condition): boolean => indexed.includes(column);

/** Converts a query or a saved view to a selection for the caller; empty values do not filter. */
export function toSelection(ctx: Context, { search, ...filter }: Partial<Filters> & { search?: string }): TicketSelection {
  return { search: search || undefined, conditions: names.flatMap((name) => conditionOf(name, filter[name], ctx)) };
}

/** The condition as SQL for the table alias `t`, except that a tag is looked up in `ticket_tags`: the index of an array cannot be used. */
export function toSql(condition: Condition, column: RawBuilder<unknown> = sql.ref(`t.${condition.column}`)): RawBuilder<SqlBool> {
  switch (condition.is) {
    case 'equal':
      return sql`${column} = ${condition.value}`;
    case 'at_least':
      return sql`${column} >= ${condition.value}`;
    case 'below':
      return sql`${column} < ${condition.value}`;
    case 'any_of':
      return sql`${column} = any(${condition.values})`;
    case 'overlapping':
      return sql`exists (select from ticket_tags g where g.organization_id = t.organization_id and g.ticket_id = t.id and g.tag = any(${condition.values}::text[]))`;
    case 'null':
      return sql`${column} is null`;
    case 'not_null':
      return sql`${column} is not null`;
  }
}
