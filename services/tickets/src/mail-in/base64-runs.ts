import { randomBytes } from 'node:crypto';
import type { Email } from 'postal-mime';

/** Shorter runs are parsed: for them, the work would not pay. */
const minRunBytes = 64 * 1024;
/** A run is found from a line in its first half. */
const stepBytes = minRunBytes / 2;
/** Longest line without its line end; RFC 5322 allows 998 characters. */
const maxLineChars = 996;

const markBytes = 24;
const tokenBytes = 48;
const markChars = (markBytes / 3) * 4;
const tokenChars = (tokenBytes / 3) * 4;

/** Lines of base64 that were cut out: as they were received, without the last line end, and decoded. */
interface Run {
  lines: Buffer;
  content: Buffer;
}

/** An email without its long runs of base64. A line in their place begins with `mark`, in base64. */
export interface CutMail {
  raw: Buffer;
  mark: Buffer;
  runs: Run[];
}

/**
 * Cuts long runs of base64 out of an email: lines of the same length that only contain base64. Reading them line by line takes a parser
 * ten times as long as decoding them at once. In the place of each run is one line with a random token. It is decoded, or not, in the
 * same way as the lines would be, in any structure of the email.
 */
export function cutRuns(raw: Buffer): CutMail {
  const mark = randomBytes(markBytes);
  const runs: Run[] = [];
  const output: Buffer[] = [];
  let copied = 0;
  for (let at = 0; at + minRunBytes <= raw.length;) {
    const found = runAt(raw, at);
    at = found.end;
    if (!found.run) continue;
    const start = found.end - found.run.lines.length - found.eol;
    output.push(raw.subarray(copied, start), Buffer.from(tokenOf(mark, runs.length).toString('base64'), 'latin1'));
    copied = found.end - found.eol;
    runs.push(found.run);
  }
  return { raw: runs.length === 0 ? raw : Buffer.concat([...output, raw.subarray(copied)]), mark, runs };
}

/** The run that contains the first whole line from `at` on; `end` is where to search for the next one. */
function runAt(raw: Buffer, at: number): { run?: Run; end: number; eol: number } {
  const start = raw.indexOf(10, at) + 1;
  const first = start === 0 ? -1 : raw.indexOf(10, start);
  if (first < 0) return { end: raw.length, eol: 0 };
  const eol = raw[first - 1] === 13 ? 2 : 1;
  const lineBytes = first + 1 - start;
  const chars = lineBytes - eol;
  if (chars <= 0 || chars > maxLineChars || chars % 4 !== 0) return { end: Math.max(at + stepBytes, start), eol };
  let last = first;
  while (raw[last + lineBytes] === 10 && (eol === 1 || raw[last + lineBytes - 1] === 13)) last += lineBytes;
  // The last line may be padded, or be a shorter one and what follows it.
  for (const end of [last + 1, last + 1 - lineBytes]) {
    const lines = raw.subarray(start, end - eol);
    if (lines.length < minRunBytes) return { end: Math.max(at + stepBytes, end), eol };
    const content = contentOf(lines, ((end - start) / lineBytes) * chars);
    if (content) return { run: { lines, content }, end, eol };
  }
  return { end: last + 1, eol };
}

/** The content of lines with this number of characters of base64, or undefined if they contain anything else. */
function contentOf(lines: Buffer, chars: number): Buffer | undefined {
  const content = Buffer.from(lines.toString('latin1'), 'base64');
  // Node also decodes the alphabet for URLs, skips other characters and ends at padding.
  return content.length === (chars / 4) * 3 && !lines.includes('-') && !lines.includes('_') ? content : undefined;
}

function tokenOf(mark: Buffer, index: number): Buffer {
  const token = Buffer.alloc(tokenBytes);
  mark.copy(token);
  token.writeUInt32BE(index, markBytes);
  return token;
}

const textOf = (mark: Buffer): Buffer => Buffer.from(mark.toString('base64'), 'latin1');

/** Whether a run was cut out of this part, which is not decoded yet. */
export const hasRun = (body: Buffer, { mark, runs }: CutMail): boolean => runs.length > 0 && body.includes(textOf(mark));

/**
 * Puts the runs back into the attachments: decoded where the token was decoded, or else as they were received. Returns false if a run was in
 * another place, such as a text: then the whole email must be parsed.
 */
export function restoreRuns(attachments: Email['attachments'], cut: CutMail): boolean {
  let restored = 0;
  for (const attachment of attachments) {
    if (typeof attachment.content === 'string') continue;
    const content = Buffer.from(attachment.content as ArrayBuffer);
    const pieces: Buffer[] = [];
    let copied = 0;
    for (const { at, length, bytes } of placesIn(content, cut)) {
      pieces.push(content.subarray(copied, at), bytes);
      copied = at + length;
      restored += 1;
    }
    if (pieces.length === 0) continue;
    // A copy in a separate buffer, as postal-mime returns it.
    attachment.content = Buffer.concat([...pieces, content.subarray(copied)]).buffer;
  }
  return restored === cut.runs.length;
}

interface Place {
  at: number;
  length: number;
  bytes: Buffer;
}

function placesIn(content: Buffer, { mark, runs }: CutMail): Place[] {
  const decoded = positions(content, mark, tokenBytes).map((at) => {
    return { at, length: tokenBytes, bytes: runs[content.readUInt32BE(at + markBytes)]!.content };
  });
  const received = positions(content, textOf(mark), tokenChars).map((at) => {
    const index = Buffer.from(content.toString('latin1', at + markChars, at + tokenChars), 'base64').readUInt32BE(0);
    return { at, length: tokenChars, bytes: runs[index]!.lines };
  });
  return [...decoded, ...received].sort((a, b) => a.at - b.at);
}

/** Where `mark` begins, if a whole token of this length follows. */
function positions(content: Buffer, mark: Buffer, length: number): number[] {
  const found: number[] = [];
  for (let at = content.indexOf(mark); at >= 0 && at + length <= content.length; at = content.indexOf(mark, at + length)) found.push(at);
  return found;
}
