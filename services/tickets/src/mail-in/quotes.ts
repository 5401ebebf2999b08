import { textWithMarkers, quoteMarker } from './html-text';
import {
  attributionAt,
  headerBlockAt,
  isDelimiter,
  isForwardLine,
  isMarker,
  isMobileLine,
  isOriginalLine,
  isQuoteLine,
} from './quote-lines';

/** The new text of a reply, and the quoted text of earlier emails. */
export interface Split {
  reply: string;
  quoted_text: string | null;
}

/** Maximum number of lines to analyze; the lines after them go to the part that the last of these belongs to. */
const maxLines = 5_000;
/** Maximum number of lines of a signature. */
const maxSignature = 12;

/**
 * Separates a reply from its quote: at our own delimiter line, else where the HTML marks a quote, else by the typical lines of mail
 * programs. Replies between quoted lines are kept with those lines. A forwarded email is kept, because it is the message. If
 * nothing would be left, the whole text is the reply.
 */
export function splitReply(text: string, html?: string, forwarded = false): Split {
  return splitMarked(text, html === undefined ? undefined : textWithMarkers(html), forwarded);
}

/** `marked` is the HTML part as returned by `textWithMarkers`. */
export function splitMarked(text: string, marked: string | undefined, forwarded: boolean): Split {
  const lines = text.split('\n');
  if (marked?.includes(quoteMarker) && !lines.some(isDelimiter)) {
    const found = split(marked.split('\n'), forwarded);
    if (found.quoted_text !== null) return found;
  }
  return split(lines, forwarded);
}

function split(all: string[], forwarded: boolean): Split {
  const lines = all.slice(0, maxLines);
  const end = cutAtDelimiter(lines) ?? cutWhereQuoted(lines, forwarded) ?? endBeforeQuote(lines);
  const begin = afterLeadingQuote(lines, end);
  const last = endBeforeSignature(lines, begin, end);
  const rest = last < lines.length || begin > 0 ? [...lines.slice(0, begin), ...lines.slice(last), ...all.slice(maxLines)] : [];
  const reply = textOf(last < lines.length ? lines.slice(begin, last) : [...lines.slice(begin), ...all.slice(maxLines)]);
  if (reply === '') return { reply: textOf(all), quoted_text: null };
  return { reply, quoted_text: textOf(rest) || null };
}

const textOf = (lines: string[]): string =>
  lines
    .filter((line) => !isMarker(line))
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();

const isText = (line: string): boolean => line.trim() !== '' && !isQuoteLine(line) && !isMarker(line);
const hasText = (lines: string[], from: number, to: number): boolean => lines.slice(from, to).some(isText);

/** Cuts at our own delimiter line, which is the first line of our emails, unless there are replies between the quoted lines below it. */
function cutAtDelimiter(lines: string[]): number | undefined {
  const at = lines.findIndex(isDelimiter);
  if (at < 0) return undefined;
  const end = withoutAttribution(lines, at);
  if (!hasText(lines, 0, end)) return undefined;
  return isQuoteLine(lines[at]!) && hasReplyWithin(lines, at) ? undefined : end;
}

/** The first line of a quote, unless there are replies within it. */
function cutWhereQuoted(lines: string[], forwarded: boolean): number | undefined {
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (isForwardLine(line)) return undefined;
    const headerLength = quoteHeaderLength(lines, at, forwarded);
    if (headerLength === 0) continue;
    const next = nextFilled(lines, at + headerLength);
    if (next !== undefined && isQuoteLine(lines[next]!)) {
      if (hasReplyWithin(lines, next)) return undefined;
    } else if (next === undefined && !isMarker(line)) continue;
    const end = withoutAttribution(lines, at);
    if (hasText(lines, 0, end)) return end;
    if (!isMarker(line)) return undefined;
  }
  return undefined;
}

/** The number of lines that start a quote here: a mark, `-----Original Message-----`, an attribution, or mail headers. */
function quoteHeaderLength(lines: string[], at: number, forwarded: boolean): number {
  const line = lines[at]!;
  if (isMarker(line)) {
    const next = nextFilled(lines, at + 1);
    if (next === undefined || isForwardLine(lines[next]!) || (forwarded && headerBlockAt(lines, next))) return 0;
    return next - at + attributionAt(lines, next);
  }
  if (line.trim() === '' || isQuoteLine(line)) return 0;
  if (isOriginalLine(line)) return forwarded ? 0 : 1;
  if (headerBlockAt(lines, at)) return forwarded ? 0 : 1;
  return attributionAt(lines, at);
}

function nextFilled(lines: string[], from: number): number | undefined {
  for (let at = from; at < lines.length; at++) if (lines[at]!.trim() !== '' && !isMarker(lines[at]!)) return at;
  return undefined;
}

/** Whether the sender has written text below the first quoted line; a signature does not count. */
function hasReplyWithin(lines: string[], from: number): boolean {
  const end = endBeforeSignature(lines, from, lines.length);
  let quoted = false;
  for (let at = from; at < end; at++) {
    if (isQuoteLine(lines[at]!)) quoted = true;
    else if (quoted && isText(lines[at]!)) {
      const headerLength = attributionAt(lines, at);
      if (headerLength === 0) return true;
      at += headerLength - 1;
    }
  }
  return false;
}

/** The end without trailing quoted lines and their attribution. */
function endBeforeQuote(lines: string[]): number {
  const signed = endBeforeSignature(lines, 0, lines.length);
  const end = trimBlank(lines, signed);
  if (end === 0 || !isQuoteLine(lines[end - 1]!)) return lines.length;
  const before = withoutAttribution(lines, end);
  return hasText(lines, 0, before) ? before : lines.length;
}

/** Moves the end up over blank and quoted lines, lines of underscores, and an attribution directly above them. */
function withoutAttribution(lines: string[], end: number): number {
  let at = end;
  while (at > 0 && (!isText(lines[at - 1]!) || /^\s*[_-]{5,}\s*$/.test(lines[at - 1]!))) at--;
  for (let count = 1; count <= 4 && at - count >= 0; count++) {
    if (attributionAt(lines, at - count) === count) {
      let top = at - count;
      while (top > 0 && !isText(lines[top - 1]!)) top--;
      return top;
    }
  }
  return at;
}

/** Where the reply begins if it is written below a single quote at the top; else 0. */
function afterLeadingQuote(lines: string[], end: number): number {
  const first = nextFilled(lines, 0);
  if (first === undefined) return 0;
  let at = nextFilled(lines, first + attributionAt(lines, first)) ?? end;
  if (at >= end || !isQuoteLine(lines[at]!)) return 0;
  while (at < end && !isText(lines[at]!)) at++;
  return at < end && !lines.slice(at, end).some(isQuoteLine) ? at : 0;
}

function trimBlank(lines: string[], end: number): number {
  let at = end;
  while (at > 0 && (lines[at - 1]!.trim() === '' || isMarker(lines[at - 1]!))) at--;
  return at;
}

/** The end before `-- ` and lines such as "Sent from my iPhone", if there is text above them. */
function endBeforeSignature(lines: string[], begin: number, end: number): number {
  let last = trimBlank(lines, end);
  for (let at = last - 1; at > begin && at >= last - maxSignature; at--) {
    if (isQuoteLine(lines[at]!)) break;
    if (/^--\s?$/.test(lines[at]!) && lines.slice(begin, at).some((line) => line.trim() !== '')) {
      last = trimBlank(lines, at);
      break;
    }
  }
  while (last > begin + 1 && isMobileLine(lines[last - 1]!) && lines.slice(begin, last - 1).some((line) => line.trim() !== ''))
    last = trimBlank(lines, last - 1);
  return last < trimBlank(lines, end) ? last : end;
}
