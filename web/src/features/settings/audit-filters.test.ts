import { auditFiltersOf, queryOf, withAuditFilter, withoutAuditFilters } from './audit-filters';

const of = (search: string) => auditFiltersOf(new URLSearchParams(search));
const person = '01980000-0000-7000-8000-000000000001';

it('reads every filter from the URL', () => {
  expect(of(`?tab=audit&category=team&severity=high&person=${person}&from=2026-11-01&to=2026-11-20`)).toEqual({
    category: 'team',
    severity: 'high',
    person,
    from: '2026-11-01',
    to: '2026-11-20',
  });
});

it.each(['category=other', 'severity=HIGH', 'person=me', 'from=yesterday', 'to=2026-13-40', 'from=0000-01-01', 'to=99999-01-01'])(
  'treats %s as no filter',
  (search) => expect(of(search)).toEqual({}),
);

it('requests whole days in the reader’s time zone, inclusive', () => {
  expect(queryOf({ category: 'team', person, from: '2026-11-20', to: '2026-11-20' })).toEqual({
    category: 'team',
    actor_id: person,
    from: new Date(2026, 10, 20).toISOString(),
    to: new Date(2026, 10, 21).toISOString(),
  });
});

it('changes one filter in the URL and keeps the rest', () => {
  const params = new URLSearchParams('tab=audit&category=team');
  expect(withAuditFilter(params, 'severity', 'high').toString()).toBe('tab=audit&category=team&severity=high');
  expect(withAuditFilter(params, 'category', 'all').toString()).toBe('tab=audit');
  expect(withoutAuditFilters(new URLSearchParams('tab=audit&category=team&from=2026-11-20')).toString()).toBe('tab=audit');
});
