import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compose, environment } from '../compose';
import { processes, processNames } from '../processes';

const root = join(__dirname, '..', '..');

/** Stands in for Docker, which does not run in tests: records its arguments, and runs the shell commands of backup.sh in the folder `backups`. */
const docker = `#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
  info) exit "\${INFO_RESULT:-0}" ;;
  'volume inspect'*) exit "\${VOLUME_RESULT:-1}" ;;
  *'compose build'*) exit "\${BUILD_RESULT:-0}" ;;
  *'config --images') printf '%s\\n' tandem/gateway postgres:18 tandem/gateway ;;
  'save -o '*) echo "$PWD" >> "$CALLS"; echo images > images.tar ;;
  *'admin create'*) [ -z "\${ADMIN_EXISTS:-}" ] || { echo 'a@example.com is already a member of an organization.'; exit 1; }; echo 'the link' ;;
  *'mail test'*) exit "\${MAIL_RESULT:-0}" ;;
  *doctor*) exit 1 ;;
  *'tandem restore'*) exit "\${RESTORE_RESULT:-0}" ;;
  *'tandem backup'*) exit "\${BACKUP_RESULT:-0}" ;;
  *' sh -c '*)
    for argument do case "$argument" in KEEP=*) export "$argument" ;; esac; last=$argument; done
    sh -c "$(printf %s "$last" | sed "s#/backups#$PWD/backups#g")" ;;
esac`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-one-server-'));
  for (const each of ['deploy/one-server', 'deploy/compose']) cpSync(join(root, each), join(folder, each), { recursive: true });
  for (const each of ['bin', 'units', 'backups']) mkdirSync(join(folder, each));
  for (const [name, text] of [
    ['docker', docker],
    ['systemctl', '#!/bin/sh\necho "systemctl $*" >> "$CALLS"'],
  ] as const) {
    writeFileSync(join(folder, 'bin', name), text);
    chmodSync(join(folder, 'bin', name), 0o755);
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

function run(script: string, env: Record<string, string> = {}, ...args: string[]): SpawnSyncReturns<string> {
  const path = `${join(folder, 'bin')}:${process.env.PATH}`;
  const own = { PATH: path, CALLS: join(folder, 'calls'), SYSTEMD_UNITS: join(folder, 'units') };
  return spawnSync('sh', [join(folder, 'deploy', 'one-server', script), ...args], {
    encoding: 'utf8',
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
const calls = (): string[] => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : []);
const written = () => environment(readFileSync(join(folder, '.env'), 'utf8'));

describe('install.sh', () => {
  it('writes an environment with which every process starts, and runs the steps in order', () => {
    const { status, stdout, stderr } = run('install.sh', settings);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const env = written();
    expect(env).toMatchObject({
      PUBLIC_URL: 'https://help.tandem.test',
      MAIL_DOMAIN: 'help.tandem.test',
      SMTP_URL: settings.SMTP_URL,
      SIGN_UP: 'invite',
      SINGLE_ORGANIZATION: 'true',
    });
    const services = compose(env);
    for (const name of processNames) {
      const variables = Object.fromEntries(Object.entries(services[name]!.environment ?? {}).map(([key, value]) => [key, String(value)]));
      expect(processes[name].config({ NODE_ENV: 'production', ...variables })).toMatchObject({
        name,
        PUBLIC_URL: 'https://help.tandem.test',
      });
    }
    for (const file of env.COMPOSE_FILE!.split(':')) expect(existsSync(join(root, file))).toBe(true);
    expect(calls().filter((call) => !call.startsWith('compose exec'))).toEqual([
      'compose version',
      'info',
      'volume inspect tandem_postgres',
      'compose build',
      'compose up -d --no-build',
      'compose run --rm -T tools npx tandem admin create grace@tandem.test --organization Acme & Sons',
      'compose run --rm -T tools npx tandem doctor',
      'compose run --rm -T tools npx tandem mail test grace@tandem.test',
      'systemctl daemon-reload',
      'systemctl enable --now tandem-backup.timer tandem-restore-drill.timer',
    ]);
    expect(stdout).toContain('Tandem is at https://help.tandem.test\nthe link\n');
    const units = readdirSync(join(folder, 'units')).map((name) => readFileSync(join(folder, 'units', name), 'utf8'));
    expect(units).toHaveLength(4);
    expect(units.filter((text) => text.includes('@DIRECTORY@'))).toEqual([]);
  });

  it('keeps the secrets and the organization when it is repeated with other settings', () => {
    run('install.sh', settings);
    const before = written();
    const { status, stdout } = run('install.sh', { ...settings, ADMIN_EXISTS: '1' }, '--domain', 'desk.tandem.test');
    expect(status).toBe(0);
    expect(stdout).toContain('grace@tandem.test is a member of an organization already.');
    const changed = {
      PUBLIC_URL: 'https://desk.tandem.test',
      PRODUCT_HOST: 'desk.tandem.test',
      MAIL_DOMAIN: 'desk.tandem.test',
      MAIL_FROM: 'tandem@desk.tandem.test',
    };
    expect(written()).toEqual({ ...before, ...changed });
  });

  it('lets only its user read .env, and leaves no other file with secrets', () => {
    writeFileSync(join(folder, '.env'), 'POSTGRES_PASSWORD=of-an-earlier-installation\n', { mode: 0o644 });
    expect(run('install.sh', settings)).toMatchObject({ status: 0, stderr: '' });
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
    expect(written()).toMatchObject({ POSTGRES_PASSWORD: 'of-an-earlier-installation', PUBLIC_URL: 'https://help.tandem.test' });
    expect(readdirSync(folder).sort()).toEqual(['.env', 'backups', 'bin', 'calls', 'deploy', 'units']);
  });

  it('refuses new secrets for the data of an earlier installation', () => {
    const { status, stderr } = run('install.sh', { ...settings, VOLUME_RESULT: '0' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('copy that file to this folder') as string });
    expect(existsSync(join(folder, '.env'))).toBe(false);
    run('install.sh', settings);
    expect(run('install.sh', { ...settings, VOLUME_RESULT: '0', ADMIN_EXISTS: '1' }).status).toBe(0);
  });

  it('writes no secrets while Docker does not run, because it cannot tell whether there is data', () => {
    const { status, stderr } = run('install.sh', { ...settings, INFO_RESULT: '1' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Docker is not running') as string });
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });

  it('starts nothing if the images cannot be built, and continues when it is repeated', () => {
    const { status, stderr } = run('install.sh', { ...settings, BUILD_RESULT: '17' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('The images could not be built') as string });
    expect(calls()).not.toContain('compose up -d --no-build');
    const secrets = written();
    expect(run('install.sh', settings).status).toBe(0);
    expect(written()).toEqual(secrets);
  });

  it('writes the folder into the units literally', () => {
    const moved = `${folder} R&D #1`;
    renameSync(folder, moved);
    folder = moved;
    expect(run('install.sh', settings).status).toBe(0);
    const unit = readFileSync(join(folder, 'units', 'tandem-backup.service'), 'utf8');
    expect(unit).toContain(`WorkingDirectory=${realpathSync(folder)}\n`);
  });

  it('does not replace .env with an incomplete file if it is interrupted', () => {
    writeFileSync(join(folder, 'bin', 'base64'), '#!/bin/sh\nexit 1', { mode: 0o755 });
    expect(run('install.sh', settings)).toMatchObject({ status: 1, stderr: 'The secrets could not be generated.\n' });
    expect(readdirSync(folder).filter((name) => name.startsWith('.env'))).toEqual([]);
  });

  it('fails if the mail server refuses the test email', () => {
    const { status, stdout, stderr } = run('install.sh', { ...settings, MAIL_RESULT: '1' });
    expect(status).toBe(1);
    expect(stderr).toContain('correct SMTP_URL');
    expect(stdout).not.toContain('Tandem is at');
  });

  it.each([
    [{ DOMAIN: 'https://help.tandem.test' }, 'is not a host name'],
    [{ DOMAIN: 'help.tandem.test\nEVIL=1' }, 'is not a host name'],
    [{ EMAIL: 'nobody' }, 'nobody is not an email address'],
    [{ ADMIN: "a'b@tandem.test" }, 'is not an email address'],
    [{ SMTP_URL: 'mail.tandem.test' }, 'SMTP_URL is not a URL'],
    [{ SMTP_URL: 'smtp://tandem:pa$HOME@mail.tandem.test' }, 'Write special characters as %24'],
    [{ MAIL_DOMAIN: 'localhost' }, 'localhost is not a domain'],
    [{ ADMIN: '' }, 'ADMIN is missing'],
  ])('refuses %j before it changes anything', (change, message) => {
    const { status, stderr } = run('install.sh', { ...settings, ...change });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) as string });
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });
});

describe('bundle.sh', () => {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@tandem.test', ...args], { cwd: folder, encoding: 'utf8' });
  beforeEach(() => {
    for (const args of [
      ['init', '-q'],
      ['add', 'deploy'],
      ['commit', '-qm', 'a'],
    ])
      expect(git(...args).status).toBe(0);
    rmSync(join(folder, 'calls'), { force: true });
  });

  it('writes the commit and the images to one file, from which a server installs Tandem without building', () => {
    // Of the machine that writes the bundle.
    writeFileSync(join(folder, '.env'), 'POSTGRES_PASSWORD=secret\n');
    writeFileSync(join(folder, 'deploy/one-server/install.sh'), 'not committed');
    const file = join(folder, 'tandem.tar.gz');
    expect(run('bundle.sh', {}, file)).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(folder).filter((name) => name.startsWith('tandem.tar.gz'))).toEqual(['tandem.tar.gz']);
    expect(calls().filter((call) => call.startsWith('save'))).toEqual(['save -o images.tar postgres:18 tandem/gateway']);

    const server = join(folder, 'server');
    mkdirSync(server);
    expect(spawnSync('tar', ['-xzf', file, '-C', server]).status).toBe(0);
    expect(readdirSync(join(server, 'tandem')).sort()).toEqual(['deploy', 'images.tar']);
    rmSync(join(folder, 'calls'));
    const { status, stderr } = run('../../server/tandem/deploy/one-server/install.sh', { ...settings, LOCAL_CERTIFICATES: 'true' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(calls()).toContain('load -q -i images.tar');
    expect(calls()).toContain('compose up -d --no-build');
    expect(calls().join('\n')).not.toMatch(/compose build|pull/);
    expect(environment(readFileSync(join(server, 'tandem', '.env'), 'utf8'))).toMatchObject({ CADDY_GLOBAL_OPTIONS: 'local_certs' });
  });

  it('leaves no file if an image cannot be built, and replaces none', () => {
    const file = join(folder, 'tandem.tar.gz');
    expect(run('bundle.sh', { BUILD_RESULT: '1' }, file)).toMatchObject({ status: 1 });
    expect(readdirSync(folder).filter((name) => name.startsWith('tandem'))).toEqual([]);
    writeFileSync(file, 'earlier');
    expect(run('bundle.sh', {}, file)).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') as string });
    expect(readFileSync(file, 'utf8')).toBe('earlier');
    expect(run('bundle.sh')).toMatchObject({ status: 1, stderr: expect.stringContaining('Name the file') as string });
  });
});

const backup = (name: string, isComplete = true) => {
  mkdirSync(join(folder, 'backups', name));
  if (isComplete) writeFileSync(join(folder, 'backups', name, 'manifest.json'), '{}');
};

describe('restore-drill.sh', () => {
  it('restores the latest complete backup into separate servers, and removes them', () => {
    backup('2026-11-05T02-30-00');
    backup('2026-11-06T02-30-00');
    backup('2026-11-07T02-30-00', false);
    const restore = 'compose -p tandem-drill run --rm -T -v tandem_backups:/drill:ro tools npx tandem restore /drill/2026-11-06T02-30-00';
    for (const result of ['0', '1']) {
      rmSync(join(folder, 'calls'), { force: true });
      expect(run('restore-drill.sh', { RESTORE_RESULT: result }).status).toBe(Number(result));
      expect(calls().filter((call) => call.startsWith('compose -p'))).toEqual([
        'compose -p tandem-drill down --volumes --remove-orphans',
        'compose -p tandem-drill up -d --wait postgres nats redis',
        restore,
        'compose -p tandem-drill down --volumes --remove-orphans',
      ]);
    }
  });

  it('fails if there is no complete backup', () => {
    backup('2026-11-07T02-30-00', false);
    expect(run('restore-drill.sh')).toMatchObject({ status: 1, stderr: 'There is no backup.\n' });
  });
});

describe('backup.sh', () => {
  const days = ['01', '02', '03', '04', '05'].map((day) => `2026-11-${day}T02-30-00`);

  it('retains the latest backups and the folders of the operator', () => {
    for (const day of days) backup(day);
    backup('2026-11-06T02-30-00', false);
    backup('before-0.3.0');
    expect(run('backup.sh', { KEEP_BACKUPS: '2' })).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(join(folder, 'backups')).sort()).toEqual([...days.slice(-2), 'before-0.3.0']);
    expect(calls()[0]).toMatch(/^compose run --rm -T tools npx tandem backup \/backups\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/);
  });

  it('removes nothing if the backup fails, or KEEP_BACKUPS is not a number', () => {
    for (const day of days) backup(day);
    expect(run('backup.sh', { KEEP_BACKUPS: '2', BACKUP_RESULT: '1' }).status).toBe(1);
    for (const KEEP_BACKUPS of ['0', 'all', '-1']) expect(run('backup.sh', { KEEP_BACKUPS }).status).toBe(1);
    expect(readdirSync(join(folder, 'backups')).sort()).toEqual(days);
  });
});

it('compose.yml limits the memory and the log of every service, and leaves out the mail catcher', () => {
  const { services } = parse(readFileSync(join(root, 'deploy/one-server/compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { mem_limit?: string; logging?: object; profiles?: string[] }>;
  };
  const started = Object.keys(compose()).filter((name) => name !== 'prometheus' && name !== 'grafana');
  expect(Object.keys(services).sort()).toEqual([...started, 'caddy'].sort());
  for (const service of Object.values(services))
    expect(service).toMatchObject({ mem_limit: /^\d+[mg]$/.exec(service.mem_limit!)![0], logging: { driver: 'json-file' } });
  expect(services.mailbox!.profiles).toEqual(['mail-catcher']);
});
