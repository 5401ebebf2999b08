/** The figures of the suite `analytics`: which have goals, and the table of all. */
import type { StatementFigures } from '../explain.ts';
import { goalTable } from '../goals.ts';
import type { Goal } from '../report.ts';
import type { SignedIn } from '../session.ts';
import { quantile } from '../statistics.ts';
import { exportRows, type ExportFigures } from './analytics-export.ts';

export interface Place {
  name: string;
  id: string;
  session: SignedIn;
}

export interface Measured {
  places: Place[];
  /** Per organization: the largest, and a small one. */
  clean: StatementFigures[];
  dirty: StatementFigures[];
  first: number[];
  computed: number[];
  repeated: number[];
  /** The duration of each request in the largest organization. */
  live: number[];
  broad: number[];
  /** Milliseconds. */
  visible: number;
  file: ExportFigures;
  cpu: { facts: number; rollUps: number };
  rebuildSeconds: number;
}

export function goalsOf({ clean, dirty, computed, live, broad, visible, cpu, rebuildSeconds }: Measured): Goal[] {
  const goal = (work: string, measured: number, limit: number, unit: string): Goal => ({ id: 'G6', work, measured, limit, unit });
  return [
    goal('90 days of analytics, largest organization, in PostgreSQL', clean[0]!.ms, 2, 'ms'),
    goal('90 days of analytics, largest organization, buffers', clean[0]!.buffers, 200, 'buffers'),
    goal('90 days of analytics, 30 of them read before and today dirty, buffers', dirty[0]!.buffers, 200, 'buffers'),
    goal('analytics, largest ÷ small organization', computed[0]! / computed[1]!, 1.3, '×'),
    goal('analytics with two filters, largest organization, p50', quantile(live, 0.5), 50, 'ms'),
    goal('analytics with two filters that match a quarter, p50', quantile(broad, 0.5), 50, 'ms'),
    goal('event to visible figure, p50', visible, 1_000, 'ms'),
    goal('CPU of facts and roll-ups ÷ facts', (cpu.facts + cpu.rollUps) / cpu.facts, 1.3, '×'),
    goal('rebuild of the largest organization', rebuildSeconds, 60, 's'),
  ];
}

/** The goals first, then what has none. */
export function rowsOf(measured: Measured): string[][] {
  const { places, clean, dirty, first, computed, repeated, live, broad, file, cpu } = measured;
  const inPostgres = ({ ms, buffers }: StatementFigures) => `${ms.toFixed(2)} ms, ${buffers} buffers`;
  const perPlace = <T>(name: string, values: T[], text: (value: T) => string) =>
    places.map((place, i) => ['', `${name}, ${place.name}`, text(values[i]!), '']);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return [
    ...goalTable(goalsOf(measured)).rows.map(([isMet, , ...row]) => [isMet!, ...row]),
    ...perPlace('90 days in PostgreSQL, first read', clean, inPostgres),
    ...perPlace('30 days read before, today dirty', dirty, inPostgres),
    ...perPlace('GET /analytics, p50, first read', first, ms),
    ...perPlace('GET /analytics, p50, computed', computed, ms),
    ...perPlace('GET /analytics, p50, repeated', repeated, ms),
    ['', 'GET /analytics, p99, two filters', ms(quantile(live, 0.99)), ''],
    ['', 'GET /analytics, p99, two filters that match a quarter', ms(quantile(broad, 0.99)), ''],
    ['', 'CPU of the facts of 2,000 changes, and of their roll-ups', `${ms(cpu.facts)} and ${ms(cpu.rollUps)}`, ''],
    ...exportRows(file).map((row) => ['', ...row]),
  ];
}
