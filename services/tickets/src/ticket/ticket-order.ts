import { AppError, Id, ticketPriorities, Timestamp, type TicketPriority, type TicketSort, type TicketSummary } from '@tandem/contracts';
import { decodeCursor, encodeCursor } from '@tandem/db';
import { isResolvedOrClosed } from './ticket';

/** Sort keys. `rank` increases with the priority; `due` is 'infinity' for a ticket that is resolved, closed or without a running timer. */
export type OrderKey = 'created_at' | 'updated_at' | 'rank' | 'due' | 'id';
export interface ListOrder {
  keys: readonly OrderKey[];
  direction: 'asc' | 'desc';
}

/** Each order ends with the id, so it is total. All keys of an order have one direction, so that a row comparison finds the next page. */
export const orders = {
  newest: { keys: ['created_at', 'id'], direction: 'desc' },
  oldest: { keys: ['created_at', 'id'], direction: 'asc' },
  updated: { keys: ['updated_at', 'id'], direction: 'desc' },
  priority: { keys: ['rank', 'created_at', 'id'], direction: 'desc' },
  due: { keys: ['due', 'created_at', 'id'], direction: 'asc' },
} as const satisfies Record<TicketSort, ListOrder>;

/** A position in a list: the values of the order's keys, in their sequence. */
export type ListCursor = (string | number)[];

/** The rows to read from a selection: those after a cursor position, or after `skip` rows. */
export interface PageRequest {
  sort: TicketSort;
  after: ListCursor | undefined;
  skip: number;
  rows: number;
}

export const priorityRank = (priority: TicketPriority): number => ticketPriorities.indexOf(priority) + 1;
/** The sort key of a ticket without a due time. */
export const noDueTime = 'infinity';

// PostgreSQL has no year 0.
const isTime = (value: unknown) => Timestamp.safeParse(value).success && String(value) >= '0001';
const isValid: Record<OrderKey, (value: unknown) => boolean> = {
  created_at: isTime,
  updated_at: isTime,
  rank: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= ticketPriorities.length,
  due: (value) => value === noDueTime || isTime(value),
  id: (value) => Id.safeParse(value).success,
};

/** Decodes a cursor. Rejects a malformed or forged one, or one of another order, before it reaches SQL. */
export function decodeListCursor(sort: TicketSort, cursor: string | undefined): ListCursor | undefined {
  if (cursor === undefined) return undefined;
  const { keys } = orders[sort];
  const [of, ...values] = decodeCursor(cursor, keys.length + 1);
  if (of === sort && keys.every((key, i) => isValid[key](values[i]))) return values as ListCursor;
  throw new AppError('request.invalid', {
    fields: [{ path: 'cursor', code: 'invalid', message: 'This cursor belongs to another list or sort order' }],
  });
}

function valueOf(row: TicketSummary, key: OrderKey): string | number {
  if (key === 'rank') return priorityRank(row.priority);
  if (key === 'due') return isResolvedOrClosed(row.status) ? noDueTime : (row.next_due_at ?? noDueTime);
  return row[key];
}

/** Expects one row more than `limit`, which shows whether there is a next page: drops it and returns the cursor of the last item. */
export function sliceListPage(
  sort: TicketSort,
  rows: TicketSummary[],
  limit: number,
): { items: TicketSummary[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next_cursor = rows.length > limit && last ? encodeCursor([sort, ...orders[sort].keys.map((key) => valueOf(last, key))]) : null;
  return { items, next_cursor };
}
