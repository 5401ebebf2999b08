/** The goals of docs/performance.md: which suites measure them, and the table of the last run. */
import { markdownOf, type Goal, type Table } from './report.ts';

/** The suites that `npm run bench -- goals` runs. */
export const goalSuites = ['http', 'webhooks', 'sign-in', 'analytics', 'scale', 'web', 'first-paint', 'start'] as const;

/** The table of the goals, in the order of their numbers. */
export function goalTable(goals: readonly Goal[]): Table {
  const inOrder = goals.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
  return {
    title: `${goals.filter(isMet).length} of ${goals.length} goals are met`,
    columns: ['', 'goal', 'work', 'measured', 'limit'],
    rows: inOrder.map((goal) => [
      isMet(goal) ? '✓' : '✗',
      goal.id,
      goal.work,
      figure(goal.measured, goal.unit),
      `≤ ${goal.limit} ${goal.unit}`,
    ]),
  };
}

/** A figure that could not be computed is NaN, which meets no goal. */
const isMet = ({ measured, limit }: Goal): boolean => measured <= limit;
const figure = (value: number, unit: string) => `${Number.isNaN(value) ? '–' : value.toFixed(value < 100 ? 2 : 0)} ${unit}`;

/** Where and when the figures were measured. */
export interface Run {
  date: string;
  machine: string;
  commit: string;
  /** Suites that failed: their goals are missing in the table. */
  failed: readonly string[];
}

const [begin, end] = ['<!-- last run: begin -->', '<!-- last run: end -->'];

/** The page with the figures of this run in place of those of the last one. */
export function withLastRun(page: string, { date, machine, commit, failed }: Run, goals: readonly Goal[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no lines ${begin} and ${end}`);
  const { title, ...table } = goalTable(goals);
  const text = [
    begin,
    '',
    `${title}. Measured on ${date.slice(0, 10)}, commit ${commit}, ${machine}.`,
    ...(failed.length > 0 ? ['', `Failed, so that their goals are missing: ${failed.join(', ')}.`] : []),
    '',
    markdownOf(table),
    '',
  ];
  return `${page.slice(0, from)}${text.join('\n')}\n${page.slice(to)}`;
}
