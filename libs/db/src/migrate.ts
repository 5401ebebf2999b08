import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { indexOf, isOnline, onlineStatements } from './online-migration';

export interface MigrateOptions {
  /** Connection string with the database owner's role. */
  url: string;
  /** Folder with the service's own migrations, and with those that are repeatable in its subfolder `repeatable`. */
  folder: string;
  /** The platform's migrations. Default: searched upwards from this file, then from the working directory. A bundled image must set it. */
  platformFolder?: string;
  /**
   * Applies only these migrations, and no repeatable ones: for rows of an earlier version, before they are migrated. Throws if this version
   * does not have one of them.
   */
  only?: readonly Recorded[];
}

type Recorded = Pick<Migration, 'source' | 'name' | 'checksum'>;

interface Migration {
  source: 'platform' | 'service' | 'repeatable';
  name: string;
  sql: string;
  checksum: string;
}

// An arbitrary number shared by all migrators; the lock is per database.
const lockKey = 7_264_531_001;
const lockPollMs = 200;
const lockTimeout = `set lock_timeout = '10s'`;

// Default privileges let the service's login write every new table; only the owner may write the list of applied migrations.
const onlyTheOwnerWrites = `
  do $$ declare login text; begin
    for login in select distinct grantee from information_schema.role_table_grants
      where table_schema = 'public' and table_name = 'schema_migrations' and grantee <> current_user and privilege_type <> 'SELECT'
    loop
      execute format('revoke insert, update, delete on schema_migrations from %I', login);
    end loop;
  end $$`;

/**
 * Brings a database up to date: the platform's migrations, then the folder's, then the repeatable ones, each group in the
 * order of file names and each file in its own transaction, unless it is online (online-migration.ts). Returns the names applied by this
 * call. Concurrent migrators wait for each other.
 *
 * Numbered migrations are applied once; a repeatable one is applied whenever its text has changed. Forward only: throws,
 * applying nothing further, if an applied migration has changed, if a new one sorts before an applied one, or if a file fails.
 * Applied migrations that are no longer in the folder belong to a newer release and are left alone.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const wanted = [
    ...(await readMigrations('platform', options.platformFolder ?? findPlatformFolder())),
    ...(await readMigrations('service', options.folder)),
  ];
  const repeatable = options.only ? [] : await readMigrations('repeatable', join(options.folder, 'repeatable'));
  if (options.only) keepOnly(options.only, wanted);
  const client = new pg.Client({ connectionString: options.url, application_name: 'tandem-migrate' });
  await client.connect();
  // The lock belongs to the connection, so it is released even when this process is killed.
  try {
    await untilLocked(client);
    // DDL that waits for a table lock makes every later query of that table wait too: fail instead, the command can be repeated.
    await client.query(lockTimeout);
    await client.query(`
      create table if not exists schema_migrations (
        source text not null, name text not null, checksum text not null, applied_at timestamptz not null default now(), primary key (source, name)
      )`);
    await client.query(onlyTheOwnerWrites);
    const recorded = (await client.query<Recorded>('select source, name, checksum from schema_migrations')).rows;
    const pending = [...findPending(wanted, recorded), ...findChanged(repeatable, recorded)];
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => (migration.source === 'repeatable' ? `repeatable/${migration.name}` : migration.name));
  } finally {
    await client.end();
  }
}

export interface MigrationDifference {
  /** Migrations of this version that have not been applied. */
  pending: string[];
  /** Applied migrations that this version does not have. */
  newer: string[];
}

/** How a database differs from this version. Reads only. Throws as `migrate` does if the database is of an incompatible version. */
export async function compareMigrations({ url, folder, platformFolder }: MigrateOptions): Promise<MigrationDifference> {
  const wanted = [
    ...(await readMigrations('platform', platformFolder ?? findPlatformFolder())),
    ...(await readMigrations('service', folder)),
  ];
  const repeatable = await readMigrations('repeatable', join(folder, 'repeatable'));
  const client = new pg.Client({ connectionString: url, application_name: 'tandem-migrate' });
  await client.connect();
  try {
    const { rows: recorded } = await client.query<Recorded>('select source, name, checksum from schema_migrations');
    const known = new Set([...wanted, ...repeatable].map(({ source, name }) => `${source}/${name}`));
    const newer = recorded.filter(({ source, name }) => !known.has(`${source}/${name}`)).map(({ name }) => name);
    return {
      pending: [...findPending(wanted, recorded), ...findChanged(repeatable, recorded)].map(({ name }) => name),
      newer: newer.sort(),
    };
  } finally {
    await client.end();
  }
}

/** Removes the other migrations from the list. */
function keepOnly(only: readonly Recorded[], migrations: Migration[]): void {
  const numbered = only.filter(({ source }) => source !== 'repeatable');
  const kept = numbered.map(({ source, name, checksum }) => {
    const found = migrations.find((each) => each.source === source && each.name === name);
    if (!found) throw new Error(`The database has the migration ${name} of a newer version: use that version`);
    if (found.checksum !== checksum) throw new Error(`The database has another migration ${name}: it is of an incompatible version`);
    return found;
  });
  migrations.splice(0, migrations.length, ...migrations.filter((each) => kept.includes(each)));
}

function findPending(wanted: Migration[], recorded: Recorded[]): Migration[] {
  const pending: Migration[] = [];
  for (const migration of wanted) {
    const applied = recorded.filter((row) => row.source === migration.source);
    const same = applied.find((row) => row.name === migration.name);
    const renamed = applied.find((row) => numberIn(row.name) === numberIn(migration.name) && row !== same);
    if (renamed) {
      throw new Error(
        `The database has the migration ${renamed.name} where this version has ${migration.name}: ` +
          'it was created by an incompatible version (see CHANGELOG.md)',
      );
    }
    if (same && same.checksum !== migration.checksum) {
      throw new Error(`Migration ${migration.name} was changed after it had been applied: restore it and add a new migration instead`);
    }
    if (same) continue;
    const later = applied.find((row) => row.name > migration.name);
    if (later) throw new Error(`Migration ${migration.name} sorts before ${later.name}, which is already applied: give it a higher number`);
    pending.push(migration);
  }
  return pending;
}

function findChanged(repeatable: Migration[], recorded: Recorded[]): Migration[] {
  const checksums = new Map(recorded.filter((row) => row.source === 'repeatable').map((row) => [row.name, row.checksum]));
  return repeatable.filter((migration) => checksums.get(migration.name) !== migration.checksum);
}

const numberIn = (name: string): string => name.slice(0, 4);

/**
 * Tries again instead of waiting in the server: a statement that waits has a snapshot, for whose end an index that another migrator builds
 * concurrently would wait, and so for this one.
 */
async function untilLocked(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${lockKey}) as locked`);
    if (rows[0]!.locked) return;
    await pause(lockPollMs);
  }
}

/** Each statement commits on its own. Interrupted ones are run again by the next call. */
async function applyOnline(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  try {
    // Building an index concurrently waits for older transactions, without blocking newer ones.
    await client.query(`set lock_timeout = 0`);
    for (const statement of onlineStatements(sql)) {
      await dropInvalidIndex(client, indexOf(statement));
      await client.query(statement);
    }
    await record(client, migration);
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await client.query(lockTimeout).catch(() => undefined); // a lost connection has no settings
  }
}

/** An interrupted `create index concurrently` leaves an index that is written and never read, and that `if not exists` takes for complete. */
async function dropInvalidIndex(client: pg.Client, name: string | undefined): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relname = $1 and c.relnamespace = 'public'::regnamespace`,
    [name],
  );
  if (name !== undefined && rowCount !== 0) await client.query(`drop index concurrently if exists ${client.escapeIdentifier(name)}`);
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  if (isOnline(migration.sql)) return applyOnline(client, migration);
  try {
    await client.query('begin');
    await client.query(migration.sql);
    // A `commit` inside the file would have left half of it applied without a record.
    if (client.getTransactionStatus() !== 'T') throw new Error('it must not end the transaction it runs in');
    if (migration.source === 'repeatable') {
      await refuseOverloads(client);
      await refuseTwoTables(client);
    }
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function record(client: pg.Client, { source, name, checksum }: Migration): Promise<void> {
  await client.query(
    `insert into schema_migrations (source, name, checksum) values ($1, $2, $3)
     on conflict (source, name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`,
    [source, name, checksum],
  );
}

/** `create or replace` with other parameters adds a second function, and callers might still get the first one. */
async function refuseOverloads(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select p.proname as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    group by p.proname having count(*) > 1`);
  if (rows[0]) throw new Error(`function ${rows[0].name} has several signatures: drop the previous one at the beginning of this file`);
}

/**
 * The locks of `create trigger` on two tables, held until the commit, would deadlock with a transaction of a running service that writes to the
 * same tables in the other order.
 */
async function refuseTwoTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid() and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by name`);
  if (rows.length > 1) throw new Error(`it locks ${rows.map(({ name }) => name).join(' and ')}: use one file for each table`);
}

async function readMigrations(source: Migration['source'], folder: string): Promise<Migration[]> {
  if (source === 'repeatable' && !existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const [pattern, example] =
    source === 'repeatable' ? [/^[a-z0-9_]+\.sql$/, 'ticket_search.sql'] : [/^\d{4}_[a-z0-9_]+\.sql$/, '0001_tickets.sql'];
  for (const [i, name] of names.entries()) {
    if (!pattern.test(name)) throw new Error(`${join(folder, name)}: name it like ${example}`);
    if (source !== 'repeatable' && i > 0 && numberIn(name) === numberIn(names[i - 1]!)) {
      throw new Error(`${join(folder, name)}: ${names[i - 1]} has the same number`);
    }
  }
  return Promise.all(
    names.map(async (name) => {
      // Line endings may differ between checkouts: normalize them, so that the checksum does not change.
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { source, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function findPlatformFolder(): string {
  const inRepository = join('libs', 'db', 'migrations');
  for (const start of [__dirname, process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const found = join(folder, inRepository);
      if (existsSync(join(found, '0000_platform.sql'))) return found;
      if (dirname(folder) === folder) break;
    }
  }
  throw new Error('The platform migrations (libs/db/migrations) were not found: pass platformFolder');
}
