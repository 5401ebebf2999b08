import { cleanLines, stripDirections } from '@tandem/contracts/values';

// The marker that `html-text.ts` inserts where a quote starts, and the byte order mark.
const reserved = /[\ue000\ufeff]/g;
const directionMarks = /[\u200e\u200f]/g;

/** Text that PostgreSQL and JSON can store: well-formed, no control characters except tab and line feed, at most `max` UTF-16 units. */
export function cleanText(text: string, max: number): string {
  const cut = text.length > max * 2 ? text.slice(0, max * 2) : text;
  const clean = cleanLines(cut).replace(reserved, '');
  return clean.length > max
    ? clean
        .slice(0, max)
        .toWellFormed()
        .replace(/\ufffd$/, '')
    : clean;
}

/** The same on one line; undefined if nothing is left. */
export function cleanLine(text: string | null | undefined, max: number): string | undefined {
  if (!text) return undefined;
  const line = stripDirections(cleanText(text, max * 2))
    .replace(directionMarks, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.slice(0, max).toWellFormed() || undefined;
}
