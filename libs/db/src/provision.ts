import type { ServiceName } from '@tandem/contracts';
import pg from 'pg';

const { escapeIdentifier: name, escapeLiteral: literal } = pg;

export interface ProvisionOptions {
  /** Default `tandem_<service>`; tests use one per test file. */
  database?: string;
  /** Copy this database, which must belong to the same service, instead of starting empty. */
  template?: string;
}

/** The names of a service's roles: the owner migrates, the login is used at run time. */
export const rolesOf = (service: ServiceName) => ({ owner: `tandem_${service}_owner`, login: `tandem_${service}` });

/**
 * Creates a service's database and its two roles if missing, and otherwise restores their required settings: the
 * passwords, the owner, that the login neither owns nor bypasses anything, and that no other role may connect.
 * Needs PostgreSQL 15 or later and an administrator who may create databases and roles. Concurrent calls are safe.
 */
export async function provision(
  adminUrl: string,
  service: ServiceName,
  passwords: { owner: string; service: string },
  options: ProvisionOptions = {},
): Promise<{ ownerUrl: string; url: string }> {
  const { owner, login } = rolesOf(service);
  const database = options.database ?? `tandem_${service}`;
  await connected(adminUrl, async (admin) => {
    // Concurrent changes to the same role or database would fail. The lock is released with the connection.
    await admin.query('select pg_advisory_lock(7264531002)');
    await makeRole(admin, owner, passwords.owner);
    await makeRole(admin, login, passwords.service);
    // Services set these on their connections. Through PgBouncer in transaction mode they cannot.
    await admin.query(`alter role ${name(login)} set statement_timeout = '10s'`);
    await admin.query(`alter role ${name(login)} set idle_in_transaction_session_timeout = '60s'`);
    const { rows } = await admin.query<{ rolsuper: boolean }>('select rolsuper from pg_roles where rolname = current_user');
    // Changing a database's owner requires membership in the new owner; a superuser needs none.
    if (rows[0]?.rolsuper !== true) await admin.query(`grant ${name(owner)} to current_user`);
    await makeDatabase(admin, database, owner, options.template);
    await admin.query(`revoke all on database ${name(database)} from public`);
    await admin.query(`grant connect on database ${name(database)} to ${name(login)}`);
  });
  const ownerUrl = addressOf(adminUrl, owner, passwords.owner, database);
  await connected(ownerUrl, (client) => grantToLogin(client, login));
  return { ownerUrl, url: addressOf(adminUrl, login, passwords.service, database) };
}

async function makeRole(admin: pg.Client, role: string, password: string): Promise<void> {
  const { rows } = await admin.query<{ powerful: boolean }>(
    'select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as powerful from pg_roles where rolname = $1',
    [role],
  );
  await admin.query(`${rows.length === 0 ? 'create' : 'alter'} role ${name(role)} login password ${literal(password)}`);
  // Only where needed: an administrator who is not a superuser may not even use `nosuperuser`.
  if (rows[0]?.powerful === true) {
    await admin.query(`alter role ${name(role)} nosuperuser nocreaterole nocreatedb noreplication nobypassrls`);
  }
}

async function makeDatabase(admin: pg.Client, database: string, owner: string, template: string | undefined): Promise<void> {
  const existing = await admin.query<{ owner: string }>('select pg_get_userbyid(datdba) as owner from pg_database where datname = $1', [
    database,
  ]);
  if (existing.rows[0]?.owner === owner) return;
  if (existing.rowCount !== 0) {
    await admin.query(`alter database ${name(database)} owner to ${name(owner)}`);
    return;
  }
  const from = template === undefined ? `template template0 encoding 'UTF8'` : `template ${name(template)}`;
  try {
    await admin.query(`create database ${name(database)} owner ${name(owner)} ${from}`);
  } catch (error) {
    // 42P04, 23505: a concurrent process created the database first.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

/** Lets the login role use, but not alter, existing objects and those that future migrations create. */
async function grantToLogin(client: pg.Client, login: string): Promise<void> {
  const to = name(login);
  await client.query(`
    select pg_advisory_xact_lock(7264531002);
    grant usage on schema public to ${to};
    grant select, insert, update, delete on all tables in schema public to ${to};
    grant usage, select on all sequences in schema public to ${to};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${to};
    alter default privileges in schema public grant usage, select on sequences to ${to};
    revoke create on schema public from public;`);
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'tandem-provision' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function addressOf(adminUrl: string, user: string, password: string, database: string): string {
  const url = new URL(adminUrl);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
