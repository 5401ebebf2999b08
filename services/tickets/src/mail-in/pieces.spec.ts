import { createHash } from 'node:crypto';
import { BlockBuffer, hashInSteps, lengthOf, piecesOf, stepBytes } from './pieces';

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

describe('BlockBuffer', () => {
  const collect = (chunks: Iterable<Buffer>) => {
    const buffer = new BlockBuffer();
    for (const chunk of chunks) buffer.add(chunk);
    expect(buffer.bytes).toBe(lengthOf(buffer.blocks()));
    return buffer.blocks();
  };

  it.each([[[]], [['']], [['a']], [['a', '', 'bc']]])('joins %j', (texts) => {
    expect(Buffer.concat(collect(texts.map((text) => Buffer.from(text)))).toString()).toBe(texts.join(''));
  });

  it.each([2, 64 * 1024, 3_000_000, megabytes.length])('collects megabytes in chunks of %i bytes in the same few blocks', (size) => {
    const blocks = collect(piecesOf(megabytes, size));
    expect(Buffer.concat(blocks).equals(megabytes)).toBe(true);
    expect(blocks.length).toBeLessThan(12);
    expect(Math.max(...blocks.map(({ length }) => length))).toBe(stepBytes);
  });

  it('reserves little memory for a small email', () => {
    expect(collect([Buffer.from('small')])[0]!.buffer.byteLength).toBe(16 * 1024);
  });
});

it('hashInSteps computes the same hash as a single update, and lets other work run in between', async () => {
  const hash = createHash('sha256');
  expect(await turnsDuring(hashInSteps(hash, [megabytes.subarray(0, 10), megabytes.subarray(10)]))).toBeGreaterThanOrEqual(20);
  expect(hash.digest('hex')).toBe(createHash('sha256').update(megabytes).digest('hex'));
});
