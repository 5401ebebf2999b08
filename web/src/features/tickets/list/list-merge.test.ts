import type { TicketSummary } from '@tandem/contracts';
import { aTicket } from '../../../testing/backend';
import { mergePages, type ListPage } from './list-merge';

const row = (minute: number, overrides: Partial<TicketSummary> = {}): TicketSummary => ({
  ...aTicket({ subject: `at ${minute}`, created_at: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z` }),
  description_preview: null,
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

it('puts a new ticket on top and loses none of those below', () => {
  const fresh = row(55);
  const merged = mergePages(loaded, { first: page([fresh, a], 'x', 100), ...none });
  expect(names(merged)).toEqual([
    ['at 55', 'at 50', 'at 40'],
    ['at 30', 'at 20', 'at 10'],
  ]);
  expect(merged.map(({ pagination }) => pagination.next_cursor)).toEqual(['after b', 'after e']);
  expect(merged[0]?.pagination.total).toBe(100);
});

it('takes out what was asked for and not found, and changes in place what was', () => {
  const found = [{ ...d, subject: 'changed', version: 2 }];
  const merged = mergePages(loaded, { first: page([a, b], 'x'), asked: new Set([c.id, d.id]), found });
  expect(names(merged)).toEqual([
    ['at 50', 'at 40'],
    ['changed', 'at 10'],
  ]);
});

it('takes out what has left the first page, although nobody asked for it', () => {
  const merged = mergePages(loaded, { first: page([b, c], 'x'), ...none });
  expect(names(merged)).toEqual([
    ['at 40', 'at 30'],
    ['at 20', 'at 10'],
  ]);
});

it('finds the place of a row that matches again', () => {
  const back = row(15);
  const merged = mergePages(loaded, { first: page([a, b], 'x'), asked: new Set([back.id]), found: [back] });
  expect(names(merged)[1]).toEqual(['at 30', 'at 20', 'at 15', 'at 10']);
});

it('keeps what it knows better: an answer from before a change does not undo it', () => {
  const known = { ...a, subject: 'resolved here', version: 3 };
  const merged = mergePages([page([known, b], null)], { first: page([{ ...a, version: 2 }, b], null), ...none });
  expect(names(merged)).toEqual([['resolved here', 'at 40']]);
});

it('begins anew where nothing of the first page was known', () => {
  const merged = mergePages(loaded, { first: page([row(59), row(58)], 'after 58'), ...none });
  expect(names(merged)).toEqual([['at 59', 'at 58']]);
  expect(merged[0]?.pagination.next_cursor).toBe('after 58');
});

it('is the first page and nothing else where that is the whole list', () => {
  expect(names(mergePages(loaded, { first: page([a], null), ...none }))).toEqual([['at 50']]);
});
