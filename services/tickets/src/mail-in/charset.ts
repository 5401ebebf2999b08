import { isUtf8 } from 'node:buffer';

const escapeOfJis = Buffer.from('\x1b$');
const singleByte = /^(windows-?125\d|cp125\d|iso[-_]?8859|latin|l\d|koi8|macintosh|mac)/;
/** Labels without information, because mail programs send them with any encoding. */
const meaningless = /^(|us-ascii|ascii|utf-?8|ansi_x3\.4-1968|unknown|unknown-8bit|x-unknown|default|binary|8bit)$/;

/**
 * Detects the encoding of these bytes. Uses the label if it can be correct: mail programs get it wrong in a few well-known ways (UTF-8
 * labeled as something else or not at all, Latin-1 as UTF-8, ISO-2022-JP as ASCII, GB2312 with characters of GB18030).
 */
export function charsetOf(bytes: Uint8Array, label: string | undefined, fallback = 'windows-1252'): string {
  const declared = (label ?? '')
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '');
  const ofMark = byteOrderMark(bytes);
  if (ofMark) return ofMark;
  if (isSevenBitJis(bytes) && !declared.startsWith('iso-2022')) return 'iso-2022-jp';
  if (/^(gb2312|gb_2312|gbk|cp936|x-gbk|csgb2312)/.test(declared)) return 'gb18030';
  if (/^(utf-?16|utf-?32|ucs-?2|unicode)/.test(declared)) return bytes.includes(0) ? declared : 'utf-8';
  const utf8 = isUtf8(bytes);
  if (utf8 && (singleByte.test(declared) || meaningless.test(declared) || !isKnown(declared))) return 'utf-8';
  if (meaningless.test(declared)) return !utf8 && declared.startsWith('utf') && mostlyUtf8(bytes) ? 'utf-8' : fallback;
  if (!isKnown(declared)) return utf8 ? 'utf-8' : fallback;
  return utf8 && new TextDecoder(declared).decode(bytes).includes('\ufffd') ? 'utf-8' : declared;
}

/** Converts the header block to UTF-8. Old mail programs write raw bytes of other encodings into headers, and servers forward them. */
export function headersInUtf8(raw: Buffer): Buffer {
  const end = endOfHeaders(raw);
  const block = raw.subarray(0, end);
  const jis = isSevenBitJis(block);
  if (!jis && isUtf8(block)) return raw;
  const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(block.toString('latin1'))?.[1];
  const charset = jis ? 'iso-2022-jp' : charsetOf(block, label);
  return Buffer.concat([Buffer.from(new TextDecoder(charset).decode(block)), raw.subarray(end)]);
}

/** The position of the empty line after the headers; at most 1 MB. */
export function endOfHeaders(raw: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n', '\r\r'].map((end) => raw.indexOf(end)).filter((at) => at >= 0);
  return Math.min(raw.length, maxHeaderBytes, ...ends);
}
const maxHeaderBytes = 1024 * 1024;

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

function isSevenBitJis(bytes: Uint8Array): boolean {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(escapeOfJis);
  return at >= 0 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40);
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== 'replacement';
  } catch {
    // Labels that postal-mime supports in addition to those of `TextDecoder`, such as `cp932` and `euc_jp`.
    return /^(x-)?(cp|ms|ibm)(932|936|949|950|874|51932|5022\d)$|^(x-)?(shiftjis|shift-jis|euc_?(jp|kr)|windows-?31j|tis620|iso2022jp)/.test(
      label,
    );
  }
}

/** Whether this is UTF-8 with a few invalid sequences (a truncated character), rather than another encoding with high bytes. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, 64 * 1024));
  const broken = text.split('\ufffd').length - 1;
  const whole = (text.match(/[^\u0000-\u007f\ufffd]/g) ?? []).length;
  return broken * 4 <= whole;
}
