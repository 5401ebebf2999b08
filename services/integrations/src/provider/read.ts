import type * as z from 'zod';
import { ToolError, type ToolAnswer } from './task-tool';

/** Parses a response. A response with another shape is thrown as `unreachable`, because a retry may return a valid one. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, { status, body }: ToolAnswer): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ToolError('unreachable', `The task tool returned an invalid response${where && ` (${where})`}`, { status });
}

/** A tool's clock and ours may differ by ten minutes: searches for items created at a certain time start this much earlier. */
export const clocksDifferMs = 15 * 60_000;
export const earlier = (at: string, ms: number): string => new Date(Date.parse(at) - ms).toISOString();

/** Characters that neither the database nor events can store, which JSON can only contain as an escape: NUL and lone surrogates. */
const mayNotBeStored = /\\u(?:0000|d[89a-f])/i;
const storable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value);

/** Parses JSON and removes what cannot be stored from its texts. Throws for invalid JSON. */
export const parseStorable = (text: string): unknown =>
  JSON.parse(text, mayNotBeStored.test(text) ? (_name, value: unknown) => storable(value) : undefined) as unknown;

/** The beginning of a text, at most `most` code units long, without splitting a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return text.slice(0, isHalf ? most - 1 : most);
}

/** The maximum stored length of a task's texts, which are cut beyond it: at least what a ticket accepts. */
const longest = { title: 1_000, description: 100_000 };
/** Markdown and our own lines can make the source this much longer than the text. */
const longestWritten = 1_000_000;

export const titleOf = (title: string): string => cut(title, longest.title);
/** `read` extracts the required part of the tool's text: the customer's text, or the text below our lines. */
export function descriptionOf(written: string, read: (written: string) => string | null): string | null {
  const text = read(cut(written, longestWritten));
  return text === null ? null : cut(text, longest.description);
}

/** Parses JSON from an external sender; undefined if it is invalid. */
export function parseJson(body: Buffer): unknown {
  try {
    return parseStorable(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The reset time from a header, ISO: unix seconds, with or without a fraction, or milliseconds. Undefined if invalid or more than a day
 * ahead.
 */
export function timeOfReset(text: string | undefined, now: number): string | undefined {
  const number = Number(text);
  if (!text || !Number.isFinite(number) || number <= 0) return undefined;
  const ms = number > 100_000_000_000 ? number : number * 1_000;
  return ms > now + 86_400_000 ? undefined : new Date(ms).toISOString();
}

/** A count in a header; undefined if it is not one. */
export function countOf(text: string | undefined): number | undefined {
  const number = Number(text);
  return text && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Milliseconds since 1970, as a string or number, to ISO. */
export function isoOf(ms: string | number | null | undefined): string | null {
  const date = new Date(ms === null || ms === undefined || ms === '' ? NaN : Number(ms));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A text search reads at most this many pages of a list, and returns at most this many tasks. */
export const maxSearchPages = 3;
export const maxFound = 20;
/** Whether a title contains all the words, in any order and case. */
export function hasWords(title: string, words: string): boolean {
  const text = title.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
