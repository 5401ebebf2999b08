import { filtersOf, withFilter } from './ticket-filters';

const of = (query: string) => filtersOf(new URLSearchParams(query));

it('reads the four filters from the address', () => {
  expect(of('search=grind&status=in_progress&priority=urgent&assignee=unassigned')).toEqual({
    search: 'grind',
    status: ['in_progress'],
    priority: ['urgent'],
    assignee: 'unassigned',
  });
});

it('takes what is no value of a filter for all', () => {
  expect(of('search=%20&status=all&priority=highest&assignee=somebody')).toEqual({});
});

it('writes one filter and leaves the others', () => {
  expect(withFilter(new URLSearchParams('search=a&status=open'), 'status', 'closed').toString()).toBe('search=a&status=closed');
  expect(withFilter(new URLSearchParams('search=a&status=open'), 'status', 'all').toString()).toBe('search=a');
});
