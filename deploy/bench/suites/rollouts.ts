import { join } from 'node:path';
import { separateProcesses, type Cluster } from '../../cluster/cluster.ts';
import { Load, type LoadReport } from '../../cluster/load.ts';
import { onCluster } from '../on-cluster.ts';
import { previousCommit, previousVersion } from '../../cluster/previous-version.ts';
import { compareStored, untilServicesAgree } from '../../cluster/replicas.ts';
import { Evidence, rotateSecrets } from '../../cluster/rotation.ts';
import { repository } from '../../local/local-directory.ts';
import { step } from '../../local/steps.ts';
import type { Report } from '../report.ts';
import { loadTable } from './replicas.ts';

/** Rotates all secrets of three gateways and two replicas of each service under load, with three rollouts. */
export function rotationSuite(signal: AbortSignal): Promise<Report> {
  return onCluster(signal, async (cluster) => {
    const evidence = await Evidence.collect(cluster);
    const load = await start(cluster, 'Rotation');
    await rotateSecrets(cluster, load, async (name, work) => {
      await step(name, work);
      await evidence.check();
      await evidence.refresh();
    });
    return finish(cluster, await load.stop(), 'Rotation of all secrets');
  });
}

/** Upgrades three gateways and two replicas of each service from the previous version under load. */
export async function upgradeSuite(signal: AbortSignal): Promise<Report> {
  const commit = previousCommit();
  const folders = ['deploy', ...separateProcesses.map(({ folder }) => folder)];
  const root = await step(`build of ${commit}`, () => previousVersion(commit, folders, signal));
  const work = async (cluster: Cluster) => {
    const load = await start(cluster, 'Upgrade');
    cluster.deploy({ root: repository });
    await step('backup and migrations', () => cluster.command('tandem', 'upgrade', join(cluster.directory, 'before-upgrade')));
    await step('processes of the new version', () => cluster.roll({ whileBothRun: () => load.rounds(3) }));
    return finish(cluster, await load.stop(), `Upgrade from ${commit}`);
  };
  return onCluster(signal, work, root);
}

const start = (cluster: Cluster, name: string) => Load.start({ origin: cluster.origin, name, users: 4, paceMs: 100 });

async function finish(cluster: Cluster, report: LoadReport, title: string): Promise<Report> {
  await step('until all services agree', () => untilServicesAgree(cluster));
  const { lost, twice } = await compareStored(cluster, report);
  if (lost.length + twice.length > 0) throw new Error(`lost: ${lost.join(', ')}; twice: ${twice.join(', ')}`);
  return { tables: [loadTable(title, report)], figures: report };
}
