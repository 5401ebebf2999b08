/**
 * Generates malformed and hostile emails from a seed: equal seeds give equal emails. For tests and `npm run bench -- mail-in`.
 */

/** mulberry32: short, and random enough to choose among variants. */
function random(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Dice {
  number(max: number): number;
  pick<T>(from: readonly T[]): T;
  bytes(length: number): Buffer;
}

export function dice(seed: number): Dice {
  const next = random(seed);
  return {
    number: (max) => Math.floor(next() * max),
    pick: (from) => from[Math.floor(next() * from.length)]!,
    bytes: (length) => Buffer.from(Uint8Array.from({ length }, () => next() * 256)),
  };
}

const words = 'printer fire noon ticket 火事 ticket 💥 über naïve привет error code 500 please help '.split(' ');
const some = (die: Dice, count: number) => Array.from({ length: count }, () => die.pick(words)).join(' ');
const times = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at)).join('\r\n');

type Kind = (die: Dice, head: string) => string | Buffer;

/** Kinds of emails by name. `head` is From, Subject and Message-ID, including the last line break. */
export const kinds: Record<string, Kind> = {
  plain: (die, head) => `${head}\r\n${some(die, 50)}`,
  'no body': (_, head) => head,
  nothing: () => '',
  'bare line feeds': (die, head) => `${head}Content-Type: text/plain\r\n\r\n${some(die, 30)}`.replaceAll('\r\n', '\n'),
  'bare returns': (die, head) => `${head}\r\n${some(die, 30)}`.replaceAll('\n', ''),
  'no headers': (die) => `\r\n${some(die, 20)}`,
  garbage: (die) => die.bytes(5_000),
  'garbage body': (die, head) =>
    Buffer.concat([Buffer.from(`${head}Content-Type: text/plain; charset=${die.pick(charsets)}\r\n\r\n`), die.bytes(3_000)]),
  'wrong charset': (die, head) =>
    Buffer.from(
      `${head}Content-Type: text/plain; charset="${die.pick(charsets)}"\r\n\r\nGrüße, ${some(die, 20)}`,
      die.pick(['utf8', 'latin1', 'utf16le'] as const),
    ),
  'NUL and controls': (die, head) => `${head}X-A: \0\r\n\r\na\0b\x07\x1b[31mred\x7f${some(die, 10)}`,
  'lone surrogates': (die, head) =>
    Buffer.concat([
      Buffer.from(`${head}Content-Type: text/plain; charset=utf-16le\r\n\r\n`),
      Buffer.from('a\ud800b\udc00', 'utf16le'),
      die.bytes(31),
    ]),
  'surrogates in UTF-8': (_, head) =>
    Buffer.concat([
      Buffer.from(`${head}Subject: `),
      Buffer.from([0xed, 0xa0, 0x80, 0x41]),
      Buffer.from('\r\n\r\n'),
      Buffer.from([0xed, 0xb0, 0x80]),
    ]),
  'many headers': (die, head) => `${head}${times(10_000, (at) => `X-${at}: ${die.number(9)}`)}\r\n\r\nx`,
  'a header of 1 MB': (_, head) => `${head}X-Long: ${'a'.repeat(1_000_000)}\r\n\r\nx`,
  'folded for ever': (_, head) => `${head}Subject: a\r\n${times(20_000, () => ' b')}\r\n\r\nx`,
  'addresses galore': (die, head) =>
    `${head}Cc: ${Array.from({ length: 8_000 }, (_, at) => `"${die.pick(words)}, (${at})" <a${at}@example.com>`).join(',\r\n ')}\r\n\r\nx`,
  'open addresses': (die, head) =>
    `From: ${die.pick(['<', '"', '(', ':;', '((((', '<<a@b', '"a@b.c" <'])}${'('.repeat(3_000)}\r\nTo: ${'"'.repeat(3_001)}\r\n${head}\r\nx`,
  'encoded words': (_, head) => `${head}Subject: ${'=?utf-8?B?w5w=?= '.repeat(5_000)}\r\n\r\nx`,
  'torn encoded words': (die, head) => `Subject: =?utf-8?Q?=C3=?= =?x-none?B?!!!?= =?utf-8?B?${'A'.repeat(die.number(9))}\r\n${head}\r\nx`,
  'no boundary': (die, head) => `${head}Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\n${some(die, 9)}`,
  'another boundary': (die, head) => `${head}Content-Type: multipart/mixed; boundary=a\r\n\r\n--b\r\n\r\n${some(die, 9)}\r\n--b--`,
  'an open boundary': (die, head) =>
    `${head}Content-Type: multipart/alternative; boundary="a\r\n\r\n--a\r\nContent-Type: text/html\r\n\r\n<p>${some(die, 9)}`,
  'nested fifty deep': (die, head) => `${head}${nested(50)}\r\n\r\n${some(die, 9)}`,
  'nested too deep': (_, head) => `${head}${nested(300)}\r\n\r\nx`,
  'mails in mails': (die, head) => `${head}${'Content-Type: message/rfc822\r\n\r\n'.repeat(40)}Subject: inner\r\n\r\n${some(die, 9)}`,
  'ten thousand parts': (die, head) =>
    `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${times(10_000, (at) => `--b\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Disposition: attachment; filename=${at}.txt\r\n\r\n${die.number(9)}`)}\r\n--b--`,
  'only files': (die, head) =>
    `${head}Content-Type: application/octet-stream; name="../../etc/passwd\u202egpj.exe"\r\nContent-Transfer-Encoding: base64\r\n\r\n${die.bytes(900).toString('base64')}`,
  'broken base64': (die, head) =>
    `${head}Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${die.bytes(2_000).toString('latin1')}=A==`,
  'soft breaks': (_, head) =>
    `${head}Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=\r\n'.repeat(200_000)}${'=C3=A9'.repeat(50_000)}`,
  'empty lines': (_, head) => `${head}\r\n${'\r\n'.repeat(300_000)}x`,
  'quotes for ever': (die, head) =>
    `${head}\r\n${some(die, 5)}\r\n${times(3_000, (at) => `${'>'.repeat((at % 50) + 1)} On Mon, ${some(die, 3)} wrote:`)}`,
  'attributions for ever': (die, head) => `${head}\r\n${times(3_000, () => `On ${'a '.repeat(die.number(90))} <`)}`,
  'HTML of one kind': (die, head) => `${head}Content-Type: text/html\r\n\r\n${'<div>'.repeat(20_000)}${some(die, 9)}`,
  'HTML quotes': (die, head) =>
    `${head}Content-Type: text/html\r\n\r\n${'<blockquote type=cite><div class=gmail_quote>'.repeat(3_000)}${some(die, 9)}`,
  'HTML attributes': (die, head) =>
    `${head}Content-Type: text/html\r\n\r\n<p ${times(20_000, (at) => `a${at}="<"`)}>${some(die, 9)}</p><a href="${'javascript:'.repeat(1_000)}x">a`,
  'HTML that is open': (die, head) =>
    `${head}Content-Type: text/html\r\n\r\n${'<a href="x'.repeat(5_000)}${'<!--'.repeat(5_000)}${some(die, 9)}`,
  'styles for ever': (die, head) =>
    `${head}Content-Type: text/html\r\n\r\n<p style="${'color:red;background:url(javascript:1);position:fixed;'.repeat(5_000)}">${some(die, 9)}</p>`,
  'a table of 20,000 cells': (die, head) =>
    `${head}Content-Type: text/html\r\n\r\n<table><tr>${'<td>a</td>'.repeat(20_000)}</tr></table>${some(die, 9)}`,
  flowed: (die, head) => `${head}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${times(20_000, () => `${die.pick(words)} `)}`,
  'a report': (_, head) =>
    `${head}Return-Path: <>\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n--r\r\nContent-Type: message/delivery-status\r\n\r\n${'Status: 5.\r\n'.repeat(5_000)}\r\n\r\nAction: failed\r\n--r--`,
  'a strange date': (die, head) => `${head}Date: ${die.pick(['never', '1 Jan 0001', 'Fri, 99 Nov 99999 99:99:99 +9999', ''])}\r\n\r\nx`,
};

/** Large kinds, of which a few per run are enough. */
export const largeKinds: Record<string, Kind> = {
  '30 MB of a file': (die, head) =>
    `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${some(die, 9)}\r\n--b\r\nContent-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat(380_000)}--b--`,
  '25 MB of text': (_, head) => `${head}\r\n${'A line of text that somebody wrote.\r\n'.repeat(675_000)}`,
  '5 MB of empty lines': (_, head) => `${head}\r\n${'\n'.repeat(5_000_000)}`,
  '25 MB of HTML': (_, head) => `${head}Content-Type: text/html\r\n\r\n${'<div><b>a</b>\r\n'.repeat(1_650_000)}`,
  '25 MB on one line': (_, head) => `${head}\r\n${'a'.repeat(25_000_000)}`,
  '25 MB of soft breaks': (_, head) =>
    `${head}Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=\r\n'.repeat(8_300_000)}`,
  '25 MB of boundaries': (_, head) => `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n'.repeat(5_000_000)}`,
  'too large': (_, head) => `${head}\r\n${'a\r\n'.repeat(13_000_000)}`,
};

const charsets = [
  'utf-8',
  'us-ascii',
  'utf-16',
  'utf-7',
  'x-klingon',
  'iso-2022-jp',
  'gb18030',
  'shift_jis',
  'windows-1255',
  '',
  "'; drop",
  'hz-gb-2312',
  'euc-kr',
];
const nested = (depth: number) => times(depth, (at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}`);

/** The email for a seed, and its kind. The sender is one of five thousand, and each Message-ID is unique. */
export function strangeMail(seed: number, kind?: string): { kind: string; from: string; raw: Buffer } {
  const names = Object.keys(kinds);
  return mailOf(kind ?? names[seed % names.length]!, seed);
}

function mailOf(kind: string, seed: number): { kind: string; from: string; raw: Buffer } {
  const die = dice(seed);
  const from = `sender-${die.number(5_000)}@example.com`;
  const head = `From: S ${seed} <${from}>\r\nTo: support@acme.mail.test\r\nSubject: ${some(die, 4)}\r\nMessage-ID: <m${seed}@example.com>\r\n`;
  const made = kinds[kind]!(die, head);
  return { kind, from, raw: Buffer.from(made as string) };
}
