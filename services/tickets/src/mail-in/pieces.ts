import { setImmediate as otherWork } from 'node:timers/promises';

/** Splits a buffer into views of at most `size` bytes. */
export function* piecesOf(content: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

/** Copying or hashing this many bytes takes about a millisecond. */
const stepBytes = 1024 * 1024;

/** `Buffer.concat` that lets the event loop do other work in between: 25 MB at once would delay requests. */
export async function concatInSteps(chunks: readonly Buffer[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    for (const piece of piecesOf(chunk, stepBytes)) {
      piece.copy(whole, at);
      const step = Math.floor(at / stepBytes);
      at += piece.length;
      if (Math.floor(at / stepBytes) > step) await otherWork();
    }
  }
  return whole;
}

/** Passes the content to a hash as `concatInSteps` copies it. `subtle.digest` is not an alternative: it first copies all bytes at once. */
export async function hashInSteps(hash: { update(data: Buffer): unknown }, content: Buffer): Promise<void> {
  for (const piece of piecesOf(content, stepBytes)) {
    hash.update(piece);
    await otherWork();
  }
}
