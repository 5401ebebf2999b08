import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { announcement } from './announcement.ts';
import { MissingServer } from './binaries.ts';
import { aptSources } from './debian-packages.ts';
import { askHolder, tryLock } from './lock.ts';
import { ManagedProcess, pauseAfterCrash } from './managed-process.ts';
import { freePort, isFree } from './ports.ts';
import { postgresUser } from './postgres.ts';
import { identityOf, isAlive } from './process-identity.ts';
import { mustRun, run } from './run.ts';
import { readState, updateState } from './state.ts';

let directory: string;
beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'tandem-starter-unit-'))));
afterAll(() => rmSync(directory, { recursive: true }));

/** Does not use `freePort`, which would reserve the port for this process. */
async function anUnusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe('a managed process', () => {
  it('is restarted immediately after its first crash, and with increasing delay after further ones', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 20].map(pauseAfterCrash)).toEqual([0, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  });
  it('is restarted after each of three kills', async () => {
    const lines: string[] = [];
    const marker = join(directory, 'marker');
    const program = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const managed: ManagedProcess = new ManagedProcess(
      {
        name: 'victim',
        logFile: join(directory, 'victim.log'),
        readyWithinMs: 60_000,
        stopSignal: 'SIGTERM',
        graceMs: 5_000,
        command: () => ({ file: process.execPath, args: ['-e', program], cwd: directory }),
        ready: () => (readFileSync(marker, 'utf8') === String(managed.pid) ? Promise.resolve() : Promise.reject(new Error('not yet'))),
        spawned: () => undefined,
      },
      (line) => lines.push(line),
      true,
    );
    await managed.start();
    for (const count of [1, 2, 3]) {
      await managed.kill('SIGKILL');
      while (lines.filter((line) => line === 'victim is running again').length < count) await sleep(20);
    }
    await managed.stop();
    expect(lines[0]).toContain('restarting it in 0 s');
    expect(lines.filter((line) => line === 'victim is running again')).toHaveLength(3);
  });
});

describe('a process identity', () => {
  it('differs for another process with the same PID', () => {
    const own = identityOf(process.pid)!;
    expect(isAlive(own)).toBe(true);
    expect(isAlive({ ...own, started: '1' })).toBe(false);
    expect(isAlive({ ...own, boot: 'another' })).toBe(false);
  });
});

describe('a lock', () => {
  it('has one holder, which can be identified, until it is released', async () => {
    const name = `test ${directory}`;
    const lock = await tryLock(name);
    expect(await tryLock(name)).toBeUndefined();
    lock!.setMessage('http://localhost:3000');
    expect(await askHolder(name)).toEqual({ pid: process.pid, message: 'http://localhost:3000' });
    await lock!.release();
    expect(await askHolder(name)).toBeUndefined();
    await (await tryLock(name))!.release();
  });
});

describe('a port', () => {
  it.each(['127.0.0.1', '::1', '0.0.0.0'])('is not free while another process listens on %s', async (host) => {
    const port = await freePort();
    const stranger = createServer().listen(port, host);
    await new Promise((resolve) => stranger.once('listening', resolve));
    expect(await isFree(port)).toBe(false);
    expect(await freePort(port)).not.toBe(port);
    stranger.close();
  });
});

describe('ports chosen by concurrent starters', () => {
  const program = `
    import { freePort } from ${JSON.stringify(join(__dirname, 'ports.ts'))};
    const wanted = process.argv.slice(1).map(Number);
    const ports = [];
    for (const port of wanted) ports.push(await freePort(port));
    console.log(JSON.stringify(ports));
    process.stdin.resume(); // holds its reservations until its input ends`;
  const choose = (wanted: number[]) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...wanted.map(String)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ports = once(child.stdout, 'data').then(([chunk]) => JSON.parse(String(chunk)) as number[]);
    return { ports, end: () => (child.stdin.end(), once(child, 'exit')) };
  };
  it('differ, and are free again when the starter ends', async () => {
    const wanted = [await anUnusedPort(), await anUnusedPort(), await anUnusedPort()];
    const starters = [choose(wanted), choose(wanted), choose(wanted)];
    const chosen = (await Promise.all(starters.map(({ ports }) => ports))).flat();
    expect(new Set(chosen).size).toBe(9);
    for (const port of wanted) expect(chosen).toContain(port);
    await Promise.all(starters.map(({ end }) => end()));
    const again = choose(wanted);
    expect(await again.ports).toEqual(wanted);
    await again.end();
  });
});

describe('the state file', () => {
  it('is replaced and reported as damaged if it cannot be parsed', () => {
    updateState(directory, (state) => void (state.cluster = 'one'));
    expect(readState(directory).cluster).toBe('one');
    writeFileSync(join(directory, 'state.json'), '{"cluster":');
    expect(readState(directory)).toMatchObject({ servers: {}, damaged: expect.stringContaining('JSON') as string });
  });
});

describe('the user that runs PostgreSQL', () => {
  const none = join(tmpdir(), 'no-such-directory');
  it('is the current user unless that is root', () => expect(postgresUser(none, none, {}, 1000)).toBeUndefined());
  it('is the user who called sudo', () =>
    expect(postgresUser(none, none, { SUDO_UID: '1234', SUDO_GID: '99' }, 0)).toEqual({ uid: 1234, gid: 99 }));
  it('is never root', () => expect(postgresUser(none, '/', {}, 0)!.uid).not.toBe(0));
});

describe('the log of a command', () => {
  it('contains its standard error, but not its secret output', async () => {
    const logFile = join(directory, 'logs', 'command.log');
    const program = `console.log('postgres://user:hunter2@db'); console.error('one migration')`;
    const command = { cwd: directory, logFile, isResultSecret: true };
    expect(await mustRun('command', process.execPath, ['-e', program], command)).toContain('hunter2');
    const failing = mustRun('command', process.execPath, ['-e', `${program}; process.exitCode = 1`], command);
    await expect(failing).rejects.toThrow(/one migration/);
    await expect(failing).rejects.not.toThrow(/hunter2/);
    expect(readFileSync(logFile, 'utf8')).toBe('one migration\none migration\n');
  });
});

describe('a program that is aborted', () => {
  it('has exited when the abort is reported', async () => {
    const [started, ended] = [join(directory, 'started'), join(directory, 'ended')];
    const write = (file: string) => `require('node:fs').writeFileSync(${JSON.stringify(file)}, '')`;
    const program = `process.on('SIGTERM', () => setTimeout(() => { ${write(ended)}; process.exit() }, 200)); ${write(started)}; setInterval(() => {}, 1000)`;
    const abort = new AbortController();
    const running = run(process.execPath, ['-e', program], { cwd: directory, signal: abort.signal });
    while (!existsSync(started)) await sleep(20);
    abort.abort();
    await expect(running).rejects.toThrow('aborted');
    expect(existsSync(ended)).toBe(true);
  });
  it.each([
    ['exits on SIGTERM', ''],
    ['ignores SIGTERM', "process.on('SIGTERM', () => {});"],
  ])('leaves no worker that %s', async (_what, handler) => {
    const pidFile = join(directory, `worker-${handler.length}`);
    const worker = `${handler} require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
    // As Jest does: exits on SIGTERM without a message to its workers.
    const program = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(worker)}]); setInterval(() => {}, 1000)`;
    const abort = new AbortController();
    const running = run(process.execPath, ['-e', program], { cwd: directory, signal: abort.signal, graceMs: 300 });
    while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(20);
    const workerProcess = identityOf(Number(readFileSync(pidFile, 'utf8')))!;
    expect(isAlive(workerProcess)).toBe(true);
    abort.abort();
    await expect(running).rejects.toThrow('aborted');
    while (isAlive(workerProcess)) await sleep(20);
  });
});

describe('the announcement of npm start', () => {
  const app = {
    publicUrl: 'http://localhost:3000',
    mailPort: 2525,
    taskToolPort: 4444,
    webhookSinkPort: 4545,
    env: { MAIL_DOMAIN: 'tandem.localhost' },
  };
  const signIns = [{ role: 'admin', email: 'ada@northwind.example', password: 'secret' }];
  const printed = (changes: Partial<typeof app> & { webhookSinkPort?: number | undefined } = {}) =>
    announcement({ ...app, ...changes }, { mailbox: 'http://127.0.0.1:8025', signIns, tookMs: 12_345, directory: '/tandem/.local' });

  it('prints the address of the webhook sink', () => {
    expect(printed()).toContain('  webhook sink: http://localhost:4545   (shows and verifies webhooks that are sent to its /hook)');
    expect(printed({ webhookSinkPort: undefined }).join('\n')).not.toContain('webhook sink');
  });
  it('prints where Tandem is, who can sign in, and where mail arrives', () => {
    expect(printed()).toEqual(
      expect.arrayContaining([
        'Tandem is ready: http://localhost:3000   (after 12.3 s)',
        '  sign in as admin    ada@northwind.example   secret',
        '  mail in: SMTP on 127.0.0.1:2525, to support@northwind.tandem.localhost',
        '  mailbox: http://localhost:8025   logs: /tandem/.local/logs',
      ]),
    );
  });
});

describe('a missing server', () => {
  it('is reported with all attempts and solutions', () => {
    const { message } = new MissingServer('redis-server', 'REDIS_URL', ['on the PATH: not found']);
    for (const part of ['redis-server is missing', 'on the PATH: not found', 'REDIS_URL', 'docker compose up'])
      expect(message).toContain(part);
  });
});

describe('the APT sources of the machine', () => {
  it('are read in both formats with their keys, except disabled ones', () => {
    const etc = join(directory, 'apt');
    mkdirSync(join(etc, 'sources.list.d'), { recursive: true });
    writeFileSync(
      join(etc, 'sources.list'),
      '# deb http://old.test/debian bookworm main\ndeb [arch=amd64] http://one.test/debian bookworm main contrib # ours\n',
    );
    const stanzas =
      'Types: deb deb-src\nURIs: http://two.test/debian\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /keys/debian.gpg\n\nEnabled: no\nTypes: deb\nURIs: http://off.test\nSuites: x\n';
    writeFileSync(join(etc, 'sources.list.d', 'debian.sources'), stanzas);
    const found = aptSources(etc).map(({ options, uri, suite, components }) => [options, uri, suite, components].join(' ').trim());
    expect(found).toEqual([
      '[arch=amd64] http://one.test/debian bookworm main contrib',
      '[signed-by=/keys/debian.gpg] http://two.test/debian bookworm main',
      '[signed-by=/keys/debian.gpg] http://two.test/debian bookworm-updates main',
    ]);
  });
});
