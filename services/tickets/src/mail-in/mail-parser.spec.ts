import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { eventually } from '@tandem/testing';
import { MailParser } from './mail-parser';
import { parseMail } from './parse';
import { UnreadableMail } from './parsed-mail';
import { piecesOf } from './pieces';

const parser = new MailParser({ MAIL_DOMAIN: 'mail.test' } as never, { warn: () => undefined } as never);
afterAll(() => parser.onApplicationShutdown());

const raw = (...lines: string[]) => Buffer.from(lines.join('\r\n'));
const email = () =>
  raw(
    'From: Carla <carla@example.com>',
    'To: support+token@acme.mail.test',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'It burns.',
    '--b',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('%PDF').toString('base64'),
    '--b--',
  );

it('returns the same result as in the main thread, with files as buffers', async () => {
  const { mail, checks } = await parser.parse([...piecesOf(email(), 100)], '', undefined);
  expect(mail).toEqual(await parseMail(email()));
  expect(mail.files.map(({ content }) => [Buffer.isBuffer(content), content.toString()])).toEqual([[true, '%PDF']]);
  expect(checks).toMatchObject({ dmarc: 'not_checked' });
});

it('rethrows why an email is unreadable', async () => {
  const nested = Array.from({ length: 80 }, (_, i) => [`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`]).flat();
  await expect(parser.parse([raw(...nested)], '', undefined)).rejects.toThrow(new UnreadableMail('Its parts are nested too deeply'));
});

it('returns the recipients, or none', async () => {
  expect(await parser.recipients([...piecesOf(email(), 50)])).toEqual(['support+token@acme.mail.test']);
  expect(await parser.recipients([raw('Subject: x', '', 'To: a@example.com')])).toEqual([]);
});

/** Of all threads of this process; one that ends meanwhile has none. */
const priorities = () =>
  readdirSync('/proc/self/task').map((thread) => {
    const file = `/proc/self/task/${thread}/stat`;
    const stat = existsSync(file) ? readFileSync(file, 'utf8') : ') ';
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
const lowPriority = () => Math.min(getPriority() + 10, 19);

const onLinux = process.platform === 'linux' ? it : it.skip;
onLinux('parses with a lower priority than the threads that answer requests', async () => {
  const priority = getPriority();
  await parser.parse([email()], '', undefined);
  expect(priorities()).toContain(lowPriority());
  expect(getPriority()).toBe(priority);
});

onLinux('parses large emails one at a time, each in a thread that ends afterwards', async () => {
  const separate = new MailParser({ MAIL_DOMAIN: 'mail.test' } as never, { warn: () => undefined } as never);
  const threads = () => priorities().filter((each) => each === lowPriority()).length;
  const before = threads();
  const seen: number[] = [];
  const watching = setInterval(() => seen.push(threads() - before), 2);
  const large = () => Buffer.concat([raw('From: a@example.com', '', ''), Buffer.alloc(3_000_000, 'It burns. ')]);
  const mails = await Promise.all([1, 2, 3].map(() => separate.parse([large()], '', undefined)));
  clearInterval(watching);
  expect(mails.map(({ mail }) => mail.text.slice(0, 9))).toEqual(['It burns.', 'It burns.', 'It burns.']);
  expect(Math.max(...seen)).toBe(1);
  await eventually(() => expect(threads()).toBe(before));
});

it('continues with the next large email after one that cannot be read', async () => {
  const padding = Buffer.alloc(3_000_000, 'x');
  const nested = Array.from({ length: 80 }, (_, i) => [`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`]).flat();
  const bad = parser.parse([raw(...nested, ''), Buffer.from(padding)], '', undefined);
  const good = parser.parse([raw('From: a@example.com', '', 'It burns.', ''), Buffer.from(padding)], '', undefined);
  await expect(bad).rejects.toThrow(UnreadableMail);
  expect((await good).mail.text).toMatch(/^It burns\./);
});

it('moves the bytes of a large email instead of copying them', async () => {
  const blocks = [1, 2].map(() => Buffer.alloc(1_000_000, 'From: a@example.com\r\n\r\n'));
  await parser.parse(blocks, '', undefined);
  expect(blocks.map(({ length }) => length)).toEqual([0, 0]);
});
