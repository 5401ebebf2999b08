import type * as z from 'zod';
import { ToolError, type ToolAnswer } from './task-tool';

/** What an answer holds, as we need it. An answer of another shape is nonsense, which is thrown as `away`: another try may bring a sensible one. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, { status, body }: ToolAnswer): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ToolError('away', `The task tool answered in a way that is not understood${where && ` (${where})`}`, { status });
}

/** A tool's clock and ours may be ten minutes apart: what was made then is looked for from some time before. */
export const clocksDifferMs = 15 * 60_000;

/** What no database and no event can hold, JSON says with an escape only: NUL and halves of characters. */
const mayNotBeStored = /\\u(?:0000|d[89a-f])/i;
const storable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value);

/** JSON whose texts can be stored. Throws where it is none. */
export const parseStorable = (text: string): unknown =>
  JSON.parse(text, mayNotBeStored.test(text) ? (_name, value: unknown) => storable(value) : undefined) as unknown;

/** The beginning of a text, `most` long, that ends with a whole character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return text.slice(0, isHalf ? most - 1 : most);
}

/** How much of a task is kept: more than a ticket takes, less than anybody reads. */
const longest = { title: 1_000, description: 100_000 };
/** Markdown and our own lines may be so much longer than what they say. */
const longestWritten = 1_000_000;

export const titleOf = (title: string): string => cut(title, longest.title);
/** `read` finds what is looked for in what the tool wrote: the customer's text, or what stands below our lines. */
export function descriptionOf(written: string, read: (written: string) => string | null): string | null {
  const text = read(cut(written, longestWritten));
  return text === null ? null : cut(text, longest.description);
}

/** Parses JSON that somebody else wrote; undefined where it is none. */
export function parseJson(body: Buffer): unknown {
  try {
    return parseStorable(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Until when to wait where a tool says it: unix seconds, with or without a fraction, or milliseconds. Nonsense and more than a day is nothing. */
export function timeOfReset(text: string | undefined, now: number): string | undefined {
  const number = Number(text);
  if (!text || !Number.isFinite(number) || number <= 0) return undefined;
  const ms = number > 100_000_000_000 ? number : number * 1_000;
  return ms > now + 86_400_000 ? undefined : new Date(ms).toISOString();
}

/** A number in a header; undefined where it is none. */
export function countOf(text: string | undefined): number | undefined {
  const number = Number(text);
  return text && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Milliseconds since 1970, as a text or a number, to ISO. */
export function isoOf(ms: string | number | null | undefined): string | null {
  const date = new Date(ms === null || ms === undefined || ms === '' ? NaN : Number(ms));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A search by words reads at most this many pages of a list, and finds at most this many tasks. */
export const maxSearchPages = 3;
export const maxFound = 20;
/** Whether a title has all the words, in any order and case. */
export function hasWords(title: string, words: string): boolean {
  const text = title.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
