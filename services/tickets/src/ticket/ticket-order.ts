import {
  AppError,
  Id,
  isCustomFieldName,
  ticketPriorities,
  Timestamp,
  type CustomFieldName,
  type Pagination,
  type TicketFilter,
  type TicketPriority,
  type TicketSummary,
} from '@tandem/contracts';
import { decodeCursor, encodeCursor } from '@tandem/db';
import { isResolvedOrClosed } from './ticket';

/** The orders that the app offers, and `updated_oldest` for pollers. */
export type ListSort = TicketFilter['sort'];

/**
 * Sort keys. `rank` increases with the priority; `due` is 'infinity' for a ticket that is resolved, closed or without a running timer;
 * `changed_in` is the number of the transaction that last changed the ticket; `field` is the value of a custom field, null for none.
 */
export type OrderKey = 'field' | 'created_at' | 'updated_at' | 'changed_in' | 'rank' | 'due' | 'id';
export interface ListOrder {
  keys: readonly OrderKey[];
  direction: 'asc' | 'desc';
}

/** Each order ends with the id, so it is total. All keys of an order have one direction, so that a row comparison finds the next page. */
const orders = {
  newest: { keys: ['created_at', 'id'], direction: 'desc' },
  oldest: { keys: ['created_at', 'id'], direction: 'asc' },
  updated: { keys: ['updated_at', 'id'], direction: 'desc' },
  // Not by time: a transaction can set an earlier time than another that was committed before it, and a poller would miss its changes.
  updated_oldest: { keys: ['changed_in', 'id'], direction: 'asc' },
  priority: { keys: ['rank', 'created_at', 'id'], direction: 'desc' },
  due: { keys: ['due', 'created_at', 'id'], direction: 'asc' },
  field: { keys: ['field', 'id'], direction: 'asc' },
} as const satisfies Record<Exclude<ListSort, CustomFieldName> | 'field', ListOrder>;
export const { newest: newestFirst, oldest: oldestFirst, updated_oldest: updatedOldestFirst, due: dueFirst } = orders;
export const orderOf = (sort: ListSort): ListOrder => orders[isCustomFieldName(sort) ? 'field' : sort];

/** A position in a list: the values of the order's keys, in their sequence. */
export type ListCursor = (string | number | null)[];

/** The rows to read from a selection: those after a cursor position, or after `skip` rows. */
export interface PageRequest {
  sort: ListSort;
  after: ListCursor | undefined;
  skip: number;
  rows: number;
  /** Whether the custom field of the sort order is a number. */
  byNumber?: boolean;
  /** The user whose unread tickets are marked; null for an API token. */
  reader: string | null;
}

export const priorityRank = (priority: TicketPriority): number => ticketPriorities.indexOf(priority) + 1;
/** The sort key of a ticket without a due time. */
export const noDueTime = 'infinity';

// PostgreSQL has no year 0.
const isTime = (value: unknown) => Timestamp.safeParse(value).success && String(value) >= '0001';
const isValid: Record<OrderKey, (value: unknown) => boolean> = {
  field: () => true,
  created_at: isTime,
  updated_at: isTime,
  changed_in: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  rank: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= ticketPriorities.length,
  due: (value) => value === noDueTime || isTime(value),
  id: (value) => Id.safeParse(value).success,
};

/** Decodes a cursor. Rejects a malformed or forged one, or one of another order, before it reaches SQL. */
export function decodeListCursor(sort: ListSort, cursor: string | undefined): ListCursor | undefined {
  if (cursor === undefined) return undefined;
  const { keys } = orderOf(sort);
  const [of, ...values] = decodeCursor(cursor, keys.length + 1);
  if (of === sort && keys.every((key, i) => isValid[key](values[i]))) return values;
  throw new AppError('request.invalid', {
    fields: [{ path: 'cursor', code: 'invalid', message: 'This cursor belongs to another list or sort order' }],
  });
}

/** A row of the list with the sort key that is not a field of the contract. */
export type ListRow = TicketSummary & { changed_in: number };

function valueOf(row: ListRow, key: OrderKey): string | number | null {
  if (key === 'field') return row.sort_value ?? null;
  if (key === 'rank') return priorityRank(row.priority);
  if (key === 'due') return isResolvedOrClosed(row.status) ? noDueTime : (row.next_due_at ?? noDueTime);
  return row[key];
}

/**
 * Expects one row more than `limit`, which shows whether there is a next page: drops it and returns the cursor of the last item. A poller
 * also gets it as `resume_cursor` at the end of the list, to continue there later; an empty page returns the cursor that it was given.
 */
export function sliceListPage(
  { sort, limit, cursor = null }: { sort: ListSort; limit: number; cursor?: string | null },
  rows: ListRow[],
): { items: TicketSummary[] } & Pick<Pagination, 'next_cursor' | 'resume_cursor'> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const end = last ? encodeCursor([sort, ...orderOf(sort).keys.map((key) => valueOf(last, key))]) : cursor;
  return {
    // JSON omits undefined members. A copy without the member would take longer than everything else here.
    items: page.map((row) => Object.assign(row, { changed_in: undefined })),
    next_cursor: rows.length > limit ? end : null,
    ...(sort === 'updated_oldest' && { resume_cursor: end }),
  };
}
