import type { ServiceName } from '@tandem/contracts';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';

/** The services with a database, in the order in which their data depends on each other. */
export const services = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'] as const satisfies readonly ServiceName[];

export const databaseOf = (service: ServiceName): string => `tandem_${service}`;
export const { escapeIdentifier: quoted, escapeLiteral: literal } = pg;

/** A sentence for the operator: printed without a stack trace. */
export class Refused extends Error {}

/** The value of an environment variable. */
export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Refused(`${name} is not set.`);
  return value;
}

/** The variables of the event stream, with the defaults of the services. */
export const streamOptions = () => ({
  NATS_URL: required('NATS_URL'),
  // Compose passes an unset variable as an empty string.
  NATS_STREAM: process.env.NATS_STREAM || 'TANDEM',
  EVENTS_PREFIX: process.env.EVENTS_PREFIX || 'events',
});

/** Runs `work` with a connection, which is closed afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tandem-command',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
  // The error of a lost connection also reaches the running query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The administrator's URL of a database. */
export function adminUrl(database: string): string {
  const url = new URL(required('PG_ADMIN_URL'));
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** The name of the service's database, as in the URL that the service uses. */
export function databaseInUse(service: ServiceName): string {
  const url = process.env[`${service.toUpperCase()}_DATABASE_URL`];
  return url ? decodeURIComponent(new URL(url).pathname.slice(1)) : databaseOf(service);
}

/** Runs `work` with the administrator's connection, which must be able to read the rows of all organizations. */
export function asReader<T>(service: ServiceName, work: (client: pg.Client) => Promise<T>, database = databaseInUse(service)): Promise<T> {
  return withClient(adminUrl(database), async (client) => {
    await refuseFilteredReads(client);
    return work(client);
  });
}

async function refuseFilteredReads(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ reads_all: boolean }>(
    'select rolsuper or rolbypassrls as reads_all from pg_roles where rolname = current_user',
  );
  if (rows[0]?.reads_all !== true)
    throw new Refused('The role in PG_ADMIN_URL may not read the rows of all organizations. Give it BYPASSRLS, or use a superuser.');
  await client.query('set row_security = off');
}

/** The directory that holds libs/ and services/, in a clone as in an image. */
export function findRoot(): string {
  for (let root = __dirname; ; root = dirname(root)) {
    if (existsSync(join(root, 'libs', 'db', 'migrations'))) return root;
    if (dirname(root) === root) throw new Error(`no libs/db/migrations above ${__dirname}`);
  }
}

export const migrationFolders = (service: ServiceName) => ({
  folder: join(findRoot(), 'services', service, 'migrations'),
  platformFolder: join(findRoot(), 'libs', 'db', 'migrations'),
});

/** The services that have open connections to their database. */
export async function runningServices(): Promise<string[]> {
  return withClient(required('PG_ADMIN_URL'), async (client) => {
    const logins = services.map(databaseOf);
    const { rows } = await client.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where usename = any($1) and application_name = any($2) and datname = any($3) order by 1`,
      [logins, services, services.map(databaseInUse)],
    );
    return rows.map(({ name }) => name);
  });
}

/** Whether no second organization may exist, and the portal is on the host of PUBLIC_URL. */
export const isSingleOrganization = (): boolean => process.env.SINGLE_ORGANIZATION === 'true';

/** The folder with the files on tickets; undefined if they are in a bucket. */
export const filesFolder = (): string | undefined => (process.env.S3_BUCKET ? undefined : process.env.ATTACHMENTS_DIR);
