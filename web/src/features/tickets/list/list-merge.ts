import type { Pagination, TicketSummary } from '@tandem/contracts';
import { isCustomFieldName, ticketPriorities, type CustomFieldName, type TicketSort } from '@tandem/contracts/values';

type Row = TicketSummary;
const rank = (ticket: Row) => ticketPriorities.indexOf(ticket.priority);
const text = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const byId = (one: Row, other: Row) => text(other.id, one.id);
const newest = (one: Row, other: Row) => text(other.created_at, one.created_at) || byId(one, other);

// Tickets without a due time and finished ones come last: '~' sorts after every time.
const dueOf = ({ status, next_due_at }: Row) => (status === 'resolved' || status === 'closed' ? '~' : (next_due_at ?? '~'));

/** The server's sort orders (services/tickets/src/ticket/ticket-order.ts), to find the position of a new or moved row. */
const orders: Record<TicketSort, (one: Row, other: Row) => number> = {
  newest,
  oldest: (one, other) => -newest(one, other),
  updated: (one, other) => text(other.updated_at, one.updated_at) || byId(one, other),
  priority: (one, other) => rank(other) - rank(one) || newest(one, other),
  due: (one, other) => text(dueOf(one), dueOf(other)) || -newest(one, other),
};

/** By a custom field: ascending, then the tickets without a value, in the order of their creation. */
function byField({ sort_value: one, ...row }: Row, { sort_value: other, ...another }: Row): number {
  const [hasNone, otherHasNone] = [one ?? null, other ?? null].map((value) => Number(value === null)) as [number, number];
  if (hasNone !== otherHasNone) return hasNone - otherHasNone;
  const order = hasNone === 0 && one !== other ? (one! < other! ? -1 : 1) : 0;
  return order || text(row.id, another.id);
}

export interface ListPage {
  items: Row[];
  pagination: Pagination;
}
export interface Answers {
  /** The reloaded first page. */
  first: ListPage;
  /** The ids that were requested, and the rows among them that still match the filters. */
  asked: ReadonlySet<string>;
  found: Row[];
}

/** A response that was sent before a local change must not undo it. */
const fresher = (known: Row | undefined, read: Row): Row => (known && known.version > read.version ? known : read);

/** Inserts a row at its sorted position, unless that is beyond the loaded pages. */
function insert(pages: Row[][], row: Row, order: (one: Row, other: Row) => number, isWhole: boolean): void {
  for (const rows of pages) {
    const place = rows.findIndex((other) => order(row, other) < 0);
    if (place >= 0) {
      rows.splice(place, 0, row);
      return;
    }
  }
  if (isWhole) pages.at(-1)?.push(row);
}

/**
 * Updates the loaded pages from the first page and some reloaded rows. Requested rows that were not found are removed; other rows stay in
 * place. If the first page shares no ticket with the loaded ones, too much has changed: the list starts again with that page, and the rest
 * loads on scrolling.
 */
export function mergePages(
  loaded: ListPage[],
  { first, asked, found }: Answers,
  sort: TicketSort | CustomFieldName = 'newest',
): ListPage[] {
  const order = isCustomFieldName(sort) ? byField : orders[sort];
  const known = new Map(loaded.flatMap(({ items }) => items).map((ticket) => [ticket.id, ticket]));
  const top = first.items.map((ticket) => fresher(known.get(ticket.id), ticket));
  const inTop = new Set(top.map(({ id }) => id));
  const last = first.items.at(-1);
  const firstPageOnly = [{ items: top, pagination: first.pagination }];
  if (!last || first.pagination.next_cursor === null || !top.some(({ id }) => known.has(id))) return firstPageOnly;

  const matching = new Map(found.map((ticket) => [ticket.id, fresher(known.get(ticket.id), ticket)]));
  const stays = (ticket: Row) => !inTop.has(ticket.id) && (!asked.has(ticket.id) || matching.has(ticket.id)) && order(ticket, last) > 0;
  const rest = loaded.map(({ items }) => items.filter(stays).map((ticket) => matching.get(ticket.id) ?? ticket));
  // All loaded rows are on the fresh page, so the list ends where that page ends.
  if (rest.every((rows) => rows.length === 0)) return firstPageOnly;
  const there = new Set(rest.flat().map(({ id }) => id));
  const isWhole = loaded.at(-1)?.pagination.next_cursor === null;
  for (const ticket of matching.values())
    if (!inTop.has(ticket.id) && !there.has(ticket.id) && order(ticket, last) > 0) insert(rest, ticket, order, isWhole);
  return loaded.map(({ pagination }, index) => ({
    items: index === 0 ? [...top, ...(rest[0] ?? [])] : (rest[index] ?? []),
    // The totals come from the fresh page; each page keeps its own cursor.
    pagination: { ...first.pagination, next_cursor: pagination.next_cursor },
  }));
}
