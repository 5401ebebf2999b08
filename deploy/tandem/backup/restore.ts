import { provision } from '@tandem/db';
import { connectRedis, Nats, renewVersion, versionedOwners, versionKey } from '@tandem/messaging';
import { createLogger, Secrets } from '@tandem/platform';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, quoted, Refused, required, services, streamOptions, withClient } from '../installation';
import { align, type Aligned, type AlignOptions, type Clients } from './align';
import { resendIdentityState } from './identity-state';
import { asOnlyWriter, loadDatabase } from './load';
import { dumpOf, readBackup, type Manifest } from './manifest';
import { findOrganizations } from '../rebuild';

export interface RestoreOptions {
  log(line: string): void;
  numberGap: number;
  /** Default: hold if services were running during the backup. */
  unsentEmails?: AlignOptions['unsentEmails'] | undefined;
  /** The folder for the files on tickets; undefined if they are in a bucket. */
  files?: string | undefined;
}

export interface Restored extends Aligned {
  /** The databases that were replaced, under their new names. */
  replaced: string[];
}

/**
 * Restores all databases into new ones, makes them consistent, and then gives them the names of the existing ones, which are renamed. Until
 * the stream is removed, a failure leaves the installation as it was.
 */
export async function restoreBackup(directory: string, options: RestoreOptions): Promise<Restored> {
  const manifest = await readBackup(directory);
  await refuseUnlessPossible(manifest);
  const urls = await loadAll(directory, manifest, options.log);
  const unsentEmails = options.unsentEmails ?? (manifest.is_live ? 'hold' : 'send');
  const aligned = await withOwners(urls, (clients) => align(clients, { directory, manifest, numberGap: options.numberGap, unsentEmails }));
  options.log('the databases agree');
  await resendIdentityState(urls.identity.url);
  if (manifest.has_files && options.files) await cp(join(directory, 'files'), options.files, { recursive: true, force: true });
  // Loading takes minutes. A service that was started in the meantime would lose its stream, and its database could not be renamed.
  await refuseConnections();
  await removeStream();
  await removeJobs();
  return { ...aligned, replaced: await replaceDatabases() };
}

async function refuseUnlessPossible(manifest: Manifest): Promise<void> {
  const configured = new Set(
    required('ENCRYPTION_KEYS')
      .split(',')
      .map((pair) => pair.split(':')[0]),
  );
  void new Secrets(required('ENCRYPTION_KEYS')); // throws if a key is malformed
  const missing = manifest.key_ids.filter((id) => !configured.has(id));
  if (missing.length > 0)
    throw new Refused(`The backup has secrets that are sealed with the keys ${missing.join(', ')}. Add these keys to ENCRYPTION_KEYS.`);
  await refuseConnections();
}

/** A database in use cannot be renamed. */
async function refuseConnections(): Promise<void> {
  const connected = await findConnections();
  if (connected.length > 0) throw new Refused(`Stop all services first. Connected to the databases: ${connected.join(', ')}.`);
}

type Urls = Record<(typeof services)[number], { ownerUrl: string; url: string }>;
const newDatabaseOf = (service: (typeof services)[number]): string => `${databaseOf(service)}_restoring`;

async function loadAll(directory: string, manifest: Manifest, log: (line: string) => void): Promise<Urls> {
  const passwords = { owner: required('DATABASE_OWNER_PASSWORD'), service: required('DATABASE_SERVICE_PASSWORD') };
  const loaded = await Promise.all(
    services.map(async (service) => {
      const database = newDatabaseOf(service);
      // It exists if an earlier restore failed.
      await withClient(required('PG_ADMIN_URL'), (admin) => admin.query(`drop database if exists ${quoted(database)}`));
      const urls = await provision(required('PG_ADMIN_URL'), service, passwords, { database });
      await loadDatabase(urls.ownerUrl, service, directory, dumpOf(manifest, service));
      log(`${service}: loaded`);
      return [service, urls] as const;
    }),
  );
  return Object.fromEntries(loaded) as Urls;
}

/** Opens a transaction of each owner. They are committed one after another: if one fails, the restore starts over. */
async function withOwners<T>(urls: Urls, work: (clients: Clients) => Promise<T>): Promise<T> {
  const clients: Partial<Clients> = {};
  const open = (rest: readonly (typeof services)[number][]): Promise<T> => {
    const [service, ...others] = rest;
    if (service === undefined) return work(clients as Clients);
    return withClient(urls[service].ownerUrl, (client) => {
      clients[service] = client;
      return asOnlyWriter(client, () => open(others));
    });
  };
  return open(services);
}

/** The events of the old stream describe a state that no longer exists. The first service that starts creates a new one. */
async function removeStream(): Promise<void> {
  const nats = new Nats(streamOptions(), 'restore', createLogger('restore', 'silent'));
  try {
    const connected = await Promise.race([nats.connected(), sleep(10_000, undefined, { ref: false })]);
    if (!connected) throw new Refused('NATS does not respond. Start it: the events on its stream have to be removed.');
    for await (const name of connected.jsm.streams.names()) if (name === nats.stream) await connected.jsm.streams.delete(name);
  } finally {
    await nats.close();
  }
}

type Redis = ReturnType<typeof connectRedis>;
const redisPrefix = (): string => process.env.REDIS_PREFIX ?? 'tandem';

async function withRedis(work: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = connectRedis(required('REDIS_URL'));
  try {
    await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Jobs are created again from the rows that describe them. */
const removeJobs = (): Promise<void> =>
  withRedis(async (redis) => {
    for (let cursor = '0'; ;) {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${redisPrefix()}:jobs:*`, 'COUNT', 1_000);
      if (keys.length > 0) await redis.unlink(...keys);
      if (next === '0') return;
      cursor = next;
    }
  });

/**
 * Gives all restored organizations new versions: gateways, which may have kept running, answer 304 for a response that they remember until
 * its version changes. This includes organizations without a version, because a missing version equals the missing one before it.
 */
const renewVersions = (organization_ids: readonly string[]): Promise<void> =>
  withRedis(async (redis) => {
    for (const organization_id of organization_ids)
      for (const owner of versionedOwners) await renewVersion(redis, versionKey(redisPrefix(), owner, organization_id));
  });

/** The applications connected to the existing databases. Autovacuum workers do not count: PostgreSQL ends them for a rename. */
const findConnections = (): Promise<string[]> =>
  withClient(required('PG_ADMIN_URL'), async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      `select distinct coalesce(nullif(application_name, ''), 'an unnamed application') as name from pg_stat_activity
       where datname = any($1) and pid <> pg_backend_pid() and backend_type = 'client backend' order by 1`,
      [services.map(databaseOf)],
    );
    return rows.map(({ name }) => name);
  });

/**
 * Renames all databases or none; returns the new names of the existing ones. The versions change while no service can connect: a response
 * that is read before or after has another version.
 */
async function replaceDatabases(): Promise<string[]> {
  const stamp = new Date().toISOString().slice(0, 19).replace(/\D/g, '');
  // The renamed databases accept no connections until the commit.
  const organization_ids = await findOrganizations(newDatabaseOf('identity'));
  return withClient(required('PG_ADMIN_URL'), async (admin) => {
    const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname = any($1)', [
      services.map(databaseOf),
    ]);
    const replaced: string[] = [];
    await admin.query('begin');
    for (const { datname } of rows) {
      const name = `${datname}_before_${stamp}`;
      await rename(admin, datname, name);
      replaced.push(name);
    }
    for (const service of services) await rename(admin, newDatabaseOf(service), databaseOf(service));
    await renewVersions(organization_ids);
    await admin.query('commit');
    return replaced.sort();
  });
}

const rename = (admin: pg.Client, from: string, to: string) => admin.query(`alter database ${quoted(from)} rename to ${quoted(to)}`);
