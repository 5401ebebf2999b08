import { version } from '../package.json';
import { takeBackup } from './backup/backup';
import { untilEqual, type Report } from './drift';
import { databaseInUse, Refused, runningServices } from './installation';
import { compareAll, migrateAll } from './migrate-all';

export interface UpgradeOptions {
  log(line: string): void;
  /** The folder with the files on tickets; undefined if they are in a bucket. */
  files?: string | undefined;
}

/** Undefined if the databases already have the schema of this version: then nothing is done. */
export interface Upgraded {
  applied: string[];
  /** Undefined if no service runs: events that are on their way then look like differences. */
  report: Report | undefined;
}

/** Backs up the databases, runs the pending migrations, and compares the databases. Refuses databases of a newer version. */
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
  if (pending.length === 0) return undefined;
  log(`${pending.length} migrations to run. First the backup:`);
  await takeBackup(directory, { files, log });
  const { applied } = await migrateAll(databaseInUse);
  for (const name of applied) log(`applied ${name}`);
  const isRunning = (await runningServices()).length > 0;
  return { applied, report: isRunning ? await untilEqual(10_000) : undefined };
}
