import { setTimeout as sleep } from 'node:timers/promises';
import { Load, type LoadReport } from '../../cluster/load.ts';
import { onCluster } from '../on-cluster.ts';
import { compareStored, killReplicas, untilServicesAgree } from '../../cluster/replicas.ts';
import type { Summary } from '../../cluster/summary.ts';
import { line, step } from '../../local/steps.ts';
import type { Report, Table } from '../report.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 180);
const killEverySeconds = 10;

/** Three gateways and two replicas of each service behind HAProxy: one process is killed every ten seconds for three minutes, under load. */
export function replicasSuite(signal: AbortSignal): Promise<Report> {
  return onCluster(signal, async (cluster) => {
    const load = await Load.start({ origin: cluster.origin, name: 'Replicas', users: 4, paceMs: 100 });
    const begun = performance.now();
    const isDone = async (kills: number) => {
      await Promise.race([
        sleep(Math.max(0, begun + kills * killEverySeconds * 1_000 - performance.now()), undefined, { signal }),
        load.failed,
      ]);
      return performance.now() - begun > seconds * 1_000;
    };
    const victims = await step(`a kill every ${killEverySeconds} s for ${seconds} s`, () => killReplicas(cluster, load, isDone));
    const report = await load.stop();
    await step('until all services agree', () => untilServicesAgree(cluster));
    const { lost, twice } = await compareStored(cluster, report);
    line(`  killed: ${victims.join(', ')}`);
    printGaps(report);
    if (lost.length + twice.length > 0) throw new Error(`lost: ${lost.join(', ')}; twice: ${twice.join(', ')}`);
    return { tables: [loadTable(`${victims.length} kills in ${seconds} s`, report)], figures: { victims, ...report } };
  });
}

/** What failed, and for how long. */
export function loadTable(title: string, { reads, writes, longestWriteMs, repeated, tickets, comments }: LoadReport): Table {
  const row = (name: string, { requests, failed, failures, longestGap }: Summary) => [
    name,
    String(requests),
    String(failed),
    reasons(failures),
    longestGap.ms.toFixed(0),
    `${(longestGap.from / 1_000).toFixed(1)} s: ${reasons(longestGap.failures)}`,
  ];
  const accepted = tickets.length + comments.length;
  return {
    title: `${title}: ${accepted} writes accepted, ${repeated} of them after a repeat, none lost and none stored twice; the slowest took ${longestWriteMs.toFixed(0)} ms with its repeats`,
    columns: ['requests', 'sent', 'failed', 'reasons', 'longest time without a success, ms', 'its start, and failures in it'],
    rows: [row('reads', reads), row('writes', writes)],
  };
}

/** Each time of more than two seconds without a success, to compare with the times of the kills. */
function printGaps({ reads, writes }: LoadReport): void {
  for (const [name, { gaps }] of Object.entries({ reads, writes }))
    for (const { from, ms, failures } of gaps)
      line(`  no accepted ${name} for ${(ms / 1_000).toFixed(1)} s from ${(from / 1_000).toFixed(1)} s: ${reasons(failures)}`);
}

const reasons = (failures: Record<string, number>): string =>
  Object.entries(failures)
    .map(([failure, count]) => `${count} × ${failure}`)
    .join(', ');
