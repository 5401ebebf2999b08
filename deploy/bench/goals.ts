/** The goals of docs/performance.md: which suites measure them, and the table of the last run. */
import { markdownOf, type Goal, type Report, type Table } from './report.ts';

/** The suites that have goals. */
export const goalSuites = [
  'http',
  'search',
  'scale',
  'analytics',
  'mail',
  'webhooks',
  'burst',
  'abuse',
  'sign-in',
  'start',
  'one-process',
  'web',
  'first-paint',
  'tracing',
] as const;

/** Which suites `npm run bench -- goals` runs, and the page that it writes. */
export function goalArguments(args: readonly string[]): { names: readonly string[]; page: string | undefined } {
  const option = args.indexOf('--write');
  const names = option < 0 ? args : args.slice(0, option);
  const page = option < 0 ? undefined : args[option + 1];
  const isKnown = names.every((name) => goalSuites.some((known) => known === name));
  if (!isKnown || (option >= 0 && (page === undefined || args.length > option + 2)))
    throw new Error(`usage: npm run bench -- goals [${goalSuites.join('] [')}] [--write docs/performance.md]`);
  return { names: names.length > 0 ? names : goalSuites, page };
}

/** The file of one run, as `bench.ts` writes it. JSON has no NaN: it becomes null. */
export interface StoredRun {
  date: string;
  commit?: string;
  suites: Record<string, { goals?: (Omit<Goal, 'measured'> & { measured: number | null })[] }>;
}

/** The goals of each suite in its newest run of this commit. */
export function storedGoals(runs: readonly StoredRun[], commit: string | undefined): Record<string, Report['goals']> {
  const found: Record<string, Report['goals']> = {};
  const same = runs.filter((run) => committed(run.commit) === committed(commit));
  for (const { suites } of same.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    for (const [name, { goals }] of Object.entries(suites))
      if (goals) found[name] = goals.map((goal) => ({ ...goal, measured: goal.measured ?? NaN }));
  }
  return found;
}
/** A page with the figures of one suite is a change, too. */
const committed = (commit: string | undefined): string | undefined => commit?.replace(/-dirty$/, '');

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
  /** Suites that failed or were not run: their goals are not in the table. */
  missing: readonly string[];
}

const [begin, end] = ['<!-- last run: begin -->', '<!-- last run: end -->'];

/** The page with the figures of this run in place of those of the last one. */
export function withLastRun(page: string, { date, machine, commit, missing }: Run, goals: readonly Goal[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no lines ${begin} and ${end}`);
  const { title, ...table } = goalTable(goals);
  const text = [
    begin,
    '',
    `${title}. Measured on ${date.slice(0, 10)}, commit ${commit}, ${machine}.`,
    ...(missing.length > 0 ? ['', `Not run or failed, so that their goals are missing: ${missing.join(', ')}.`] : []),
    '',
    markdownOf(table),
    '',
  ];
  return `${page.slice(0, from)}${text.join('\n')}\n${page.slice(to)}`;
}
