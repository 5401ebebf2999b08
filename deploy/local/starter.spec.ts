import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingServer } from './binaries.ts';
import { aptSources } from './debian-packages.ts';
import { askHolder, tryLock } from './lock.ts';
import { freePort, isFree } from './ports.ts';
import { postgresUser } from './postgres.ts';
import { identityOf, isAlive } from './process-identity.ts';
import { mustRun } from './run.ts';
import { readState, updateState } from './state.ts';

let directory: string;
beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'tandem-starter-unit-'))));
afterAll(() => rmSync(directory, { recursive: true }));

describe('a process identity', () => {
  it('is not fooled by a recycled pid', () => {
    const own = identityOf(process.pid)!;
    expect(isAlive(own)).toBe(true);
    expect(isAlive({ ...own, started: '1' })).toBe(false);
    expect(isAlive({ ...own, boot: 'another' })).toBe(false);
  });
});

describe('a lock', () => {
  it('has one holder, who says who he is, and is free again when let go', async () => {
    const name = `test ${directory}`;
    const lock = await tryLock(name);
    expect(await tryLock(name)).toBeUndefined();
    lock!.tell('http://localhost:3000');
    expect(await askHolder(name)).toEqual({ pid: process.pid, message: 'http://localhost:3000' });
    await lock!.release();
    expect(await askHolder(name)).toBeUndefined();
    await (await tryLock(name))!.release();
  });
});

describe('a port', () => {
  it.each(['127.0.0.1', '::1', '0.0.0.0'])('is taken when somebody listens on %s', async (host) => {
    const port = await freePort();
    const stranger = createServer().listen(port, host);
    await new Promise((resolve) => stranger.once('listening', resolve));
    expect(await isFree(port)).toBe(false);
    expect(await freePort(port)).not.toBe(port);
    stranger.close();
  });
});

describe('the state', () => {
  it('begins anew from a damaged file, and says so', () => {
    updateState(directory, (state) => void (state.cluster = 'one'));
    expect(readState(directory).cluster).toBe('one');
    writeFileSync(join(directory, 'state.json'), '{"cluster":');
    expect(readState(directory)).toMatchObject({ servers: {}, damaged: expect.stringContaining('JSON') as string });
  });
});

describe('who runs PostgreSQL', () => {
  const none = join(tmpdir(), 'no-such-directory');
  it('is ourselves, unless we are root', () => expect(postgresUser(none, none, {}, 1000)).toBeUndefined());
  it('is whoever called sudo', () =>
    expect(postgresUser(none, none, { SUDO_UID: '1234', SUDO_GID: '99' }, 0)).toEqual({ uid: 1234, gid: 99 }));
  it('is never root', () => expect(postgresUser(none, '/', {}, 0)!.uid).not.toBe(0));
});

describe('the log of a command', () => {
  it('has what it reports, and not its result when that holds passwords', async () => {
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

describe('a missing server', () => {
  it('is named, with all that was tried and the ways out', () => {
    const { message } = new MissingServer('redis-server', 'REDIS_URL', ['on the PATH: not there']);
    for (const part of ['redis-server is missing', 'on the PATH: not there', 'REDIS_URL', 'docker compose up'])
      expect(message).toContain(part);
  });
});

describe('the mirrors of the machine', () => {
  it('are read from both syntaxes, with their keys, without what is disabled', () => {
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
