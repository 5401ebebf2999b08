import { randomBytes } from 'node:crypto';
import { cutRuns } from './base64-runs';
import { readMime } from './mime';
import { parseMail } from './parse';

const head = 'From: a@example.com\r\nMessage-ID: <x@example.com>\r\nMIME-Version: 1.0\r\n';
const lines = (text: string, chars = 76, eol = '\r\n') => text.match(new RegExp(`.{1,${chars}}`, 'g'))!.join(eol);
const file = (content: Buffer, chars = 76, eol = '\r\n') => lines(content.toString('base64'), chars, eol);
const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`;
const multipart = (...parts: string[]) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`;
const zip = 'Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64';
const contents = async (raw: Buffer) => (await readMime(raw)).attachments.map(({ content }) => Buffer.from(content as ArrayBuffer));

/** Longer than the shortest run that is cut, and no multiple of a line. */
const large = randomBytes(200_001);
const larger = randomBytes(300_002);

describe('an email with long runs of base64', () => {
  it.each([
    ['lines of 76 characters', 76, '\r\n'],
    ['lines of 60 characters', 60, '\r\n'],
    ['lines of 988 characters', 988, '\r\n'],
    ['line ends without CR', 76, '\n'],
  ])('is parsed without them, and has the same files: %s', async (_, chars, eol) => {
    const raw = Buffer.from(head + multipart(part('', 'Hello'), part(zip, file(large, chars, eol)), part(zip, file(larger, chars, eol))));
    expect(cutRuns(raw).runs).toHaveLength(2);
    expect(cutRuns(raw).raw.length).toBeLessThan(100_000);
    expect(await contents(raw)).toEqual([large, larger]);
    expect((await parseMail(raw)).text).toBe('Hello');
  });

  it('has the same file where other lines interrupt the run', async () => {
    const body = file(larger).split('\r\n');
    body.splice(1_500, 0, '', 'not base64: !', ' ');
    body[3_000] = `${body[3_000]!.slice(0, 40)}\r\n${body[3_000]!.slice(40)}`;
    const raw = Buffer.from(head + multipart(part(zip, body.join('\r\n'))));
    expect(cutRuns(raw).runs.length).toBeGreaterThan(1);
    // Other characters are skipped.
    expect(await contents(raw)).toEqual([Buffer.from(body.join('').replace(/[^a-zA-Z0-9+/=]/g, ''), 'base64')]);
  });

  it.each([
    ['as it is', 'Content-Type: message/rfc822'],
    ['as a file', 'Content-Type: message/rfc822; name=a.eml\r\nContent-Disposition: attachment'],
  ])('has the same embedded email, byte for byte: %s', async (_, headers) => {
    const inner = `${head.replace('<x', '<y')}${multipart(part('', 'Inner'), part(zip, file(large)))
      .replaceAll('--b', '--c')
      .replace('=b', '=c')}`;
    const raw = Buffer.from(head + multipart(part('', 'Hello'), part(headers, inner)));
    expect(cutRuns(raw).runs).toHaveLength(1);
    expect((await contents(raw)).map(String)).toEqual([inner]);
  });

  it('has the same embedded email if that is encoded', async () => {
    const inner = Buffer.from(`${head}${multipart(part(zip, file(large)))}`);
    const raw = Buffer.from(head + multipart(part('Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64', file(inner))));
    expect(await contents(raw)).toEqual([inner]);
  });

  it('is parsed as a whole if a run belongs to a text', async () => {
    const text = Buffer.from('A line of text.\r\n'.repeat(8_000));
    const raw = Buffer.from(`${head}Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${file(text)}\r\n`);
    expect(cutRuns(raw).runs).toHaveLength(1);
    expect((await readMime(raw)).text).toBe(String(text));
  });

  it('is parsed as a whole if a run follows an incomplete group of four characters', async () => {
    const raw = Buffer.from(head + multipart(part(zip, `QUI\r\n${file(large)}`)));
    const shifted = Buffer.from(`QUI${large.toString('base64')}`, 'base64');
    expect(await contents(raw)).toEqual([shifted]);
  });

  it('keeps an unencoded file that looks like base64', async () => {
    const body = file(large);
    const raw = Buffer.from(head + multipart(part('Content-Type: application/octet-stream; name=a.pem', body)));
    expect((await contents(raw)).map(String)).toEqual([body]);
  });
});

describe('lines that are not base64', () => {
  it.each([
    ['the alphabet for URLs', file(large).replaceAll('+', '-')],
    ['padded lines', file(large, 74).replaceAll('\r\n', '==\r\n')],
    ['other characters', file(large).replaceAll('+', '!')],
    ['short runs', file(large.subarray(0, 40_000))],
    ['lines of an odd length', file(large, 75)],
    ['one long line', large.toString('base64')],
  ])('are not cut: %s', (_, body) => {
    expect(cutRuns(Buffer.from(head + multipart(part(zip, body)))).runs).toEqual([]);
  });
});
