import { step } from '../../local/steps.ts';
import { load, type Call } from '../load.ts';
import { memoryOf } from '../processes.ts';
import type { Report } from '../report.ts';
import { BenchSystem } from '../bench-system.ts';
import * as cases from './cases.ts';
import { untilIdle } from './idle-memory.ts';

const small = { organizations: 20, first: 1_000, each: 1_000, commented: 100, people: 5 };

/** The memory of all services in one process, after lists, tickets with comments and creates with their emails. */
export async function oneProcessSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, small, {}, { oneProcess: true });
  const { settle, close } = await cases.settler(system);
  try {
    const reader = await cases.readerOf(system);
    const writer = await cases.writerOf(system);
    const ids = await cases.newestIds(system, 100);
    const run = (work: string, calls: Call[]) =>
      step(work, () => load({ origin: system.gatewayOrigin, calls, connections: 16, seconds: 10, directory: system.directory, signal }));
    await run('lists', cases.listOfProduct(reader));
    await run('tickets with comments', cases.openOfProduct(ids, reader));
    await run('creates', cases.createOfProduct(writer));
    await step('emails', settle);
    const loaded = memoryOf(system.product, cases.isOfProduct);
    await untilIdle();
    const idle = memoryOf(system.product, cases.isOfProduct);
    const rows = Object.keys(idle).map((name) => [name, loaded[name]!.toFixed(0), idle[name]!.toFixed(0), name === 'tandem' ? '180' : '']);
    return {
      tables: [{ title: 'Memory with all services in one process, PSS in MB', columns: ['process', 'after load', 'idle', 'goal'], rows }],
      figures: { loaded, idle },
      goals: [{ id: 'G11', work: 'memory of one process, idle after load', measured: idle.tandem!, limit: 180, unit: 'MB' }],
    };
  } finally {
    await close();
    await system.stop();
  }
}
