import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSystem } from '../bench-system.ts';
import { cpuBetween, memoryOf, readCpu } from '../processes.ts';
import { ask, expect, type SignedIn } from '../session.ts';

export interface ExportFigures {
  rows: number;
  rowsPerSecond: number;
  /** CPU of all processes, PostgreSQL included. */
  cpuMsPerThousandRows: number;
  /** Maximum growth of the memory of gateway and analytics. */
  memoryGrowthMb: number;
  /** The slowest of the other requests in the meantime. */
  slowestOtherMs: number;
}

/** Downloads the file of a year, with another request of the same gateway every 50 ms. */
export async function measureExport(system: BenchSystem, { headers }: SignedIn): Promise<ExportFigures> {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const streaming = system.product.filter(({ name }) => name === 'gateway' || name === 'analytics');
  const memory = () => Object.values(memoryOf(streaming)).reduce((sum, mb) => sum + mb, 0);
  const [memoryBefore, cpuBefore, begun] = [memory(), readCpu(system.product), performance.now()];
  let [most, slowestOtherMs, isDone] = [memoryBefore, 0, false];
  const observe = async () => {
    while (!isDone) {
      const asked = performance.now();
      expect('the other response', (await ask(`${system.gatewayOrigin}/api/v1/auth/session`, { headers })).status, 200);
      slowestOtherMs = Math.max(slowestOtherMs, performance.now() - asked);
      most = Math.max(most, memory());
      await sleep(50, undefined, { signal: system.signal });
    }
  };
  const download = async () => {
    const url = `${system.gatewayOrigin}/api/v1/analytics/export.csv?from=${day(364)}&to=${day(0)}`;
    const response = await fetch(url, { headers, signal: system.signal });
    expect('the file', response.status, 200);
    let rows = -1;
    for await (const chunk of response.body!) for (const byte of chunk) if (byte === 10) rows += 1;
    isDone = true;
    return rows;
  };
  const [rows] = await Promise.all([download(), observe()]);
  const seconds = (performance.now() - begun) / 1_000;
  const cpuMs = Object.values(cpuBetween(cpuBefore, readCpu(system.product))).reduce((sum, ms) => sum + ms, 0);
  return {
    rows,
    rowsPerSecond: rows / seconds,
    cpuMsPerThousandRows: (cpuMs / rows) * 1_000,
    memoryGrowthMb: most - memoryBefore,
    slowestOtherMs,
  };
}

export const exportRows = ({ rows, rowsPerSecond, cpuMsPerThousandRows, memoryGrowthMb, slowestOtherMs }: ExportFigures): string[][] => [
  [`CSV file of ${rows.toLocaleString('en')} tickets`, `${Math.round(rowsPerSecond).toLocaleString('en')} rows/s`, ''],
  ['CPU of 1,000 rows of the file', `${cpuMsPerThousandRows.toFixed(0)} ms`, ''],
  ['memory of gateway and analytics during the file', `+${memoryGrowthMb.toFixed(0)} MB`, ''],
  ['slowest other request during the file', `${slowestOtherMs.toFixed(0)} ms`, ''],
];
