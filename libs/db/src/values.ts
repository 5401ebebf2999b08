import pg from 'pg';
import { uuidv7 } from 'uuidv7';

/** A new id: UUIDv7, so that ids sort by creation time. */
export const newId = (): string => uuidv7();

const { builtins } = pg.types;
const fallback = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => Date | number;

/**
 * A timestamptz in the format used everywhere: ISO 8601 in UTC with milliseconds. `infinity` stays as PostgreSQL writes it.
 * The server's usual form in UTC is rewritten without a Date; any other time zone goes through one.
 */
export function isoTimestamp(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text);
  if (match) return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`;
  const date = fallback(text);
  return date instanceof Date ? date.toISOString() : text;
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, isoTimestamp],
  // Neither type has a time zone, and a Date would add one.
  [builtins.TIMESTAMP, (text) => text],
  [builtins.DATE, (text) => text],
  // Counts and sums; no column exceeds 2^53.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
]);

/** Parsers for values from PostgreSQL, for our connections only: other users of `pg` in the process keep theirs. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};
