import type pg from 'pg';
import { compareMigrations } from '@tandem/db';
import type { ServiceName } from '@tandem/contracts';
import { migrationFolders, required, services, withClient } from '../installation';
import { addressOf, failed, ok, reachFix, reasonOf, warning, type Finding } from './finding';

const oldestVersion = 15;
const maxClockDifferenceMs = 5_000;

export async function checkServer(): Promise<Finding[]> {
  const url = required('PG_ADMIN_URL');
  try {
    return await withClient(url, async (client) => {
      const sent = Date.now();
      const { rows } = await client.query<{ version: string; number: number; reads_all: boolean; is_standby: boolean; now: Date }>(
        `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
           rolsuper or rolbypassrls as reads_all, pg_is_in_recovery() as is_standby, clock_timestamp() as now from pg_roles where rolname = current_user`,
      );
      const { version, number, reads_all, is_standby, now } = rows[0]!;
      const difference = clockDifference(now.getTime(), { sent, received: Date.now() });
      const findings = [
        number >= oldestVersion * 10_000
          ? ok(`PostgreSQL ${version} responds at ${addressOf(url)}.`)
          : failed(`PostgreSQL ${version} is too old.`, `Upgrade it to version ${oldestVersion} or newer.`),
      ];
      if (!reads_all)
        findings.push(
          failed(
            'The role in PG_ADMIN_URL cannot read the rows of all organizations.',
            'Give it BYPASSRLS (alter role … bypassrls), or use a superuser.',
          ),
        );
      if (Math.abs(difference) > maxClockDifferenceMs)
        findings.push(
          failed(
            `The clock of the database server differs from this machine's by ${Math.round(Math.abs(difference) / 1000)} seconds.`,
            'Synchronize the clocks of all machines (chrony or systemd-timesyncd).',
          ),
        );
      if (is_standby) {
        const fix = 'Point the addresses at the primary, or promote this server if the primary is lost.';
        findings.push(failed(`PostgreSQL at ${addressOf(url)} is a standby, which accepts no writes.`, fix));
      } else findings.push(...(await checkSpace(client)));
      return findings;
    });
  } catch (error) {
    return [unreachable('PG_ADMIN_URL', url, error)];
  }
}

/** PostgreSQL does not report the free space of its disk, so this writes a temporary table of 8 MB, which is dropped immediately. */
async function checkSpace(client: pg.Client): Promise<Finding[]> {
  try {
    await client.query(
      `begin; create temp table tandem_doctor on commit drop as select repeat(md5(n::text), 60) from generate_series(1, 4000) n; commit`,
    );
    return [];
  } catch (error) {
    await client.query('rollback');
    const { code, message } = reasonOf(error);
    // A role may lack the right to create temporary tables, which does not affect the services.
    return code === '53100' ? [diskFull(message)] : [];
  }
}

const diskFull = (message: string): Finding =>
  failed(
    `PostgreSQL has no space left: ${message}.`,
    'Free space on its disk, or enlarge it. The services can write again immediately, without a restart.',
  );

/** The server's clock was read at some time between the two readings of this clock, so a slow response does not count as a difference. */
export const clockDifference = (server: number, { sent, received }: { sent: number; received: number }): number =>
  server - Math.min(Math.max(server, sent), received);

/** The role and the schema of each service's database. */
export async function checkDatabases(): Promise<Finding[]> {
  const findings = (await Promise.all(services.map(checkDatabase))).flat();
  return findings.length > 0 ? findings : [ok('All five databases have the schema of this version and roles without special rights.')];
}

async function checkDatabase(service: ServiceName): Promise<Finding[]> {
  const variable = `${service.toUpperCase()}_DATABASE_URL`;
  const url = required(`${service.toUpperCase()}_DATABASE_URL`);
  try {
    const { pending, newer } = await compareMigrations({ url, ...migrationFolders(service) });
    const findings = await withClient(url, async (client) => {
      const { rows } = await client.query<{ name: string; bypasses: boolean }>(
        'select rolname as name, rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
      );
      const { name, bypasses } = rows[0]!;
      const fix = `Run alter role ${name} nosuperuser nobypassrls, or the migrate job.`;
      return bypasses
        ? [failed(`The role ${name} of ${service} bypasses row-level security, which separates the organizations.`, fix)]
        : [];
    });
    if (pending.length > 0)
      findings.push(
        failed(
          `The database of ${service} lacks ${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} of this version (the first is ${pending[0]}).`,
          'Run the migrate job of this version (docs/operating.md, Migrate).',
        ),
      );
    if (newer.length > 0)
      findings.push(
        warning(
          `The database of ${service} has ${newer.length} ${newer.length === 1 ? 'migration' : 'migrations'} of a newer version (the first is ${newer[0]}).`,
          'Deploy the newer version, unless you rolled it back on purpose.',
        ),
      );
    return findings;
  } catch (error) {
    return [unreachable(variable, url, error)];
  }
}

/** Exported for its test: a server with a full disk refuses new connections only while it has to write a file for them. */
export function unreachable(variable: string, url: string, error: unknown): Finding {
  const { code, message } = reasonOf(error);
  if (code === '53100') return diskFull(message);
  const fixes: Record<string, string> = {
    '28P01': `Correct the password in ${variable}.`,
    '28000': `Correct the user in ${variable}, or allow this machine in pg_hba.conf.`,
    '3D000': 'Run the migrate job, which creates the databases.',
    '42P01': 'Run the migrate job.',
    '42501': `Correct user and database in ${variable}, or run the migrate job, which grants the rights.`,
    '53300': 'Raise max_connections, or lower the number of processes or their pools.',
    '57P03': 'PostgreSQL is starting or shutting down: wait, and run the command again.',
    ENOTFOUND: `Correct the host in ${variable}.`,
    EAI_AGAIN: `DNS does not answer: check the DNS servers of this machine, or correct the host in ${variable}.`,
  };
  // A server that requires TLS refuses other connections with the same code as an unknown user.
  const needsTls = code === '28000' && /no encryption|SSL off/i.test(message) ? `Add sslmode=require to ${variable}.` : undefined;
  const fix = needsTls ?? fixes[code] ?? tlsFix(variable, code, message) ?? reachFix('PostgreSQL', `host and port in ${variable}`, message);
  return failed(`PostgreSQL at ${addressOf(url)} does not accept ${variable}: ${message}.`, fix);
}

function tlsFix(variable: string, code: string, message: string): string | undefined {
  if (/does not support SSL/i.test(message)) return `Remove sslmode from ${variable}, or turn on TLS on the server.`;
  if (/CERT|SIGNATURE/.test(code))
    return `Add sslrootcert=<file with the certificate of the authority> to ${variable}, and check its host.`;
  return undefined;
}
