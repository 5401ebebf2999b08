import { dice, kinds, largeKinds, strangeMail } from '../../test/mails';
import { parseMail } from './parse';
import { UnreadableMail, type ParsedMail } from './parsed-mail';

// eslint-disable-next-line no-control-regex -- what must not be there
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

/** How long nothing else had its turn, at most. */
function longestPause(): () => number {
  let last = performance.now();
  let longest = 0;
  const look = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  return () => {
    clearInterval(look);
    return Math.max(longest, performance.now() - last);
  };
}

const figures = process.env.PRINT_FIGURES !== undefined;
const head = 'From: a@example.com\r\nMessage-ID: <x@example.com>\r\n';

it('two hundred strange mails become what can be stored, or are refused with a reason', async () => {
  const slow: string[] = [];
  for (let seed = 0; seed < 200; seed++) {
    const { kind, raw } = strangeMail(seed);
    const begun = performance.now();
    const parsed = await read(raw);
    slow.push(`${(performance.now() - begun).toFixed(0).padStart(6)} ms ${kind}: ${typeof parsed === 'string' ? parsed : 'read'}`);
    const strings = stringsOf(parsed);
    expect([kind, strings.filter((text) => unstorable.test(text) || !text.isWellFormed())]).toEqual([kind, []]);
    expect(strings.every((text) => text.length <= 500_000)).toBe(true);
  }
  if (figures) console.log(slow.sort().reverse().slice(0, 40).join('\n')); // eslint-disable-line no-console
});

it.each(Object.keys(largeKinds))('%s is read in bounded time, and others have their turn', async (kind) => {
  const raw = Buffer.from(largeKinds[kind]!(dice(1), head) as string);
  const pause = longestPause();
  const begun = performance.now();
  const before = process.memoryUsage().rss;
  const parsed = await read(raw);
  const ms = performance.now() - begun;
  if (figures)
    console.log(
      kind,
      typeof parsed === 'string' ? parsed : 'read',
      `${ms.toFixed(0)} ms`,
      `longest ${pause().toFixed(0)} ms`,
      `+${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB`,
    ); // eslint-disable-line no-console
  pause();
  expect(ms).toBeLessThan(30_000);
});

it('knows each kind', () => {
  expect(Object.keys(kinds).length).toBeGreaterThan(35);
});
