import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { generator } from '../load.ts';
import type { Report } from '../report.ts';
import { compare, over, ratio, type Comparison } from '../rounds.ts';
import { shown } from '../statistics.ts';
import * as cases from './cases.ts';

/** The list without tracing and with the default of a tenth of the requests, each next to the floor: what tracing costs. */
export async function tracingSuite(signal: AbortSignal): Promise<Report> {
  const collector = createServer((request, response) => void request.resume().on('end', () => response.writeHead(200).end('{}')));
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  let exports = 0;
  collector.on('request', () => exports++);
  try {
    const without = await step('list without tracing', () => measure(signal, {}));
    if (exports > 0) throw new Error('traces were sent although tracing is off');
    const traced = await step('list with tracing', () => measure(signal, { OTEL_EXPORTER_OTLP_ENDPOINT: address }));
    if (exports === 0) throw new Error('no traces were sent');
    return report(without, traced, exports);
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
}

async function measure(signal: AbortSignal, env: Record<string, string>): Promise<Comparison> {
  const system = await BenchSystem.start(signal, undefined, env);
  try {
    const session = await cases.readerOf(system);
    const candidates = [
      cases.floorOf(system, 'floor', cases.listOfFloor),
      cases.productOf(system, 'product', () => cases.listOfProduct(session)),
    ];
    for (const candidate of candidates) await cases.checkList(system, candidate);
    return await compare(system, candidates, { connections: 16, seconds: 3 });
  } finally {
    await system.stop();
  }
}

function report(without: Comparison, traced: Comparison, exports: number): Report {
  const timesFloor = (comparison: Comparison) => ratio(comparison, 'product', 'floor', ({ cpu }) => cpu);
  const row = (name: string, comparison: Comparison) => [
    name,
    ...['floor', 'product'].map((each) => shown(over(comparison, each, ({ cpu }) => cpu))),
    shown(timesFloor(comparison)),
  ];
  return {
    tables: [
      {
        title: `List, CPU of all processes per request, ms (${generator}, 16 connections; the collector received ${exports} batches): median [quartiles] of 5 rounds`,
        columns: ['', 'floor', 'product', 'product ÷ floor'],
        rows: [row('without tracing', without), row('a tenth of the requests traced', traced)],
      },
    ],
    figures: { without, traced, exports },
    goals: [
      {
        id: 'G15',
        work: 'list with a tenth of the requests traced ÷ without tracing',
        measured: timesFloor(traced).median / timesFloor(without).median,
        limit: 1.35,
        unit: '×',
      },
    ],
  };
}
