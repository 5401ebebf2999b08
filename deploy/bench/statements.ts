/** What the product really sends to PostgreSQL for a call, read from the server's own log: the floor does the same, whatever that is. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

export interface Statement {
  sql: string;
  /** As text; null is NULL. */
  values: (string | null)[];
}
/** One transaction without its frame. */
export type Work = Statement[];

/** One call of the product as its transactions, in the order of their beginning. */
export interface Captured {
  works: Work[];
  /** Ids that were made for this call: who does it again needs new ones. */
  fresh: string[];
}

const mark = 'bench: call';
/** The starter's prefix: `%m [%p] %d `. */
const head = /^\S+ \S+ \S+ \[(\d+)\] (\S*) (\w+): {2}(.*)$/s;

/** Performs the calls one after another, and says what each of them asked of the tickets' database in this organization. */
export async function capture(world: World, organization_id: string, calls: (() => Promise<void>)[]): Promise<Captured[]> {
  const file = join(world.directory, 'logs', 'postgres.log');
  if (!existsSync(file)) throw new Error(`no log of PostgreSQL at ${file}`);
  const from = statSync(file).size;
  await logging(world, true);
  const begun: number[] = [];
  for (const call of [...calls, () => Promise.resolve()]) {
    // What the call has set off is no longer its own: it is given time to show that it is not (consumers take inbox rows).
    await world.query('postgres', `select '${mark}'`);
    begun.push(Date.now());
    await call();
    await sleep(20);
  }
  await logging(world, false);
  const text = readFileSync(file).subarray(from).toString('utf8');
  return partsOf(text)
    .slice(0, calls.length)
    .map((lines, i) => {
      const works = worksOf(lines, organization_id);
      return { works, fresh: freshIn(works, begun[i]!) };
    });
}

async function logging(world: World, on: boolean): Promise<void> {
  await world.query('postgres', `alter system set log_statement = '${on ? 'all' : 'none'}'`);
  await world.query('postgres', 'select pg_reload_conf()');
  await sleep(300); // every process of the server reads it when it is next idle
}

interface Line {
  pid: string;
  database: string;
  kind: string;
  text: string;
}

/** The log, cut at the marks; what stands before the first belongs to nobody. */
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

function worksOf(lines: Line[], organization_id: string): Work[] {
  const works: Work[] = [];
  const open = new Map<string, Work>();
  for (const { pid, database, kind, text } of lines) {
    if (database !== 'tandem_tickets') continue;
    const [, sql] = /^(?:statement|execute [^:]+): (.*)$/s.exec(text) ?? [];
    const work = open.get(pid);
    if (kind === 'DETAIL') work?.at(-1)?.values.push(...valuesIn(text));
    else if (sql === undefined) continue;
    else if (/^begin/.test(sql)) {
      open.delete(pid);
      if (!sql.includes(organization_id)) continue;
      open.set(pid, []);
      works.push(open.get(pid)!);
    } else if (/^(commit|rollback)/.test(sql)) open.delete(pid);
    else work?.push({ sql, values: [] });
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
