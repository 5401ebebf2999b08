import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
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

const onLinux = process.platform === 'linux' ? it : it.skip;
onLinux('parses with a lower priority than the threads that answer requests', async () => {
  const priority = getPriority();
  await parser.parse([email()], '', undefined);
  const priorities = readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
  expect(priorities).toContain(Math.min(priority + 10, 19));
  expect(getPriority()).toBe(priority);
});

it('moves the bytes of a large email instead of copying them', async () => {
  const blocks = [1, 2].map(() => Buffer.alloc(1_000_000, 'From: a@example.com\r\n\r\n'));
  await parser.parse(blocks, '', undefined);
  expect(blocks.map(({ length }) => length)).toEqual([0, 0]);
});
