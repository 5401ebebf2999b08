import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Binary } from './binaries.ts';
import { repository } from './local-directory.ts';
import { locateNats, locatePostgres, locateRedis } from './locate.ts';
import { directoryLock, takeLock, tryLock } from './lock.ts';
import { checkSmtp, mailboxServer } from './mailbox.ts';
import { natsInfo, natsServer, natsUrl } from './nats.ts';
import { checkPostgres, postgresHome, postgresServer, postgresUrl, postgresUser, whyUnusable } from './postgres.ts';
import { endProcesses, isAlive } from './process-identity.ts';
import { reason } from './reason.ts';
import { checkRedis, redisServer, redisUrl } from './redis.ts';
import { endOrphans, Server, type Instance, type ServerName } from './server.ts';
import { readState, updateServer, updateState } from './state.ts';

export interface InfrastructureOptions {
  /** Contains data, logs, ports and passwords; instances in different directories are independent. */
  directory: string;
  /** Throw-away (tests): writes without fsync, is not restarted after a crash, and is removed by `stop()`. */
  ephemeral: boolean;
  log: (line: string) => void;
  /**
   * URLs of existing servers: PG_ADMIN_URL, NATS_URL, REDIS_URL, SMTP_URL (with MAILBOX_URL). Default: the environment; for an ephemeral
   * instance the same names with the prefix `TESTS_USE_`.
   */
  addresses?: Record<string, string | undefined>;
  /** For tests of PostgreSQL's faults. */
  postgres?: {
    /** The directory of the cluster, which may exist with this password: the copy of another one. */
    home: string;
    password?: string;
    /** In addition to the usual ones, which they override. */
    settings: string[];
  };
}

/** URLs of the running servers, with user and password. */
export interface InfrastructureEnv {
  PG_ADMIN_URL: string;
  NATS_URL: string;
  REDIS_URL: string;
  SMTP_URL: string;
  /** Base URL of the mail catcher's page and of `/api/messages`; empty if SMTP_URL was configured without it. */
  MAILBOX_URL: string;
}

export interface Infrastructure {
  env: InfrastructureEnv;
  /** The current servers of this instance, without those that were given by address. */
  readonly processes: { name: ServerName; pid: number | undefined }[];
  /** Restarts a server, or starts it if it does not run, on the same port and data. */
  restart(name: ServerName): Promise<void>;
  /** Injects a fault. Returns once the process has exited, if the signal is deadly. */
  kill(name: ServerName, signal?: NodeJS.Signals): Promise<void>;
  /** Stops all servers. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, NATS, Redis and the mail catcher, and returns when all of them respond.
 * Throws if a configured address does not respond (there is no silent fallback), a server can neither be found nor fetched, or one does not
 * start (with its last output). Then nothing is left running.
 */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  mkdirSync(options.directory, { recursive: true });
  const instance: Instance = { ...options, directory: realpathSync(options.directory), postgresSettings: options.postgres?.settings };
  if (instance.ephemeral) await removeAbandonedInstances(dirname(instance.directory));
  const lock = await takeLock(directoryLock(instance.directory), instance.directory, 15_000);
  const { postgres } = options;
  if (postgres)
    updateState(instance.directory, (state) => {
      state.postgresHome = postgres.home;
      if (postgres.password) state.servers.postgres = { password: postgres.password };
      if (postgres.password) state.cluster = 'copied';
    });
  const servers: Server[] = [];
  const lastSignal = () => servers.forEach((server) => server.signalNow());
  process.on('exit', lastSignal);
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    process.off('exit', lastSignal);
    if (instance.ephemeral) removeInstance(instance.directory);
    await lock.release();
  };
  try {
    const given = await givenAddresses(options);
    servers.push(...(await prepareServers(instance, given)));
    await allOrFirstError(servers.map((server) => server.start()));
    return running(instance, servers, given, once(stop));
  } catch (error) {
    await Promise.all(servers.map((server) => server.stop()));
    process.off('exit', lastSignal);
    await lock.release(); // keep the directory: its logs show the cause
    throw error;
  }
}

/** Ends and removes the throw-away instances in `parent` whose test run was killed. Instances in use and other files are left alone. */
export async function removeAbandonedInstances(parent: string): Promise<void> {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const directory = join(parent, name);
    if (!existsSync(join(directory, 'state.json')) || !readState(directory).ephemeral) continue;
    const lock = await tryLock(directoryLock(directory));
    if (!lock) continue;
    try {
      const { children, servers } = readState(directory);
      // First the processes of the product, which use the servers.
      await endProcesses(Object.values(children).filter(isAlive), 'SIGTERM', 4000);
      const left = Object.values(servers).flatMap((server) => (server.process && isAlive(server.process) ? [server.process] : []));
      await endProcesses(left, 'SIGQUIT', 2000);
      removeInstance(directory);
    } finally {
      await lock.release();
    }
  }
}

/** The configured addresses of existing servers, after checking that each responds. */
async function givenAddresses(options: InfrastructureOptions): Promise<Partial<InfrastructureEnv>> {
  const prefix = options.ephemeral && !options.addresses ? 'TESTS_USE_' : '';
  const from = options.addresses ?? process.env;
  const checks = { PG_ADMIN_URL: checkPostgres, NATS_URL: natsInfo, REDIS_URL: checkRedis, SMTP_URL: checkSmtp };
  const given: Partial<InfrastructureEnv> = {};
  for (const [name, check] of Object.entries(checks) as [keyof typeof checks, (address: string) => Promise<unknown>][]) {
    const address = from[prefix + name];
    if (!address) continue;
    try {
      await check(address);
    } catch (error) {
      const where = address.replace(/\/\/[^@/]*@/, '//…@');
      throw new Error(
        `${prefix}${name} is set to ${where}, but that server does not respond correctly: ${reason(error)}. Start it, or unset ${prefix}${name} so that Tandem starts its own.`,
      );
    }
    given[name] = address;
  }
  if (given.SMTP_URL) given.MAILBOX_URL = from[`${prefix}MAILBOX_URL`] ?? '';
  return given;
}

async function prepareServers(instance: Instance, given: Partial<InfrastructureEnv>): Promise<Server[]> {
  const { directory, ephemeral, log } = instance;
  const before = readState(directory);
  if (before.damaged) log(`${directory}/state.json is damaged (${before.damaged}): starting over`);
  const cluster = join(before.postgresHome ?? directory, 'postgres');
  const user = given.PG_ADMIN_URL ? undefined : postgresUser(cluster, repository);
  // End orphans first: data must not be moved while a server uses it. The placeholder's program and password do not matter for that.
  const any: Binary = { file: '', version: [0, 0], source: '' };
  const oldHome = before.postgresHome ?? directory;
  for (const kind of [
    postgresServer(any, instance, oldHome, user, ''),
    natsServer(any, instance, ''),
    redisServer(any, instance, ''),
    mailboxServer(instance),
  ]) {
    await endOrphans(kind, directory);
  }
  const home = given.PG_ADMIN_URL ? oldHome : postgresHome(instance, user, before.postgresHome);
  updateState(directory, (state) => Object.assign(state, { ephemeral, postgresHome: home }));
  const [postgres, nats, redis] = await Promise.all([
    given.PG_ADMIN_URL ? undefined : locatePostgres(user, home, log),
    given.NATS_URL ? undefined : locateNats(log),
    given.REDIS_URL ? undefined : locateRedis(log),
  ]);
  const password = (name: ServerName) => readState(directory).servers[name]?.password ?? newPassword(directory, name);
  if (postgres) keepOrSetAside(instance, home, postgres);
  const own = [
    postgres && postgresServer(postgres, instance, home, user, password('postgres')),
    nats && natsServer(nats, instance, password('nats')),
    redis && redisServer(redis, instance, password('redis')),
  ].filter((kind) => kind !== undefined);
  return [...own, ...(given.SMTP_URL ? [] : [mailboxServer(instance)])].map((kind) => new Server(kind, instance));
}

/** Moves an unusable cluster aside, together with the events and jobs that belong to it; it is never deleted. */
function keepOrSetAside(instance: Instance, home: string, postgres: Binary): void {
  const { directory, log } = instance;
  const state = readState(directory);
  const why = whyUnusable(join(home, 'postgres'), postgres.version[0], {
    cluster: state.cluster,
    password: state.servers.postgres?.password,
  });
  if (why) {
    const name = `aside-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    for (const [parent, data] of [
      [home, 'postgres'],
      [directory, 'nats'],
      [directory, 'redis'],
    ] as const) {
      if (!existsSync(join(parent, data))) continue;
      mkdirSync(join(parent, name), { recursive: true });
      renameSync(join(parent, data), join(parent, name, data));
    }
    log(`the existing data cannot be used: ${why}. It was moved to ${join(home, name)}; starting with an empty database.`);
  }
  if (existsSync(join(home, 'postgres'))) return;
  updateState(directory, (next) => {
    next.cluster = randomBytes(8).toString('hex');
    delete next.servers.postgres;
  });
}

function running(instance: Instance, servers: Server[], given: Partial<InfrastructureEnv>, stop: () => Promise<void>): Infrastructure {
  const find = (name: ServerName) => {
    const server = servers.find((each) => each.name === name);
    if (!server) throw new Error(`${name} is an external server, which this instance does not manage`);
    return server;
  };
  const secret = (name: ServerName) => readState(instance.directory).servers[name]?.password ?? '';
  const port = (name: ServerName, index = 0) => find(name).ports[index]!;
  return {
    env: {
      PG_ADMIN_URL: given.PG_ADMIN_URL ?? postgresUrl(port('postgres'), secret('postgres')),
      NATS_URL: given.NATS_URL ?? natsUrl(port('nats'), secret('nats')),
      REDIS_URL: given.REDIS_URL ?? redisUrl(port('redis'), secret('redis')),
      SMTP_URL: given.SMTP_URL ?? `smtp://127.0.0.1:${port('mailbox')}`,
      MAILBOX_URL: given.MAILBOX_URL ?? `http://127.0.0.1:${port('mailbox', 1)}`,
    },
    get processes() {
      return servers.map((server) => ({ name: server.name, pid: server.pid }));
    },
    restart: (name) => find(name).restart(),
    kill: (name, signal = 'SIGKILL') => find(name).kill(signal),
    stop,
  };
}

function newPassword(directory: string, name: ServerName): string {
  const password = randomBytes(24).toString('hex');
  updateServer(directory, name, { password });
  return password;
}

function removeInstance(directory: string): void {
  const home = readState(directory).postgresHome;
  // The directory last: if the removal is interrupted, its state still names the other one.
  for (const each of new Set([home ?? directory, directory])) rmSync(each, { recursive: true, force: true });
}

/** Waits for all, so that nothing is still starting when the caller cleans up; then throws the first error. */
async function allOrFirstError(work: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

export type { ServerName };
