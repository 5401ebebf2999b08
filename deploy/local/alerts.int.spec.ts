import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './local-directory.ts';
import { locatePromtool } from './locate.ts';

const folder = join(repository, 'deploy/monitoring');
const filesIn = (name: string) => readdirSync(join(folder, name)).map((file) => join(folder, name, file));
let promtool: string;
beforeAll(async () => {
  promtool = await locatePromtool(() => undefined);
}, 300_000);

// Concurrent garbage collection takes a quarter of the CPU time of the tests of rules.
const env = { ...process.env, GOMAXPROCS: '1', GOGC: '400' };
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8', env });
  return { status, output: `${stdout}${stderr}` };
};

describe('the alerting rules', () => {
  it('are valid for Prometheus', () => {
    expect(run('check', 'rules', ...filesIn('rules'))).toMatchObject({ status: 0 });
  });

  it('fire when they are due, and not before', () => {
    expect(run('test', 'rules', ...filesIn('tests'))).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') as string });
  }, 120_000);

  it.each(['prometheus.yml', 'prometheus-debian.yml'])('are read by %s', (file) => {
    expect(run('check', 'config', '--syntax-only', join(folder, file))).toMatchObject({ status: 0 });
  });
});
