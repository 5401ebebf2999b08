import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { ImportFailed } from '../import-reader';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'iso-8859-15';
export interface DetectedEncoding {
  encoding: TextEncoding;
  /** Bytes that the encoding does not have were found; they are replaced by U+FFFD. */
  isDamaged: boolean;
}

/** Decodes a stream piece by piece. A character that two chunks share is complete in the second piece; a byte order mark is removed. */
export async function* decodeText(stream: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    if (text) yield text;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

/**
 * The encoding of JSON: UTF-8 (RFC 8259, 8.1), or UTF-16 if a byte order mark declares it, as some programs on Windows write it.
 */
export async function* decodeJson(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of stream) {
    decoder ??= new TextDecoder(byteOrderMark(chunk) ?? 'utf-8');
    const text = decoder.decode(chunk, { stream: true });
    if (text) yield text;
  }
  const rest = decoder?.decode();
  if (rest) yield rest;
}

/**
 * Reads the whole stream: text with one invalid byte at its end is not UTF-8. A file that is not UTF-8 is Windows-1252, which contains the
 * printable characters of ISO-8859-1, or ISO-8859-15 if its only sign of either is the position of the euro.
 * Throws `ImportFailed` if the bytes are text in none of these encodings.
 */
export async function detectEncoding(open: () => Promise<Readable>): Promise<DetectedEncoding> {
  const statistics = new ByteStatistics();
  for await (const chunk of (await open()) as AsyncIterable<Buffer>) statistics.add(chunk);
  const found = statistics.result();
  if (found) return found;
  throw new ImportFailed('source.unreadable', { cause: new Error('The encoding of the text is not recognized') });
}

function byteOrderMark(bytes: Uint8Array): TextEncoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes[2] === 0 && bytes[3] === 0 ? undefined : 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Bytes without a character in Windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt maps them to control characters). */
const unusedIn1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const euroIn15 = 0xa4;

/** Bytes that are decoded to decide whether a text that is not UTF-8 is damaged UTF-8. */
const maxDecoded = 16 * 1024 ** 2;

class ByteStatistics {
  private first: Buffer | undefined;
  private isUtf8 = true;
  /** The start of a character at the end of the last chunk. */
  private rest = Buffer.alloc(0);
  /** Of the first chunks that are not ASCII; used if the text is not UTF-8. */
  private decoded = 0;
  private readonly decoder = new TextDecoder('utf-8');
  private replaced = 0;
  private nonAscii = 0;
  private readonly counts = new Float64Array(256);

  add(chunk: Buffer): void {
    this.first ??= Buffer.from(chunk.subarray(0, 4_096));
    if (isAscii(chunk) && this.rest.length === 0) return;
    if (this.decoded < maxDecoded) this.decode(chunk);
    for (const byte of chunk) this.counts[byte]!++;
    const whole = Buffer.concat([this.rest, chunk]);
    const end = lastWholeCharacter(whole);
    if (!isUtf8(whole.subarray(0, end))) this.isUtf8 = false;
    this.rest = Buffer.from(whole.subarray(end));
  }

  private decode(chunk: Buffer): void {
    this.decoded += chunk.length;
    const text = this.decoder.decode(chunk, { stream: true });
    this.replaced += text.split('\ufffd').length - 1;
    this.nonAscii += text.match(/[^\u0000-\u007f\ufffd]/g)?.length ?? 0;
  }

  result(): DetectedEncoding | undefined {
    const { first } = this;
    if (!first) return { encoding: 'utf-8', isDamaged: false };
    const declared = byteOrderMark(first) ?? utf16WithoutMark(first);
    if (declared?.startsWith('utf-16')) return { encoding: declared, isDamaged: false };
    if (isBinary(first)) return undefined;
    if (this.isUtf8 && this.rest.length === 0) return { encoding: 'utf-8', isDamaged: false };
    // UTF-8 with a few damaged characters, such as a file that was cut or assembled from several.
    if (declared === 'utf-8' || this.replaced * 4 <= this.nonAscii) return { encoding: 'utf-8', isDamaged: true };
    return this.singleByte();
  }

  private singleByte(): DetectedEncoding | undefined {
    const sum = (from: number, to: number) => this.counts.subarray(from, to).reduce((total, count) => total + count, 0);
    const unused = [...unusedIn1252].reduce((total, byte) => total + this.counts[byte]!, 0);
    // Text in Shift_JIS, GBK or Big5 is full of them.
    if (unused * 100 > sum(0x80, 0x100)) return undefined;
    const is15 = this.counts[euroIn15]! > 0 && sum(0x80, 0xa0) === 0;
    return { encoding: is15 ? 'iso-8859-15' : 'windows-1252', isDamaged: unused > 0 };
  }
}

/** Text has no control characters but tabs, line breaks and escapes, except where it was damaged. */
const isBinary = (bytes: Buffer): boolean =>
  bytes.filter((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)).length * 20 > bytes.length;

function isAscii(bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index++) if (bytes[index]! > 0x7f) return false;
  return true;
}

/** The number of bytes without an incomplete UTF-8 character at the end, which has at most three bytes. */
function lastWholeCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** In text of European languages, each second byte of UTF-16 is 0. */
function utf16WithoutMark(bytes: Buffer): TextEncoding | undefined {
  let even = 0;
  let odd = 0;
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    if (bytes[index] === 0) even++;
    if (bytes[index + 1] === 0) odd++;
  }
  const pairs = bytes.length >> 1;
  if (odd > pairs * 0.7 && even < pairs * 0.05) return 'utf-16le';
  return even > pairs * 0.7 && odd < pairs * 0.05 ? 'utf-16be' : undefined;
}
