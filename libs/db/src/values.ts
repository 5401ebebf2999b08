import pg from 'pg';
import { uuidv7 } from 'uuidv7';

/** A new id: UUIDv7, so that rows of one table come in the order of their creation. */
export const newId = (): string => uuidv7();

const { builtins } = pg.types;
const fallback = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => Date | number;

/**
 * A timestamptz as the house writes time: ISO 8601 in UTC with milliseconds. `infinity` stays as PostgreSQL writes it.
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
  // Neither has a time zone: a Date would invent one.
  [builtins.TIMESTAMP, (text) => text],
  [builtins.DATE, (text) => text],
  // Counts and sums. No column of ours holds more than 2^53.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
]);

/** How values leave PostgreSQL, for our connections only: other users of `pg` in the process keep theirs. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};
