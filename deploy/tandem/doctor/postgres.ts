import { compareMigrations } from '@tandem/db';
import type { ServiceName } from '@tandem/contracts';
import { migrationFolders, required, services, withClient } from '../installation';
import { addressOf, failed, ok, reasonOf, warning, type Finding } from './finding';

const oldestVersion = 15;
const maxClockDifferenceMs = 5_000;

export async function checkServer(): Promise<Finding[]> {
  const url = required('PG_ADMIN_URL');
  try {
    return await withClient(url, async (client) => {
      const sent = Date.now();
      const { rows } = await client.query<{ version: string; number: number; reads_all: boolean; now: Date }>(
        `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
           rolsuper or rolbypassrls as reads_all, clock_timestamp() as now from pg_roles where rolname = current_user`,
      );
      const { version, number, reads_all, now } = rows[0]!;
      // The server's clock is read at some time between the two.
      const halfway = (sent + Date.now()) / 2;
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
      const difference = Math.round((now.getTime() - halfway) / 1000);
      if (Math.abs(now.getTime() - halfway) > maxClockDifferenceMs)
        findings.push(
          failed(
            `The clock of the database server differs from this machine's by ${Math.abs(difference)} seconds.`,
            'Synchronize the clocks of all machines (chrony or systemd-timesyncd).',
          ),
        );
      return findings;
    });
  } catch (error) {
    return [unreachable('PG_ADMIN_URL', url, error)];
  }
}

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
      return bypasses ? [failed(`The role ${name} of ${service} is not restricted to one organization at a time.`, fix)] : [];
    });
    if (pending.length > 0)
      findings.push(
        failed(`The database of ${service} lacks ${pending.length} migrations of this version (${pending[0]}).`, 'Run the migrate job.'),
      );
    if (newer.length > 0)
      findings.push(
        warning(
          `The database of ${service} has ${newer.length} migrations of a newer version (${newer[0]}).`,
          'Deploy the newer version, unless you rolled it back on purpose.',
        ),
      );
    return findings;
  } catch (error) {
    return [unreachable(variable, url, error)];
  }
}

function unreachable(variable: string, url: string, error: unknown): Finding {
  const { code, message } = reasonOf(error);
  const fixes: Record<string, string> = {
    '28P01': `Correct the password in ${variable}.`,
    '28000': `Correct the user in ${variable}.`,
    '3D000': 'Run the migrate job, which creates the databases.',
    '42P01': 'Run the migrate job.',
  };
  const fix = fixes[code] ?? `Start PostgreSQL, or correct host and port in ${variable}.`;
  return failed(`PostgreSQL at ${addressOf(url)} does not accept ${variable}: ${message}.`, fix);
}
