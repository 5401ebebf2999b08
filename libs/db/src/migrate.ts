import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';

export interface MigrateOptions {
  /** Connection string with the database owner's role. */
  url: string;
  /** Folder with the service's own migrations. */
  folder: string;
  /** The platform's migrations. Default: searched upwards from this file, then from the working directory. A bundled image must set it. */
  platformFolder?: string;
}

interface Migration {
  source: 'platform' | 'service';
  name: string;
  sql: string;
  checksum: string;
}

// An arbitrary number that all migrators share; the lock is per database.
const lockKey = 7_264_531_001;

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
 * Brings a database up to date: the platform's migrations, then the folder's, in the order of their names, each file in
 * its own transaction. Returns the names applied by this call. Concurrent migrators wait for each other.
 *
 * Forward only. Throws, applying nothing further, when an applied file has changed, when a new file sorts before an
 * applied one, and when a file fails. Applied files that are no longer in the folder belong to a newer release and are left alone.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const wanted = [
    ...(await readMigrations('platform', options.platformFolder ?? findPlatformFolder())),
    ...(await readMigrations('service', options.folder)),
  ];
  const client = new pg.Client({ connectionString: options.url, application_name: 'tandem-migrate' });
  await client.connect();
  // The lock belongs to the connection, so it is released even when this process is killed.
  try {
    await client.query(`select pg_advisory_lock(${lockKey})`);
    // DDL that waits for a table lock makes every later query of that table wait too: fail instead, the command can be repeated.
    await client.query(`set lock_timeout = '10s'`);
    await client.query(`
      create table if not exists schema_migrations (
        source text not null, name text not null, checksum text not null, applied_at timestamptz not null default now(), primary key (source, name)
      )`);
    await client.query(onlyTheOwnerWrites);
    const applied = await client.query<{ source: string; name: string; checksum: string }>(
      'select source, name, checksum from schema_migrations',
    );
    const pending = pendingOf(wanted, applied.rows);
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

function pendingOf(wanted: Migration[], applied: { source: string; name: string; checksum: string }[]): Migration[] {
  const pending: Migration[] = [];
  for (const migration of wanted) {
    const done = applied.filter((row) => row.source === migration.source);
    const same = done.find((row) => row.name === migration.name);
    if (same && same.checksum !== migration.checksum) {
      throw new Error(`Migration ${migration.name} was changed after it had been applied: write a new one instead`);
    }
    if (same) continue;
    const later = done.find((row) => row.name > migration.name);
    if (later) throw new Error(`Migration ${migration.name} sorts before ${later.name}, which is applied already: give it a higher number`);
    pending.push(migration);
  }
  return pending;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    // A `commit` inside the file would have left half of it applied without a record.
    if (client.getTransactionStatus() !== 'T') throw new Error('it must not end the transaction it runs in');
    await client.query('insert into schema_migrations (source, name, checksum) values ($1, $2, $3)', [
      migration.source,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function readMigrations(source: Migration['source'], folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of names) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) throw new Error(`${join(folder, name)}: name it like 0001_tickets.sql`);
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
