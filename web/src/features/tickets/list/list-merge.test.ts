import type { TicketSummary } from '@tandem/contracts';
import { aTicket } from '../../../testing/backend';
import { mergePages, type ListPage } from './list-merge';

const row = (minute: number, overrides: Partial<TicketSummary> = {}): TicketSummary => ({
  ...aTicket({ subject: `at ${minute}`, created_at: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z` }),
  description_preview: null,
  is_unread: false,
  ...overrides,
});
const page = (items: TicketSummary[], next_cursor: string | null, total = 99): ListPage => ({
  items,
  pagination: { page: null, limit: 30, total, next_cursor },
});
const none = { asked: new Set<string>(), found: [] };
const names = (pages: ListPage[]) => pages.map(({ items }) => items.map(({ subject }) => subject));

const [a, b, c, d, e] = [row(50), row(40), row(30), row(20), row(10)] as const;
const loaded = [page([a, b], 'after b'), page([c, d, e], 'after e')];

it('puts a new ticket on top and keeps all rows below', () => {
  const fresh = row(55);
  const merged = mergePages(loaded, { first: page([fresh, a], 'x', 100), ...none });
  expect(names(merged)).toEqual([
    ['at 55', 'at 50', 'at 40'],
    ['at 30', 'at 20', 'at 10'],
  ]);
  expect(merged.map(({ pagination }) => pagination.next_cursor)).toEqual(['after b', 'after e']);
  expect(merged[0]?.pagination.total).toBe(100);
});

it('puts a row at its place in the order of a custom field, and one without a value at the end', () => {
  const rows = [row(10, { sort_value: -1 }), row(20, { sort_value: 2.5 }), row(30, { sort_value: 10 }), row(40, { sort_value: null })];
  const all = [page(rows, null, 4)];
  const merge = (found: TicketSummary) =>
    names(mergePages(all, { first: page(rows.slice(0, 1), 'x', 5), asked: new Set([found.id]), found: [found] }, 'custom_fields.seats'));
  expect(merge(row(50, { sort_value: 9 }))).toEqual([['at 10', 'at 20', 'at 50', 'at 30', 'at 40']]);
  expect(merge(row(50, { sort_value: null }))[0]?.at(-1)).toBe('at 50');
});

it('removes requested rows that were not found, and updates found rows in place', () => {
  const found = [{ ...d, subject: 'changed', version: 2 }];
  const merged = mergePages(loaded, { first: page([a, b], 'x'), asked: new Set([c.id, d.id]), found });
  expect(names(merged)).toEqual([
    ['at 50', 'at 40'],
    ['changed', 'at 10'],
  ]);
});

it('removes rows that left the first page, even if not requested', () => {
  const merged = mergePages(loaded, { first: page([b, c], 'x'), ...none });
  expect(names(merged)).toEqual([
    ['at 40', 'at 30'],
    ['at 20', 'at 10'],
  ]);
});

it('inserts a row that matches again at its position', () => {
  const back = row(15);
  const merged = mergePages(loaded, { first: page([a, b], 'x'), asked: new Set([back.id]), found: [back] });
  expect(names(merged)[1]).toEqual(['at 30', 'at 20', 'at 15', 'at 10']);
});

it('keeps a newer local version when an older response arrives', () => {
  const known = { ...a, subject: 'resolved here', version: 3 };
  const merged = mergePages([page([known, b], null)], { first: page([{ ...a, version: 2 }, b], null), ...none });
  expect(names(merged)).toEqual([['resolved here', 'at 40']]);
});

it('starts over if the first page shares no row with the loaded ones', () => {
  const merged = mergePages(loaded, { first: page([row(59), row(58)], 'after 58'), ...none });
  expect(names(merged)).toEqual([['at 59', 'at 58']]);
  expect(merged[0]?.pagination.next_cursor).toBe('after 58');
});

it('equals the first page if that is the whole list', () => {
  expect(names(mergePages(loaded, { first: page([a], null), ...none }))).toEqual([['at 50']]);
});
