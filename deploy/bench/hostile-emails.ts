/** Emails near the limit of 25 MB, and emails that are crafted to take long to read. */
const head = (n: number) =>
  `From: Sender ${n} <sender-${n}@example.com>\r\nSubject: Email ${n}\r\nMessage-ID: <hostile-${n}@example.com>\r\nMIME-Version: 1.0\r\n`;
const line = 'The quick brown fox jumps over the lazy dog and runs away from here.......\r\n';
const mixed = (part: string, body: string) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the file\r\n--b\r\n${part}\r\n\r\n${body}\r\n--b--\r\n`;
const megabytes = 24 * 1024 * 1024;

/** Builds an email of each kind; `n` makes each email different. */
export const hostileEmails = {
  '24 MB attachment': (n) =>
    head(n) +
    mixed(
      'Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64',
      `${'QUJD'.repeat(19)}\r\n`.repeat(megabytes / 78),
    ),
  '24 MB forwarded email': (n) => head(n) + mixed('Content-Type: message/rfc822', `${head(n)}\r\n${line.repeat(megabytes / line.length)}`),
  '24 MB of text': (n) => `${head(n)}\r\n${line.repeat(megabytes / line.length)}`,
  '24 MB of HTML': (n) => `${head(n)}Content-Type: text/html\r\n\r\n${'<div><b>a</b>\r\n'.repeat(megabytes / 15)}`,
  '9 MB of lines that start with a dot': (n) => `${head(n)}\r\n${'.\r\n'.repeat(3_000_000)}`,
  '500 KB of address groups': (n) => `${head(n)}To: ${'a:'.repeat(250_000)}\r\n\r\nx`,
  '500 KB of nested comments': (n) => `${head(n)}References: ${'('.repeat(500_000)}\r\n\r\nx`,
} satisfies Record<string, (n: number) => string>;
export type HostileEmail = keyof typeof hostileEmails;
