import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { version } from '../package.json';
import { takeBackup } from './backup/backup';
import { findManifest, readBackup, writeManifest, type Manifest } from './backup/manifest';
import { untilEqual, type Report } from './drift';
import { asReader, databaseInUse, Refused, runningServices, services } from './installation';
import { compareAll, migrateAll } from './migrate-all';

export interface UpgradeOptions {
  log(line: string): void;
  /** The folder with the files on tickets; undefined if they are in a bucket. */
  files?: string | undefined;
}

/** Undefined if the databases already have the schema of this version: then nothing is done. */
export interface Upgraded {
  applied: string[];
  /** Undefined if no service runs: events in transit then look like differences. */
  report: Report | undefined;
}

/**
 * Backs up the databases, runs the pending migrations, and compares the databases. Refuses databases of a newer version. An upgrade that was
 * interrupted continues with its backup: a second one would be of a schema that no version has.
 */
export async function upgrade(directory: string, { log, files }: UpgradeOptions): Promise<Upgraded | undefined> {
  const differences = Object.entries(await compareAll());
  for (const [service, { newer }] of differences) {
    if (newer.length === 0) continue;
    throw new Refused(
      `The database of ${service} is of a newer version than ${version}: it has the migration ${newer[0]}. ` +
        'A database cannot be downgraded. Deploy the newer version, or restore a backup of this one (tandem restore).',
    );
  }
  const pending = differences.flatMap(([service, difference]) => difference.pending.map((name) => `${service}/${name}`));
  const isInterrupted = findManifest(directory)?.upgrade?.is_complete === false;
  if (pending.length === 0 && !isInterrupted) return undefined;
  log(`${pending.length} migrations to run. ${isInterrupted ? 'The upgrade was interrupted: it continues.' : 'First the backup:'}`);
  const manifest = isInterrupted ? await readBackup(directory) : await backUp(directory, { log, files });
  const { applied } = await migrateAll(databaseInUse);
  for (const name of applied) log(`applied ${name}`);
  writeManifest(directory, { ...manifest, upgrade: { version, is_complete: true } });
  const isRunning = (await runningServices()).length > 0;
  return { applied, report: isRunning ? await untilEqual(10_000) : undefined };
}

async function backUp(directory: string, options: UpgradeOptions): Promise<Manifest> {
  const interrupted = await findInterrupted(dirname(resolve(directory)), basename(directory));
  if (interrupted !== undefined)
    throw new Refused(
      `An upgrade was interrupted after its backup in ${interrupted}. Run tandem upgrade ${interrupted}, which continues with that backup.`,
    );
  return takeBackup(directory, { ...options, beforeUpgradeTo: version });
}

/** The backup next to the new one whose upgrade has run only some of its migrations. */
async function findInterrupted(parent: string, own: string): Promise<string | undefined> {
  const folders = existsSync(parent) ? readdirSync(parent).filter((name) => name !== own) : [];
  const backups = folders.flatMap((name) => {
    const manifest = findManifest(join(parent, name));
    return manifest?.upgrade ? [{ folder: join(parent, name), manifest }] : [];
  });
  const dumpedAt = ({ manifest }: (typeof backups)[number]) => Date.parse(manifest.databases.identity!.dumped_at);
  const latest = backups.sort((a, b) => dumpedAt(a) - dumpedAt(b)).at(-1);
  if (!latest || latest.manifest.upgrade!.is_complete) return undefined;
  return (await haveMoreMigrations(latest.manifest)) ? latest.folder : undefined;
}

/** Whether a migration was applied since the backup. After a restore of the backup, none was. */
async function haveMoreMigrations({ databases }: Manifest): Promise<boolean> {
  const more = await Promise.all(
    services.map((service) =>
      asReader(service, async (client) => {
        const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
        const saved = new Set(databases[service]?.migrations.map(({ name }) => name));
        return rows.some(({ name }) => !saved.has(name));
      }),
    ),
  );
  return more.includes(true);
}
