import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../local/build.ts';
import { localDirectory } from '../local/local-directory.ts';
import { step } from '../local/steps.ts';
import { Cluster, separateProcesses } from '../cluster/cluster.ts';
import { removeDirectory } from './bench-system.ts';

/** Runs `work` with three gateways and two replicas of each service, which start with the code in `root`; waits for the disk, as in production. */
export async function onCluster<T>(signal: AbortSignal, work: (cluster: Cluster) => Promise<T>, root?: string): Promise<T> {
  await step('build', async (setResult) => ((await build(localDirectory(), signal)) ? undefined : setResult('nothing has changed')));
  const directory = join(localDirectory(), 'bench', `cluster-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  const options = { directory, kinds: separateProcesses, signal, ephemeral: false, ...(root === undefined ? {} : { root }) };
  const cluster = await step('13 processes behind HAProxy', () => Cluster.start(options));
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
    removeDirectory(directory);
  }
}
