import type { ServiceName } from '@tandem/contracts';
import { migrate } from '@tandem/db';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { literal, migrationFolders, quoted, Refused, withClient } from '../installation';
import { copyFrom } from './copy';
import { columnList, findTables } from './tables';
import type { DatabaseDump, TableDump } from './manifest';

/**
 * Fills a new database with a dump: creates the tables as they were when it was dumped, inserts the rows, then runs the migrations of later
 * versions. `ownerUrl` is that of the role that owns the tables.
 */
export async function loadDatabase(ownerUrl: string, service: ServiceName, directory: string, dump: DatabaseDump): Promise<void> {
  const options = { url: ownerUrl, ...migrationFolders(service) };
  await migrate({ ...options, only: dump.migrations });
  await withClient(ownerUrl, (client) =>
    asOnlyWriter(client, async () => {
      const existing = new Map((await findTables(client)).map((table) => [table.name, table]));
      await client.query(`truncate ${[...existing.keys()].map(quoted).join(', ')}`);
      for (const table of dump.tables) {
        if (!existing.has(table.name))
          throw new Refused(`The backup of ${service} has a table ${table.name} that its migrations do not create.`);
        await loadTable(client, directory, table, quoted(table.name));
      }
      for (const { name, last } of dump.sequences) await client.query(`select setval(${literal(quoted(name))}, ${literal(last)}::bigint)`);
      await client.query('insert into restores (dumped_at) values ($1)', [dump.dumped_at]);
    }),
  );
  await migrate(options);
}

/** Inserts the rows of a file into a table, or into another one with the same columns. */
export async function loadTable(client: pg.Client, directory: string, table: TableDump, into: string): Promise<void> {
  const file = createReadStream(join(directory, table.file));
  const gunzip = file.pipe(createGunzip());
  file.on('error', (error) => gunzip.destroy(error));
  const rows = await copyFrom(client, `${into} (${columnList(table)})`, gunzip);
  if (rows !== table.rows) throw new Error(`${table.file} has ${rows} rows instead of ${table.rows}`);
}

/**
 * Runs `work` in a transaction of the owner in which no policy, trigger or foreign key applies. The foreign keys are checked at its end. The
 * tables are locked until then, so no service may be running.
 */
export async function asOnlyWriter<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  const tables = await client.query<{ name: string; is_forced: boolean; has_triggers: boolean }>(`
    select relname as name, relforcerowsecurity as is_forced,
      exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal) as has_triggers
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'`);
  const keys = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
  for (const { name, is_forced, has_triggers } of tables.rows) {
    if (is_forced) await client.query(`alter table ${quoted(name)} no force row level security`);
    if (has_triggers) await client.query(`alter table ${quoted(name)} disable trigger user`);
  }
  for (const { table, name } of keys.rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  const result = await work();
  for (const { table, name, definition } of keys.rows)
    await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  for (const { name, is_forced, has_triggers } of tables.rows) {
    if (is_forced) await client.query(`alter table ${quoted(name)} force row level security`);
    if (has_triggers) await client.query(`alter table ${quoted(name)} enable trigger user`);
  }
  await client.query('commit');
  return result;
}
