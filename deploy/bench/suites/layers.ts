import { step } from '../../local/steps.ts';
import { generator } from '../load.ts';
import type { Report } from '../report.ts';
import { compare, over, ratio, type Candidate, type Slice } from '../rounds.ts';
import { shown } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';
import * as cases from './cases.ts';

const cpu = (slice: Slice) => slice.cpu;

/** Requests the same list through one more layer each time, to show the cost of each layer. */
export async function layersSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal);
  try {
    const session = await cases.readerOf(system);
    const candidates: Candidate[] = [
      cases.floorOf(system, 'floor', cases.listOfFloor),
      { ...cases.productOf(system, 'tickets', () => cases.listOfService(system)), origin: system.env('TICKETS_URL') },
      cases.productOf(system, 'gateway', () => cases.listOfProduct(session)),
    ];
    for (const candidate of candidates) await cases.checkList(system, candidate);
    const comparison = await step('list through each layer', () => compare(system, candidates, { connections: 16, seconds: 3 }));
    const title: Record<string, string> = {
      floor: 'floor: Fastify + pg',
      tickets: 'tickets service, signed context',
      gateway: 'gateway and tickets service',
    };
    const rows = candidates.map(({ name }) => [
      title[name]!,
      shown(over(comparison, name, cpu)),
      name === 'floor' ? '1' : shown(ratio(comparison, name, 'floor', cpu)),
      over(comparison, name, (slice) => slice.perSecond).median.toFixed(0),
      over(comparison, name, (slice) => slice.p50Ms).median.toFixed(2),
      over(comparison, name, (slice) => slice.p99Ms).median.toFixed(2),
      `${(100 * over(comparison, name, (slice) => slice.foreign).median).toFixed(0)} %`,
      name === 'gateway' ? '≤ 2.0 ×' : '',
    ]);
    const columns = ['list through', 'CPU ms per request', '÷ floor', '/s', 'p50 ms', 'p99 ms', 'foreign CPU', 'goal'];
    const table = { title: `What each layer costs, 16 connections (${generator}): median [quartiles] of 5 rounds`, columns, rows };
    return { tables: [table], figures: { generator, comparison } };
  } finally {
    await system.stop();
  }
}
