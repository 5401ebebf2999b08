import { cleanLines, stripControls, stripDirections } from '@tandem/contracts/values';

/** User input as plain text with several lines. */
export const plainText = (typed: string): string => stripDirections(cleanLines(typed));

/**
 * A text of the product that contains typed values. Keeps the characters with which the catalogs isolate the values from a sentence that is
 * read from right to left.
 */
export const sentenceText = (text: string): string => cleanLines(text).replace(/[\u202a-\u202e\u2066\u2067]/g, '');

/** One line of typed text. Keeps leading and repeated spaces, which HTML would collapse. */
export const fixedSpaces = (line: string): string => line.replace(/^ +| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length));

/** User input as one line of limited length, so that it cannot inject a header or a line. */
export function oneLine(typed: string, length = 120): string {
  const line = stripDirections(stripControls(typed.replace(/\s+/g, ' '))).trim();
  return line.length > length ? `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** en-US with short month, day, year, hour and minute. In UTC, because the reader's time zone is unknown. */
const date = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
});
export const formatTime = (time: string): string => `${date.format(new Date(time))} UTC`;

/** The beginning of a text with several lines. */
export function beginningOf(typed: string, length: number): string {
  const text = plainText(typed).trim();
  return text.length > length
    ? `${text
        .slice(0, length - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`
    : text;
}

/** Without web addresses: a form that accepts any recipient must not be a way to send links to strangers. */
export const withoutLinks = (typed: string, placeholder: string): string =>
  typed.replace(/(?:\b[a-z][a-z\d+.-]*:\/\/|\bwww\.)\S+|(?:[\p{L}\d-]+\.)+\p{L}{2,}\/\S*/giu, () => placeholder);
