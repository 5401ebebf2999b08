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
  if (isUtc(text)) return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, Math.min(23, text.length - 3)).padEnd(3, '0')}Z`;
  const date = fallback(text);
  return date instanceof Date ? date.toISOString() : text;
}

/** Whether it is written like `2026-11-28 09:05:07.25+00`. Without a regular expression, whose result would be most of the garbage of a list. */
const isUtc = (text: string): boolean =>
  text.length <= 29 && text[4] === '-' && text[10] === ' ' && text.endsWith('+00') && (text[19] === '.' || text.length === 22);

/** `text[]` and `uuid[]`, which `builtins` does not have. */
const arrays = [1009, 2951];
const parseArray = pg.types.getTypeParser(1009 as never) as (text: string) => string[];
/** Most arrays are empty. */
const strings = (text: string): string[] => (text === '{}' ? [] : parseArray(text));

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, isoTimestamp],
  // Neither type has a time zone, and a Date would add one.
  [builtins.TIMESTAMP, (text) => text],
  [builtins.DATE, (text) => text],
  // Counts and sums; no column exceeds 2^53.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  ...arrays.map((oid) => [oid, strings] as const),
]);

/** Parsers for values from PostgreSQL, for our connections only: other users of `pg` in the process keep theirs. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};
