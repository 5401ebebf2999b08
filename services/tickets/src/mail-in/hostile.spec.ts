import { dice, kinds, largeKinds, strangeMail } from '../../test/mails';
import { parseMail } from './parse';
import { UnreadableMail, type ParsedMail } from './parsed-mail';

const unstorable = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\u007f-\u009f\ue000]/;

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return [];
  return Object.values(value).flatMap(stringsOf);
}

async function read(raw: Buffer): Promise<ParsedMail | string> {
  try {
    return await parseMail(raw);
  } catch (error) {
    if (!(error instanceof UnreadableMail)) throw error;
    return error.message;
  }
}

const head = 'From: a@example.com\r\nMessage-ID: <x@example.com>\r\n';

it('strange emails become storable, or are refused with a reason', async () => {
  for (let seed = 0; seed < 120; seed++) {
    const { kind, raw } = strangeMail(seed);
    const parsed = await read(raw);
    const strings = stringsOf(parsed);
    expect([kind, strings.filter((text) => unstorable.test(text) || !text.isWellFormed())]).toEqual([kind, []]);
    expect(strings.every((text) => text.length <= 500_000)).toBe(true);
  }
});

it.each(Object.keys(largeKinds))('%s is read in bounded time', async (kind) => {
  const raw = Buffer.from(largeKinds[kind]!(dice(1), head) as string);
  // Quadratic work on such an email takes longer than the time limit of a test.
  await read(raw);
});

it('covers more than 35 kinds of strange emails', () => {
  expect(Object.keys(kinds).length).toBeGreaterThan(35);
});
