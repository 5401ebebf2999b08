/** Captures the statements that the product sends to PostgreSQL for a call, from the server's log, so that the floor can run them too. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSystem } from './bench-system.ts';

export interface Statement {
  sql: string;
  /** As text; null is NULL. */
  values: (string | null)[];
}
/** The statements of one transaction, without begin and commit. */
export type Work = Statement[];

/** The transactions of one call of the product, in the order in which they started. */
export interface Captured {
  works: Work[];
  /** Ids that were generated for this call: a replay needs new ones. */
  fresh: string[];
}

const mark = 'bench: call';
/** The starter's `log_line_prefix`: `%m [%p] %d `. */
const head = /^\S+ \S+ \S+ \[(\d+)\] (\S*) (\w+): {2}(.*)$/s;

/** Runs the calls one after another and returns the statements of each on the database in this organization. */
export async function capture(
  system: BenchSystem,
  organization_id: string,
  calls: (() => Promise<void>)[],
  database = 'tandem_tickets',
): Promise<Captured[]> {
  const file = join(system.directory, 'logs', 'postgres.log');
  if (!existsSync(file)) throw new Error(`no PostgreSQL log at ${file}`);
  const from = statSync(file).size;
  await logging(system, true);
  const begun: number[] = [];
  for (const call of [...calls, () => Promise.resolve()]) {
    // Pause after each call to separate its statements from those of the background work that it causes (consumers insert inbox rows).
    await system.query('postgres', `select '${mark}'`);
    begun.push(Date.now());
    await call();
    await sleep(20);
  }
  await logging(system, false);
  const text = readFileSync(file).subarray(from).toString('utf8');
  return partsOf(text)
    .slice(0, calls.length)
    .map((lines, i) => {
      const works = worksOf(lines, organization_id, database);
      if (works.length === 0) throw new Error(`no statement of call ${i + 1} was found in PostgreSQL's log`);
      return { works, fresh: freshIn(works, begun[i]!) };
    });
}

async function logging(system: BenchSystem, on: boolean): Promise<void> {
  await system.query('postgres', `alter system set log_statement = '${on ? 'all' : 'none'}'`);
  await system.query('postgres', 'select pg_reload_conf()');
  await sleep(300); // each server process reloads its configuration when it is idle
}

interface Line {
  pid: string;
  database: string;
  kind: string;
  text: string;
}

/** The log, split at the marks; lines before the first mark are ignored. */
function partsOf(log: string): Line[][] {
  const parts: Line[][] = [];
  for (const entry of log.split(/\n(?!\t)/)) {
    const [, pid, database, kind, text] = head.exec(entry.replaceAll('\n\t', '\n')) ?? [];
    if (pid === undefined) continue;
    if (text!.includes(mark)) parts.push([]);
    else parts.at(-1)?.push({ pid, database: database!, kind: kind!, text: text! });
  }
  return parts;
}

/** The start of a transaction of an organization: libs/db sends it after `begin`, or before a read. The next line has the organization. */
const enters = /^select set_config\('app\.organization_id', \$1, true\)/;
const ends = /^(commit|rollback)|pg_current_xact_id_if_assigned/;

/**
 * Events are stored in a table like the outbox that is not published: otherwise the product would process those of the floor and of pgbench
 * while it is measured.
 */
function worksOf(lines: Line[], organization_id: string, database: string): Work[] {
  const works: Work[] = [];
  const open = new Map<string, Work>();
  const entering = new Set<string>();
  for (const { pid, database: of, kind, text } of lines) {
    if (of !== database) continue;
    const [, sql] = /^(?:statement|execute [^:]+): (.*)$/s.exec(text) ?? [];
    const work = open.get(pid);
    if (kind === 'DETAIL' && entering.delete(pid)) {
      if (valuesIn(text)[0] !== organization_id) continue;
      open.set(pid, []);
      works.push(open.get(pid)!);
    } else if (kind === 'DETAIL') work?.at(-1)?.values.push(...valuesIn(text));
    else if (sql === undefined) continue;
    else if (enters.test(sql)) entering.add(pid);
    else if (/^begin/.test(sql) || ends.test(sql)) open.delete(pid);
    else work?.push({ sql: sql.replace(/\binsert into outbox\b/, 'insert into replayed_outbox'), values: [] });
  }
  return works.filter((work) => work.length > 0 && !work.some(({ sql }) => /\binbox\b/.test(sql)));
}

/** `Parameters: $1 = 'it''s', $2 = NULL` */
const valuesIn = (detail: string): (string | null)[] =>
  [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(([, value]) => (value === undefined ? null : value.replaceAll("''", "'")));

const uuidv7 = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const momentOf = (id: string) => parseInt(id.replace('-', '').slice(0, 12), 16);

function freshIn(works: Work[], begun: number): string[] {
  const texts = works.flat().flatMap(({ values }) => values.filter((value) => value !== null));
  const ids = texts.flatMap((text) => text.match(uuidv7) ?? []);
  return [...new Set(ids)].filter((id) => momentOf(id) >= begun);
}
