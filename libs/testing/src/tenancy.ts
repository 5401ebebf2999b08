import { unprotectedTables } from '@tandem/db';
import pg from 'pg';
import type { FreshDatabase } from './database';
import { testServers } from './servers';

const { escapeIdentifier: name } = pg;

/**
 * Throws unless the database isolates organizations: every table is protected or exempt, the service's login can neither bypass nor change
 * that, and, for each tenant table, an organization sees all of its rows and no others, cannot change others or move its rows to another
 * organization, and no rows are visible without an organization. The last part only covers existing rows, so call it after writing rows of two
 * organizations. Changes nothing.
 */
export async function expectTenantIsolation(database: Pick<FreshDatabase, 'url' | 'ownerUrl'>): Promise<void> {
  const unprotected = await unprotectedTables(database.ownerUrl);
  if (unprotected.length > 0) throw new Error(`Tables without tenancy: ${unprotected.join(', ')}`);
  const everything = new URL(testServers().pgAdminUrl);
  everything.pathname = new URL(database.url).pathname;
  await connected(everything.href, (admin) =>
    connected(database.url, async (service) => {
      await expectNoOwnership(service);
      for (const table of await tenantTables(admin)) await expectIsolated(admin, service, table);
    }),
  );
}

/** The names of the columns of each table, sorted. */
export async function tableColumns({ ownerUrl }: Pick<FreshDatabase, 'ownerUrl'>): Promise<Record<string, string[]>> {
  const { rows } = await connected(ownerUrl, (owner) =>
    owner.query<{ table: string; columns: string[] }>(`
      select table_name as "table", array_agg(column_name::text order by column_name) as columns
      from information_schema.columns where table_schema = 'public' group by table_name`),
  );
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

async function expectNoOwnership(service: pg.Client): Promise<void> {
  const { rows } = await service.query(`
    select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or exists (select from pg_class where relowner = r.oid) or has_schema_privilege('public', 'create') as powerful
    from pg_roles r where rolname = current_user`);
  if (rows[0]?.powerful !== false) throw new Error('The login role of the service may do more than it should');
}

async function tenantTables(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map((row) => row.name);
}

async function expectIsolated(admin: pg.Client, service: pg.Client, table: string): Promise<void> {
  const { rows } = await admin.query<{ organization_id: string; count: number }>(
    `select organization_id, count(*)::int as count from ${name(table)} group by 1 order by 1`,
  );
  const count = async (condition = 'true') => (await service.query(`select 1 from ${name(table)} where ${condition}`)).rowCount ?? 0;
  const fail = (what: string) => {
    throw new Error(`${table}: ${what}`);
  };
  if ((await count()) > 0) fail('rows are visible without an organization');
  for (const [i, own] of rows.entries()) {
    await within(service, own.organization_id, async () => {
      if ((await count()) !== own.count) fail('an organization does not see exactly its own rows');
      const changed = await changesOf(service, `delete from ${name(table)} where organization_id <> $1`, [own.organization_id]);
      if (changed > 0) fail('an organization may delete rows of another');
    });
    const other = rows[(i + 1) % rows.length]?.organization_id ?? own.organization_id;
    if (other === own.organization_id) continue;
    await within(service, own.organization_id, async () => {
      const given = await changesOf(service, `update ${name(table)} set organization_id = $1`, [other]);
      if (given > 0) fail('an organization may write rows into another');
    });
  }
}

/** How many rows a statement changes; 0 if it is rejected: by policy or privilege (42501), or by a constraint that was checked first. */
async function changesOf(service: pg.Client, sql: string, values: unknown[]): Promise<number> {
  try {
    return (await service.query(sql, values)).rowCount ?? 0;
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (code === '42501' || code.startsWith('23')) return 0;
    throw error;
  }
}

/** A transaction of the organization that is always rolled back. */
async function within(service: pg.Client, organization_id: string, work: () => Promise<void>): Promise<void> {
  await service.query('begin');
  try {
    await service.query(`select set_config('app.organization_id', $1, true)`, [organization_id]);
    await work();
  } finally {
    await service.query('rollback');
  }
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'tandem-testing' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
