import { createHash } from 'node:crypto';
import { concatInSteps, hashInSteps, piecesOf } from './pieces';

const megabytes = Buffer.alloc(5 * 1024 * 1024 + 3, 'an email ');
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let [turns, isDone] = [0, false];
  void work.finally(() => (isDone = true));
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  return turns;
};

it.each([0, 1, 4, 5, 8])('pieces of %i bytes are views that together are the content', (length) => {
  const content = Buffer.from('12345678'.slice(0, length));
  const pieces = [...piecesOf(content, 4)];
  expect(Buffer.concat(pieces)).toEqual(content);
  expect(pieces.every((piece) => piece.length > 0 && piece.length <= 4 && piece.buffer === content.buffer)).toBe(true);
});

describe('concatInSteps', () => {
  it.each([[[]], [['a']], [['a', '', 'bc']]])('joins %j', async (texts) => {
    expect((await concatInSteps(texts.map((text) => Buffer.from(text)))).toString()).toBe(texts.join(''));
  });

  it('joins megabytes, however they are split, and lets other work run in between', async () => {
    for (const size of [64 * 1024, 3_000_000, megabytes.length]) {
      const joined = concatInSteps([...piecesOf(megabytes, size)]);
      expect(await turnsDuring(joined)).toBeGreaterThanOrEqual(5);
      expect((await joined).equals(megabytes)).toBe(true);
    }
  });
});

it('hashInSteps computes the same hash as a single update, and lets other work run in between', async () => {
  const hash = createHash('sha256');
  expect(await turnsDuring(hashInSteps(hash, megabytes))).toBeGreaterThanOrEqual(5);
  expect(hash.digest('hex')).toBe(createHash('sha256').update(megabytes).digest('hex'));
});
