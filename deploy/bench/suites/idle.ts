import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { cpuBetween, readCpu } from '../processes.ts';
import type { Report } from '../report.ts';

const size = { organizations: 3, first: 1_000, each: 1_000, commented: 10, people: 5 };
/** What follows from the start and from the data is over by then. */
const settleMs = 30_000;
/** Two sweeps. */
const measuredMs = 60_000;

/** Measures transactions and processor time per second of an installation without users. */
export async function idleSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size);
  try {
    await step('settle', () => sleep(settleMs, undefined, { signal }));
    const [before, cpuBefore] = [await transactions(system), readCpu(system.product)];
    await step('nothing', () => sleep(measuredMs, undefined, { signal }));
    const [after, cpu] = [await transactions(system), cpuBetween(cpuBefore, readCpu(system.product))];
    const perSecond = (count: number) => (count * 1_000) / measuredMs;
    const rates = Object.fromEntries(Object.entries(after).map(([name, count]) => [name, perSecond(count - (before[name] ?? 0))]));
    return {
      tables: [
        {
          title: 'Without any request, per second',
          columns: ['', 'transactions', 'goal'],
          rows: Object.entries(rates).map(([name, rate]) => [name, rate.toFixed(2), '≤ 1']),
        },
        {
          title: 'Processor time, ms per second',
          columns: ['', ''],
          rows: Object.entries(cpu).map(([name, ms]) => [name, perSecond(ms).toFixed(2)]),
        },
      ],
      figures: { rates, cpu },
    };
  } finally {
    await system.stop();
  }
}

/** By database. Sessions report what they have done a second later at most, if they are idle. */
async function transactions(system: BenchSystem): Promise<Record<string, number>> {
  const rows = await system.query<{ datname: string; count: number }>(
    'postgres',
    `select datname, (xact_commit + xact_rollback)::int as count from pg_stat_database where datname like 'tandem\\_%' order by datname`,
  );
  return Object.fromEntries(rows.map(({ datname, count }) => [datname, count]));
}
