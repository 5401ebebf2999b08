import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceName } from '@tandem/contracts';
import { migrate, provision, rolesOf } from '@tandem/db';
import pg from 'pg';
import { onTestFileEnd } from './on-test-file-end';
import { testServers } from './servers';

const { escapeIdentifier: name } = pg;
const passwords = { owner: 'owner-of-tests', service: 'service-of-tests' };

export interface FreshDatabase {
  /** Connection string with the service's login role, as in production. */
  url: string;
  /** Connection string with the owner's role, which migrations use. */
  ownerUrl: string;
  /** Drops the database, even with open connections. Called automatically at the end of the test file; repeated calls are fine. */
  drop(): Promise<void>;
}

/**
 * A database of the service, migrated and empty, for this test file only: copied from a template that the first caller of a run creates.
 * `migrations` replaces the service's own folder.
 */
export async function freshDatabase(service: ServiceName, options: { migrations?: string } = {}): Promise<FreshDatabase> {
  const { pgAdminUrl, run } = testServers();
  const folder = options.migrations ?? join(__dirname, '../../../services', service, 'migrations');
  const template = `tandem_test_${run}_${service}_${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
  const database = `tandem_test_${run}_${randomBytes(6).toString('hex')}`;
  const { owner, login } = rolesOf(service);
  const pgBouncerPort = process.env.TEST_PGBOUNCER_PORT;
  await withAdmin(pgAdminUrl, async (admin) => {
    await makeTemplate(admin, service, template, folder);
    await copy(admin, template, database, owner);
  });
  const address = (user: string, password: string) => {
    const url = new URL(pgAdminUrl);
    Object.assign(url, { username: user, password, pathname: `/${database}` });
    return url.href;
  };
  const drop = () =>
    withAdmin(pgAdminUrl, (admin) => admin.query(`drop database if exists ${name(database)} with (force)`).then(() => undefined));
  onTestFileEnd(drop);
  const direct = address(login, passwords.service);
  return { url: pgBouncerPort ? throughPgBouncer(direct, pgBouncerPort) : direct, ownerUrl: address(owner, passwords.owner), drop };
}

/** `npm test -- int tickets --pgbouncer` */
function throughPgBouncer(url: string, port: string): string {
  const through = new URL(url);
  through.port = port;
  through.searchParams.set('pgbouncer', 'true');
  return through.href;
}

/** Runs once per run; creates the template under another name first, so that a failure never leaves a database that looks finished. */
async function makeTemplate(admin: pg.Client, service: ServiceName, template: string, folder: string): Promise<void> {
  await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [template]);
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount !== 0) return;
    const unfinished = `${template}_unfinished`;
    await admin.query(`drop database if exists ${name(unfinished)} with (force)`);
    const { ownerUrl } = await provision(testServers().pgAdminUrl, service, passwords, { database: unfinished });
    await migrate({ url: ownerUrl, folder });
    await whenUnused(() => admin.query(`alter database ${name(unfinished)} rename to ${name(template)}`));
  } finally {
    await admin.query('select pg_advisory_unlock(hashtextextended($1, 0))', [template]);
  }
}

/**
 * Copies the files of the template: if they are in memory, the default strategy, which writes each page to the log, takes three times the
 * CPU time.
 */
const copy = (admin: pg.Client, template: string, database: string, owner: string) =>
  whenUnused(() => admin.query(`create database ${name(database)} template ${name(template)} owner ${name(owner)} strategy file_copy`));

/** Retries while the database is in use (55006): a connection that has just ended, or autovacuum, holds it a moment longer. */
async function whenUnused(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function withAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url, application_name: 'tandem-testing' });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
