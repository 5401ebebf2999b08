import type { ServiceName } from '@tandem/contracts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { listDurables, Nats } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import pg from 'pg';
import { version } from '../../package.json';
import {
  adminUrl,
  asReader,
  databaseInUse,
  literal,
  quoted,
  Refused,
  runningServices,
  services,
  streamOptions,
  withClient,
} from '../installation';
import { countKeyIds } from '../sealed-columns';
import { copyTo } from './copy';
import { hashFile, writeManifest, type DatabaseDump, type Manifest, type TableDump } from './manifest';
import { columnList, findSequences, findTables, type TableColumns } from './tables';

export interface BackupOptions {
  log(line: string): void;
  /** The folder with the files on tickets; undefined if they are in a bucket. */
  files?: string | undefined;
  /** The version of the upgrade that the backup precedes. */
  beforeUpgradeTo?: string;
  /** Dumps the databases one after another in this order, instead of all at the same moment. */
  order?: readonly ServiceName[];
  /** With `order`: called between two dumps. */
  between?: () => Promise<void>;
  /** How long to wait for pending emails, in milliseconds. */
  settleMs?: number;
}

/** Writes a complete backup to an empty directory. Returns its manifest. */
export async function takeBackup(directory: string, options: BackupOptions): Promise<Manifest> {
  if (existsSync(directory) && readdirSync(directory).length > 0) throw new Refused(`${directory} is not empty: choose a new folder.`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const is_live = (await runningServices()).length > 0;
  const dumps = options.order ? await dumpInOrder(directory, options) : await dumpTogether(directory, options);
  const databases = Object.fromEntries(dumps.map(({ service, dump }) => [service, dump]));
  if (is_live) await untilEmailsAreSent(options);
  const recent_emails = await dumpRecentEmails(directory, databases.notifications!.dumped_at);
  const has_files = options.files !== undefined && existsSync(options.files);
  // After the rows: a row without its file cannot be opened, while a file without a row only wastes space.
  if (has_files) await cp(options.files!, join(directory, 'files'), { recursive: true, force: true });
  const manifest: Manifest = {
    format: 1,
    version,
    is_live,
    databases,
    recent_emails,
    key_ids: [...new Set(dumps.flatMap(({ key_ids }) => key_ids))].sort(),
    has_files,
    ...(options.beforeUpgradeTo === undefined ? {} : { upgrade: { version: options.beforeUpgradeTo, is_complete: false } }),
  };
  writeManifest(directory, manifest);
  await recordBackup(directory);
  return manifest;
}

/** For the page of operators, which shows when the last complete backup was made. */
async function recordBackup(directory: string): Promise<void> {
  await withClient(adminUrl(databaseInUse('identity')), async (client) => {
    // An upgrade makes its backup before the migration that creates the table.
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('public.backups') is not null as exists`);
    if (!rows[0]!.exists) return;
    await client.query('insert into backups (id, version, folder) values ($1, $2, $3)', [randomUUID(), version, resolve(directory)]);
  });
}

interface ServiceDump {
  service: ServiceName;
  dump: DatabaseDump;
  key_ids: string[];
}

/** All snapshots are taken before the first row is read, so that they are milliseconds apart. */
async function dumpTogether(directory: string, { log }: BackupOptions): Promise<ServiceDump[]> {
  let waiting = services.length;
  const all = Promise.withResolvers<void>();
  all.promise.catch(() => undefined); // each dump reports it
  return Promise.all(
    services.map((service) =>
      dumpDatabase(directory, service, log, async () => {
        waiting -= 1;
        if (waiting === 0) all.resolve();
        await all.promise;
      }).catch((error: unknown) => {
        all.reject(error);
        throw error;
      }),
    ),
  );
}

async function dumpInOrder(directory: string, { order = [], between, log }: BackupOptions): Promise<ServiceDump[]> {
  const dumps: ServiceDump[] = [];
  for (const [i, service] of order.entries()) {
    if (i > 0) await between?.();
    dumps.push(await dumpDatabase(directory, service, log, () => Promise.resolve()));
  }
  return dumps;
}

function dumpDatabase(
  directory: string,
  service: ServiceName,
  log: (line: string) => void,
  snapshotTaken: () => Promise<void>,
): Promise<ServiceDump> {
  return asReader(service, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    // The snapshot is that of the first statement.
    const { rows } = await client.query<{ now: string }>('select statement_timestamp()::text as now');
    await snapshotTaken();
    const migrations = await client.query<DatabaseDump['migrations'][number]>('select source, name, checksum from schema_migrations');
    const sequences = await findSequences(client);
    mkdirSync(join(directory, service), { recursive: true, mode: 0o700 });
    const tables: TableDump[] = [];
    for (const table of await findTables(client))
      tables.push(
        await dumpTable(client, directory, `${service}/${table.name}`, table, `select ${columnList(table)} from ${quoted(table.name)}`),
      );
    const keys = await countKeyIds(client);
    await client.query('commit');
    log(`${service}: ${tables.reduce((sum, table) => sum + table.rows, 0)} rows`);
    return {
      service,
      dump: { dumped_at: rows[0]!.now, migrations: migrations.rows, sequences, tables },
      key_ids: keys.map(({ key_id }) => key_id),
    };
  });
}

async function dumpTable(client: pg.Client, directory: string, name: string, table: TableColumns, query: string): Promise<TableDump> {
  const file = `${name}.copy.gz`;
  const gzip = createGzip({ level: 6 });
  const target = createWriteStream(join(directory, file), { mode: 0o600, flags: 'wx' });
  gzip.pipe(target);
  const failed = once(target, 'error').then(([error]) => Promise.reject(error as Error));
  const rows = await Promise.race([copyTo(client, query, gzip), failed]);
  gzip.end();
  await finished(target);
  return { ...table, rows, file, sha256: await hashFile(join(directory, file)) };
}

/** Emails that the dump of notifications lacks or has as pending: without them, a restore would send them again. */
function dumpRecentEmails(directory: string, dumped_at: string): Promise<TableDump[]> {
  return asReader('notifications', async (client) => {
    const tables = (await findTables(client)).filter(({ name }) => name === 'emails' || name === 'account_emails');
    const dumps: TableDump[] = [];
    for (const table of tables) {
      const since = literal(dumped_at);
      const query = `select ${columnList(table)} from ${quoted(table.name)}
        where created_at >= ${since}::timestamptz - interval '1 minute' or sent_at >= ${since}::timestamptz - interval '1 minute'
          or state in ('pending', 'sending')`;
      dumps.push(await dumpTable(client, directory, `recent-${table.name}`, table, query));
    }
    return dumps;
  });
}

/** Waits until the events of the dumps have reached notifications and the emails that they cause are sent. */
async function untilEmailsAreSent({ log, settleMs = 60_000 }: BackupOptions): Promise<void> {
  const deadline = Date.now() + settleMs;
  const nats = new Nats(streamOptions(), 'backup', createLogger('backup', 'silent'));
  try {
    const stream = await Promise.race([nats.connected(), sleep(10_000, undefined, { ref: false })]);
    const begun = await now();
    for (; Date.now() < deadline; await sleep(250)) {
      const unpublished = await Promise.all(
        services.map((service) => count(service, 'outbox where published_at is null and created_at <= $1', begun)),
      );
      if (unpublished.every((n) => n === 0)) break;
    }
    if (stream) {
      const { state } = await stream.jsm.streams.info(nats.stream);
      const names = (await listDurables(nats)).map(({ name }) => name).filter((name) => name.startsWith('notifications-'));
      for (const name of names) {
        for (; Date.now() < deadline; await sleep(250)) {
          const { num_pending, num_ack_pending, delivered, ack_floor } = await stream.jsm.consumers.info(nats.stream, name);
          const isDelivered = num_pending === 0 || delivered.stream_seq >= state.last_seq;
          if (isDelivered && (num_ack_pending === 0 || ack_floor.stream_seq >= state.last_seq)) break;
        }
      }
    }
    const until = await now();
    const due = `state in ('pending', 'sending') and created_at <= $1 and coalesce(due_at, created_at) <= $1`;
    for (; Date.now() < deadline; await sleep(250)) {
      const unsent = await Promise.all(['emails', 'account_emails'].map((table) => count('notifications', `${table} where ${due}`, until)));
      if (unsent.every((n) => n === 0)) return;
    }
    log('Some emails are still pending. After a restore they are listed and not sent again.');
  } finally {
    await nats.close();
  }
}

const now = (): Promise<string> =>
  asReader('notifications', async (client) => (await client.query<{ now: string }>('select now()::text as now')).rows[0]!.now);

const count = (service: ServiceName, from: string, value: string): Promise<number> =>
  asReader(service, async (client) =>
    Number((await client.query<{ count: string }>(`select count(*) from ${from}`, [value])).rows[0]!.count),
  );
