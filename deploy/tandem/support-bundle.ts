import { listDurables, Nats } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../package.json';
import { diagnose } from './doctor/doctor';
import { compareDatabases } from './drift';
import { asReader, Refused, services, streamOptions } from './installation';
import { isSecret, isShown, redact } from './redact';

const maxLogLines = 200;
const errorLevel = 50;

export interface SupportBundle {
  created_at: string;
  version: string;
  node: string;
  platform: string;
  [part: string]: unknown;
}

/** Collects the data that a developer needs to find a problem. A part that cannot be read contains the reason instead. */
export async function collectBundle(logs: string | undefined): Promise<SupportBundle> {
  const bundle: SupportBundle = {
    created_at: new Date().toISOString(),
    version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    environment: environment(),
    doctor: await orReason(diagnose),
    check: await orReason(compareDatabases),
    databases: Object.fromEntries(await Promise.all(services.map(async (service) => [service, await orReason(() => tablesOf(service))]))),
    durables: await orReason(durables),
    errors: logs === undefined ? 'No folder was given with --logs.' : recentErrors(logs),
  };
  return redact(bundle) as SupportBundle;
}

async function orReason<T>(work: () => Promise<T>): Promise<T | { unavailable: string }> {
  try {
    return await work();
  } catch (error) {
    return { unavailable: (error as Error).message };
  }
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value = '']): [string, string][] => {
    if (isShown(name)) return [[name, value]];
    return isSecret(name) ? [[name, value === '' ? 'not set' : 'set']] : [];
  });
  return Object.fromEntries(entries.sort());
}

/** Estimated rows and size of each table, and the applied migrations. */
const tablesOf = (service: (typeof services)[number]) =>
  asReader(service, async (client) => {
    const tables = await client.query<{ table: string; rows: string; bytes: string }>(
      `select relname as "table", n_live_tup as rows, pg_total_relation_size(relid) as bytes from pg_stat_user_tables order by 1`,
    );
    const migrations = await client.query<{ name: string; applied_at: Date }>(
      'select name, applied_at from schema_migrations order by applied_at desc, name desc limit 3',
    );
    return { tables: tables.rows, latest_migrations: migrations.rows };
  });

async function durables() {
  const nats = new Nats(streamOptions(), 'support-bundle', createLogger('support-bundle', 'silent'));
  try {
    const connected = await Promise.race([nats.connected(), sleep(5_000, undefined, { ref: false })]);
    if (!connected) throw new Error('NATS does not respond');
    return await listDurables(nats);
  } finally {
    await nats.close();
  }
}

/** The last errors of each log file in the folder: lines of JSON with the level error or fatal. */
function recentErrors(folder: string): Record<string, string[]> {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.log'));
  } catch (error) {
    throw new Refused(`The folder ${folder} cannot be read.`, { cause: error });
  }
  return Object.fromEntries(
    names.map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n').filter(isError);
      return [name, lines.slice(-maxLogLines)];
    }),
  );
}

function isError(line: string): boolean {
  // Docker Compose writes the name of the container before the line.
  const level = /"level":\s*"?(\w+)"?/.exec(line)?.[1];
  return level === 'error' || level === 'fatal' || Number(level) >= errorLevel;
}
