import { step } from '../../local/steps.ts';
import type { Report, Table } from '../report.ts';
import { quantile } from '../statistics.ts';
import { callsPerMinute, startSyncBench, timesFaster } from './sync-bench.ts';
import { measureBackfill, measureBurst, type BackfillFigures, type Memory, type BurstFigures } from './sync-load.ts';
import { measureWays, perSecond, type Ways } from './sync-ways.ts';

/** The two-way sync with a task tool: latency, number of calls, and a burst of changes. The tool is a sandbox with ClickUp's rate limit. */
export async function syncSuite(signal: AbortSignal): Promise<Report> {
  const bench = await startSyncBench(signal);
  try {
    const ways = await step('changes both ways', () => measureWays(bench));
    const backfill = await step('backfill', () => measureBackfill(bench));
    const burst = await step('burst of webhooks', () => measureBurst(bench));
    return { tables: [waysTable(ways), backfillTable(backfill), burstTable(burst)], figures: { ways, backfill, burst } };
  } finally {
    await bench.stop();
  }
}

const ms = (figures: number[], q: number): string => quantile(figures, q).toFixed(0);
const many = (n: number): string => Math.round(n).toLocaleString('en');

function waysTable({ toTask, toEvent, toTicket }: Ways): Table {
  const rows = [
    ['ticket changed → task changed', toTask],
    ['task changed → event in an open page', toEvent],
    ['task changed → ticket on screen', toTicket],
  ] as const;
  return {
    title: 'From a change on one side to the other, ms',
    columns: ['', 'one at a time: p50', 'p99', `${perSecond} a second: p50`, 'p99'],
    rows: rows.map(([name, { idle, steady }]) => [name, ms(idle, 0.5), ms(idle, 0.99), ms(steady, 0.5), ms(steady, 0.99)]),
  };
}

/** Lowest and highest memory after the warm-up, and its values at start and end. */
function memoryText({ samples }: Memory): string {
  const mb = samples.map(([, each]) => each);
  const warm = mb.slice(Math.min(10, Math.floor(mb.length / 4)));
  return `${many(Math.min(...warm))}–${many(Math.max(...warm))} MB (start ${many(mb[0]!)}, end ${many(mb.at(-1)!)})`;
}

const callRows = (calls: Record<string, number>): string[][] =>
  Object.entries(calls)
    .sort(([, one], [, other]) => other - one)
    .map(([route, n]) => [route, many(n)]);

const sumOf = (calls: Record<string, number>): number => Object.values(calls).reduce((sum, n) => sum + n, 0);

function backfillTable({ tickets, seconds, calls, memory }: BackfillFigures): Table {
  return {
    title: `${many(tickets)} tickets backfilled under ${callsPerMinute} calls a minute, with a minute ${timesFaster} × as fast`,
    columns: ['', ''],
    rows: [
      ['calls per ticket', (sumOf(calls) / tickets).toFixed(3)],
      ['duration', `${seconds.toFixed(0)} s, ${(tickets / seconds).toFixed(0)} tickets a second`],
      ['memory of integrations', memoryText(memory)],
      ...callRows(calls),
    ],
  };
}

function burstTable({ webhooks, seconds, answersMs, failed, appliedAfterSeconds, quietAfterSeconds, calls, memory }: BurstFigures): Table {
  return {
    title: `A burst of ${many(webhooks)} webhooks in ${seconds.toFixed(0)} s`,
    columns: ['', ''],
    rows: [
      ['answered: p50, p99, max', `${ms(answersMs, 0.5)} ms, ${ms(answersMs, 0.99)} ms, ${ms(answersMs, 1)} ms (p99 ≤ 1 s)`],
      ['without a 2xx response', many(failed)],
      ['all applied to their tickets', `${appliedAfterSeconds.toFixed(1)} s after the first`],
      ['no work pending', `${quietAfterSeconds.toFixed(1)} s after the first`],
      ['calls per webhook', (sumOf(calls) / webhooks).toFixed(3)],
      ['memory of integrations', memoryText(memory)],
      ...callRows(calls),
    ],
  };
}
