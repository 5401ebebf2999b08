import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, environment } from './compose';
import { locateCompose } from './local/locate.ts';

/** `docker compose config` of the real plugin, which needs no Docker. */
const root = join(__dirname, '..');
const profiles = ['monitoring', 'tools', 'mail-catcher'].flatMap((name) => ['--profile', name]);
let plugin: string;
let folder: string;
beforeAll(async () => {
  plugin = await locateCompose(() => undefined);
}, 120_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-compose-'));
  cpSync(join(root, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
  for (const each of ['compose', 'caddy', 'one-server', 'monitoring'])
    cpSync(join(root, 'deploy', each), join(folder, 'deploy', each), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const makeEnv = () => execFileSync('sh', [join(folder, 'deploy/compose/make-env.sh')], { stdio: 'pipe' });
const written = () => environment(readFileSync(join(folder, '.env'), 'utf8'));
function config(env: Record<string, string> = {}): SpawnSyncReturns<string> {
  const args = [...profiles, 'config', '--format', 'json'];
  return spawnSync(plugin, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder, ...env } });
}
interface Resolved {
  services: Record<string, { environment?: Record<string, string | null>; mem_limit?: string; profiles?: string[]; read_only?: boolean }>;
}
function resolved(env?: Record<string, string>): Resolved {
  const { status, stdout, stderr } = config(env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Resolved;
}

it('accepts the project, and gives each service the environment that the other tests check', () => {
  makeEnv();
  const { services } = resolved();
  const read = compose(written());
  const all = Object.entries(services).map(([name, { environment: given }]) => [name, given ?? {}]);
  const expected = Object.keys(services).map((name) => {
    const variables = Object.entries(read[name]!.environment ?? {});
    return [name, Object.fromEntries(variables.map(([key, value]) => [key, String(value)]))];
  });
  expect(Object.fromEntries(all)).toEqual(Object.fromEntries(expected));
  expect(Object.keys(services).sort()).toEqual(Object.keys(read).sort());
});

it('refuses a project with an unknown option, so that the other tests prove something', () => {
  makeEnv();
  const path = join(folder, 'docker-compose.yml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('read_only: true', 'read_onli: true'));
  const { status, stderr } = config();
  expect(status).not.toBe(0);
  expect(stderr).toContain('read_onli');
});

it('names the command that writes .env if there is none', () => {
  const { status, stderr } = config();
  expect(status).not.toBe(0);
  expect(stderr).toContain('run deploy/compose/make-env.sh first');
});

it('accepts the project that install.sh has configured, with Caddy, limits and no mail catcher', () => {
  // Stands in for Docker, which does not run in tests: the volume of an earlier installation does not exist, all commands succeed.
  mkdirSync(join(folder, 'bin'));
  for (const [name, script] of [
    ['docker', '#!/bin/sh\ncase "$*" in "volume inspect"*) exit 1 ;; esac'],
    ['systemctl', '#!/bin/sh'],
  ] as const) {
    writeFileSync(join(folder, 'bin', name), script);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  mkdirSync(join(folder, 'units'));
  const settings = {
    DOMAIN: 'help.tandem.test',
    EMAIL: 'ops@tandem.test',
    ADMIN: 'grace@tandem.test',
    ORGANIZATION: 'Acme & Sons',
    // A dollar sign in .env would be read as the beginning of a variable.
    SMTP_URL: 'smtps://tandem:p%24ss@mail.tandem.test',
    SYSTEMD_UNITS: join(folder, 'units'),
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  };
  execFileSync('sh', [join(folder, 'deploy/one-server/install.sh')], { env: settings, stdio: 'pipe' });
  const { services } = resolved();
  expect(services.notifications!.environment).toMatchObject({ SMTP_URL: settings.SMTP_URL, MAIL_DOMAIN: settings.DOMAIN });
  expect(services.caddy!.environment).toEqual({ PRODUCT_HOST: settings.DOMAIN, CADDY_GLOBAL_OPTIONS: `email ${settings.EMAIL}` });
  expect(services.gateway!.environment).toMatchObject({ PUBLIC_URL: `https://${settings.DOMAIN}`, CERTIFICATE_PORT: '3001' });
  expect(services.mailbox!.profiles).toEqual(['mail-catcher']);
  const unlimited = Object.entries(services).filter(([, { mem_limit }]) => !mem_limit);
  expect(unlimited.map(([name]) => name).sort()).toEqual(['grafana', 'prometheus']);
  // bundle.sh saves these.
  const { stdout } = spawnSync(plugin, ['config', '--images'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder },
  });
  const own = ['analytics', 'deploy', 'gateway', 'identity', 'integrations', 'notifications', 'tickets'].map((name) => `tandem/${name}`);
  const others = stdout
    .trim()
    .split('\n')
    .filter((image) => !own.includes(image));
  expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining(own));
  expect(others.map((image) => image.replace(/:.*/, '')).sort()).toEqual(['caddy', 'nats', 'postgres', 'redis']);
});
