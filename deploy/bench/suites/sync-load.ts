/** Measures the sync under load: tasks for all existing tickets, and a burst of webhooks. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../session.ts';
import { call, count, expectConsistent, isQuiet, tickets, until, type SyncBench } from './sync-bench.ts';

export interface Memory {
  /** Seconds since the start, and resident MB. */
  samples: [at: number, mb: number][];
}
export interface BackfillFigures {
  tickets: number;
  seconds: number;
  calls: Record<string, number>;
  memory: Memory;
}
export interface BurstFigures {
  webhooks: number;
  seconds: number;
  answersMs: number[];
  /** Attempts without a 2xx response. */
  failed: number;
  /** Measured from the first webhook. */
  appliedAfterSeconds: number;
  quietAfterSeconds: number;
  calls: Record<string, number>;
  memory: Memory;
}

/** Samples the resident memory of integrations once a second until `work` is done. */
async function withMemory<T>({ system }: SyncBench, work: () => Promise<T>): Promise<T & { memory: Memory }> {
  const pid = system.product.find(({ name }) => name === 'integrations')!.pid;
  const samples: Memory['samples'] = [];
  const begun = performance.now();
  const look = () => {
    const kb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
    samples.push([Math.round((performance.now() - begun) / 1_000), kb / 1024]);
  };
  look();
  const timer = setInterval(look, 1_000);
  try {
    return { ...(await work()), memory: { samples } };
  } finally {
    clearInterval(timer);
  }
}

const callsOf = ({ tool }: SyncBench): Record<string, number> => Object.fromEntries(tool.requestCounts);

export const measureBackfill = (bench: SyncBench): Promise<BackfillFigures> =>
  withMemory(bench, async () => {
    const { system, tool, integration_id } = bench;
    tool.clearLog();
    const begun = performance.now();
    const { status, data } = await call<{ total: number }>(bench, 'POST', `/task-tool/integrations/${integration_id}/backfill`);
    expect('status of the backfill', status, 202);
    expect('tickets to be backfilled', data.total, tickets);
    const isMade = async () => (await count(system, 'tandem_integrations', `links where state = 'creating'`)) === 0;
    await until(system, 'each ticket has its task', isMade, 1_200_000);
    const seconds = (performance.now() - begun) / 1_000;
    const calls = callsOf(bench);
    await expectConsistent(bench);
    const tasks = new Set(tool.tasks().map(({ description }) => /\/tickets\/([\w-]+)/.exec(description)?.[1]));
    expect('tickets that have a task', tasks.size, tool.tasks().length);
    return { tickets: data.total, seconds, calls };
  });

const burstSeconds = 60;
const tickMs = 60;

type Sent = SyncBench['tool']['deliveries'][number];

/** Renames every task: each causes one webhook with a change. */
export const measureBurst = (bench: SyncBench): Promise<BurstFigures> =>
  withMemory(bench, async () => {
    const { system, tool } = bench;
    await until(system, 'earlier changes are processed', () => isQuiet(system), 300_000);
    await tool.deliveriesSettled();
    tool.clearLog();
    const begun = performance.now();
    const since = () => (performance.now() - begun) / 1_000;
    const [{ records, seconds }, appliedAfterSeconds] = await Promise.all([renameAll(bench, begun), untilApplied(bench, since)]);
    await until(system, 'no work is pending', () => isQuiet(system), 600_000);
    const quietAfterSeconds = since();
    await expectConsistent(bench);
    const statuses = [...records].flatMap((record) => record.statuses);
    return {
      webhooks: records.size,
      seconds,
      appliedAfterSeconds,
      quietAfterSeconds,
      calls: callsOf(bench),
      answersMs: [...records].flatMap(({ took_ms }) => took_ms),
      failed: statuses.filter((status) => status === null || status >= 300).length,
    };
  });

/** Renames at a fixed rate, until the last webhook is answered. The tool stores its last 5,000, so they are collected during the run. */
async function renameAll({ system, tool }: SyncBench, begun: number): Promise<{ records: Set<Sent>; seconds: number }> {
  const ids = tool
    .tasks()
    .slice(0, tickets)
    .map(({ id }) => id);
  const before = new Set(tool.deliveries);
  const records = new Set<Sent>();
  const collect = () => tool.deliveries.forEach((record) => before.has(record) || records.add(record));
  for (const [n, id] of ids.entries()) {
    const due = (n * burstSeconds * 1_000) / ids.length;
    await sleep(Math.max(0, begun + due - (due % tickMs) - performance.now()));
    system.signal.throwIfAborted();
    tool.person.rename(id, `Burst ${n}`);
    if (n % 1_000 === 0) collect();
  }
  const seconds = (performance.now() - begun) / 1_000;
  await tool.deliveriesSettled();
  collect();
  return { records, seconds };
}

async function untilApplied({ system }: SyncBench, since: () => number): Promise<number> {
  const isApplied = async () => (await count(system, 'tandem_tickets', `tickets where subject like 'Burst %'`)) === tickets;
  await until(system, 'each ticket has the new title of its task', isApplied, 600_000);
  return since();
}
