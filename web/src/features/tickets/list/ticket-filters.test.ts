import { lastDays, rangeOf, rangeText } from './created-range';
import { filtersOf, paramsOf, sameFilters } from './ticket-filters';
import { addressSearch, queryOf, withFilter } from './ticket-query';

const of = (query: string) => filtersOf(new URLSearchParams(query));

it('reads search, status, priority and assignee from the URL', () => {
  expect(of('search=grind&status=in_progress&priority=urgent&assignee=unassigned')).toEqual({
    search: 'grind',
    status: ['in_progress'],
    priority: ['urgent'],
    assignee: 'unassigned',
  });
});

it('reads several values, and all other filters', () => {
  const query =
    'status=open,closed&tag=vip,beans&category=Orders&customer_email=j%40x.example&created_from=2026-11-14&created_to=2026-11-21&sort=due';
  expect(of(query)).toEqual({
    status: ['open', 'closed'],
    tag: ['vip', 'beans'],
    category: 'Orders',
    customer_email: 'j@x.example',
    created_from: '2026-11-14',
    created_to: '2026-11-21',
    sort: 'due',
  });
});

it('reads a sort order by a custom field', () => {
  expect(of('sort=custom_fields.order_number')).toEqual({ sort: 'custom_fields.order_number' });
  expect(of('sort=custom_fields.1')).toEqual({});
});

it('treats invalid values of a filter as all', () => {
  expect(of('search=%20&status=all&priority=highest&assignee=somebody&created_from=soon&sort=newest&customer_email=nobody')).toEqual({});
});

it('writes one filter and keeps the others', () => {
  expect(withFilter(new URLSearchParams('search=a&status=open'), 'status', 'closed').toString()).toBe('search=a&status=closed');
  expect(withFilter(new URLSearchParams('search=a&status=open'), 'status', 'all').toString()).toBe('search=a');
  expect(withFilter(new URLSearchParams('search=a&status=open'), 'status', []).toString()).toBe('search=a');
});

it('keeps commas readable in the URL', () => {
  expect(addressSearch(paramsOf({ status: ['open', 'in_progress'] }))).toBe('?status=open,in_progress');
});

it('reads and writes commas within a value', () => {
  const filters = { tag: ['a, b', 'all'] };
  const address = addressSearch(paramsOf(filters));
  expect(address).toBe('?tag=a%5C,+b,all');
  expect(of(address)).toEqual(filters);
  expect(of(addressSearch(paramsOf({ tag: ['all'] })))).toEqual({ tag: ['all'] });
  expect(queryOf(filters).tag).toBe('a\\, b,all');
});

it('treats another order of values as the same filters', () => {
  expect(sameFilters(of('status=closed,open'), of('status=open,closed'))).toBe(true);
});

it('requests days in the reader’s time zone', () => {
  expect(queryOf({ created_from: '2026-11-14', status: ['open', 'closed'] })).toEqual({
    created_from: new Date('2026-11-14T00:00').toISOString(),
    created_to: undefined,
    status: 'open,closed',
  });
});

it('labels a range by its last day', () => {
  expect(rangeOf(lastDays(7, '2026-11-21'), '2026-11-21')).toBe('week');
  expect(lastDays(1, '2026-11-21')).toEqual({ created_from: '2026-11-21' });
  expect(rangeText({ created_from: '2020-02-27', created_to: '2020-03-01' }, 'UTC')).toBe('Feb 27, 2020 to Feb 29, 2020');
});
