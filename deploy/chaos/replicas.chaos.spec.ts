import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, oneServer } from '../cluster/cluster.ts';
import { Load, type LoadReport } from '../cluster/load.ts';
import { hasCommit, previousCommit, previousVersion } from '../cluster/previous-version.ts';
import { compareStored } from '../cluster/replicas.ts';
import { Evidence, rotateSecrets } from '../cluster/rotation.ts';
import { repository } from '../local/local-directory.ts';

const isUpgraded = hasCommit(previousCommit());
const itUpgraded = isUpgraded ? it : it.skip;
const reason = isUpgraded ? '' : ' (skipped: this clone has no history)';

let cluster: Cluster;
beforeAll(async () => {
  const { signal } = new AbortController();
  const directory = join(tmpdir(), 'tandem-tests', `replicas-${randomBytes(4).toString('hex')}`);
  const root = isUpgraded ? await previousVersion(previousCommit(), ['deploy'], signal) : repository;
  cluster = await Cluster.start({ directory, kinds: oneServer, root, signal });
}, 300_000);
afterAll(() => cluster?.stop(), 60_000);

const start = (name: string) => Load.start({ origin: cluster.origin, name, users: 1, paceMs: 100 });
/** What failed, by reason. */
const failuresOf = ({ reads, writes }: LoadReport) => ({ reads: reads.failures, writes: writes.failures });
const none = { reads: {}, writes: {} };

// In this order, on one installation: the upgrade starts with the previous version.
describe('the processes are replaced while requests arrive', () => {
  itUpgraded(
    `an upgrade from the previous version fails no request, and each write exists once${reason}`,
    async () => {
      const load = await start('Upgrade');
      cluster.deploy({ root: repository });
      await cluster.command('migrate');
      await load.rounds(2);
      await cluster.roll({ whileBothRun: () => load.rounds(4) });
      await load.rounds(2);
      const report = await load.stop();
      expect(failuresOf(report)).toEqual(none);
      expect(await compareStored(cluster, report)).toEqual({ lost: [], twice: [] });
    },
    300_000,
  );

  it('a rotation of all secrets fails no request, and sessions, file links, reply addresses and stored tokens keep working', async () => {
    const evidence = await Evidence.collect(cluster);
    const load = await start('Rotation');
    await rotateSecrets(cluster, load, async (_name, work) => {
      await work();
      await evidence.check();
      await evidence.refresh();
    });
    expect(failuresOf(await load.stop())).toEqual(none);
  }, 300_000);
});
