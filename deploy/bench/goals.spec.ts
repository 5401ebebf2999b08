import { goalTable, withLastRun } from './goals';

const goals = [
  { id: 'G11', work: 'memory', measured: 700.4, limit: 600, unit: 'MB' },
  { id: 'G1', work: 'list', measured: 1.9, limit: 2, unit: '× floor' },
  { id: 'G7', work: 'webhook', measured: NaN, limit: 40, unit: 'ms' },
];
const run = { date: '2026-11-23T12:00:00.000Z', machine: '2 cores', commit: 'abc', failed: ['web'] };

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
  expect(once).toContain('Failed, so that their goals are missing: web.');
  expect(once).not.toContain('old');
  expect(once.endsWith('<!-- last run: end -->\nafter\n')).toBe(true);
  expect(withLastRun(once, run, goals)).toBe(once);
  expect(() => withLastRun('no such lines', run, goals)).toThrow('has no lines');
});
