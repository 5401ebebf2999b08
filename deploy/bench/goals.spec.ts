import { goalArguments, goalSuites, goalTable, storedGoals, withLastRun, type StoredRun } from './goals';

const goals = [
  { id: 'G11', work: 'memory', measured: 700.4, limit: 600, unit: 'MB' },
  { id: 'G1', work: 'list', measured: 1.9, limit: 2, unit: '× floor' },
  { id: 'G7', work: 'webhook', measured: NaN, limit: 40, unit: 'ms' },
];
const run = { date: '2026-11-23T12:00:00.000Z', machine: '2 cores', commit: 'abc', missing: ['web'] };

it('the table marks each goal as met or missed, in the order of the goals; a figure that is missing meets none', () =>
  expect(goalTable(goals)).toMatchObject({
    title: '1 of 3 goals are met',
    rows: [
      ['✓', 'G1', 'list', '1.90 × floor', '≤ 2 × floor'],
      ['✗', 'G7', 'webhook', '– ms', '≤ 40 ms'],
      ['✗', 'G11', 'memory', '700 MB', '≤ 600 MB'],
    ],
  }));

it('a run replaces the figures of the run before, and nothing else of the page', () => {
  const page = 'before\n<!-- last run: begin -->\nold\n<!-- last run: end -->\nafter\n';
  const once = withLastRun(page, run, goals);
  expect(once).toMatch(/^before\n<!-- last run: begin -->\n\n1 of 3 goals are met\. Measured on 2026-11-23, commit abc, 2 cores\./);
  expect(once).toContain('Not run or failed, so that their goals are missing: web.');
  expect(once).not.toContain('old');
  expect(once.endsWith('<!-- last run: end -->\nafter\n')).toBe(true);
  expect(withLastRun(once, run, goals)).toBe(once);
  expect(() => withLastRun('no such lines', run, goals)).toThrow('has no lines');
});

it('runs all suites or the named ones, and refuses unknown names and options', () => {
  expect(goalArguments([])).toEqual({ names: goalSuites, page: undefined });
  expect(goalArguments(['http', 'web', '--write', 'a.md'])).toEqual({ names: ['http', 'web'], page: 'a.md' });
  for (const args of [['layers'], ['--write'], ['--write', 'a.md', 'http']]) expect(() => goalArguments(args)).toThrow('usage');
});

it('takes the goals of each suite from its newest run of the same commit, and a missing figure meets none', () => {
  const suite = (measured: number | null) => ({ goals: [{ id: 'G1', work: 'list', measured, limit: 2, unit: 'ms' }] });
  const runs: StoredRun[] = [
    { date: '2026-11-26', commit: 'abc-dirty', suites: { http: suite(null), storage: {} } },
    { date: '2026-11-25', commit: 'abc', suites: { http: suite(1), web: suite(3) } },
    { date: '2026-11-27', commit: 'def', suites: { http: suite(4), start: suite(5) } },
  ];
  expect(storedGoals(runs, 'abc')).toMatchObject({ http: [{ measured: NaN }], web: [{ measured: 3 }] });
  expect(Object.keys(storedGoals(runs, 'abc'))).toEqual(['http', 'web']);
  expect(goalTable(storedGoals(runs, 'abc').http!).title).toBe('0 of 1 goals are met');
});
