/** Runs the same statements without any of our processes, using pgbench if installed (Debian: postgresql-contrib; version 14 or later). */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../local/binaries.ts';
import type { Case } from './replay.ts';
import type { LoadResult } from './load.ts';
import type { Captured } from './statements.ts';
import { quantile } from './statistics.ts';

const run = promisify(execFile);

export const hasPgbench = onPath('pgbench') !== undefined;

export interface PgbenchOptions {
  url: string;
  connections: number;
  seconds: number;
  directory: string;
  signal: AbortSignal;
}

/** `-M simple`: like the product's statements, each one is parsed and planned each time; and `:word` in a value is not replaced. */
export async function pgbench({ organization_id, variants }: Case, options: PgbenchOptions): Promise<LoadResult> {
  const { url, connections, seconds, signal } = options;
  const directory = mkdtempSync(join(options.directory, 'pgbench-'));
  try {
    const files = variants.slice(0, 20).map((variant, i) => {
      const file = join(directory, `${i}.sql`);
      writeFileSync(file, scriptOf(variant));
      return ['-f', file];
    });
    const { hostname, port, username, password, pathname } = new URL(url);
    const settings = ['-n', '-M', 'simple', '-c', String(connections), '-j', '1', '-T', String(seconds), '-l'];
    const place = ['-h', hostname, '-p', port, '-U', decodeURIComponent(username), pathname.slice(1)];
    const env = { ...process.env, PGPASSWORD: decodeURIComponent(password), PGOPTIONS: `-c app.organization_id=${organization_id}` };
    const begun = performance.now();
    await run('pgbench', [...settings, ...files.flat(), ...place], { cwd: directory, env, signal, maxBuffer: 10_000_000 });
    return figuresIn(directory, Math.min(seconds, (performance.now() - begun) / 1000));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** pgbench logs one line per transaction; the third number is its duration in microseconds. */
function figuresIn(directory: string, seconds: number): LoadResult {
  const latencies = readdirSync(directory)
    .filter((name) => name.startsWith('pgbench_log'))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n'))
    .map((line) => Number(line.split(' ')[2]) / 1000)
    .filter((ms) => !Number.isNaN(ms));
  return { requests: latencies.length, seconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

function scriptOf({ works, fresh }: Captured): string {
  const lines = fresh.map((_, i) => `\\set fresh${i} random(0, 281474976710655)`);
  for (const work of works) {
    const framed = work.length > 1 || fresh.length > 0;
    if (framed) lines.push('begin;');
    for (const { sql, values } of work) lines.push(`${inlined(sql, values, fresh).replace(/\s*\n\s*/g, ' ')};`);
    if (framed) lines.push('commit;');
  }
  return `${lines.join('\n')}\n`;
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const freshSql = (i: number) => `('01980000-0000-7000-8000-' || lpad(to_hex(:fresh${i}::bigint), 12, '0'))`;

/** Inlines the values; ids that must be new each time are generated in SQL. */
function inlined(sql: string, values: (string | null)[], fresh: string[]): string {
  const valueSql = (value: string | null): string => {
    if (value === null) return 'null';
    const whole = fresh.indexOf(value);
    if (whole >= 0) return `${freshSql(whole)}::uuid`;
    return fresh.reduce((text, id, i) => (value.includes(id) ? `replace(${text}, '${id}', ${freshSql(i)})` : text), literal(value));
  };
  return sql.replace(/\$(\d+)/g, (_, n: string) => valueSql(values[Number(n) - 1] ?? null));
}
