import { setImmediate } from 'node:timers/promises';

/** Resolves in the next turn of the event loop, so that requests are answered before. */
export const otherWork = (): Promise<void> => setImmediate();

/** Splits a buffer into views of at most `size` bytes. */
export function* piecesOf(content: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

export const lengthOf = (blocks: readonly Buffer[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

/** The main thread copies at most this many bytes of an email at once. */
export const stepBytes = 1024 * 1024;
/** It hashes at most this many at once, because hashing a megabyte takes up to two milliseconds. */
const hashBytes = 256 * 1024;
const firstBlockBytes = 16 * 1024;

/**
 * Copies incoming chunks into blocks of 16 KB to 1 MB, each twice as large as the one before. The sender determines the size of chunks: a
 * line that starts with a dot ends one, so 24 MB can arrive as millions of chunks. As separate buffers, they would exhaust the heap.
 */
export class BlockBuffer {
  readonly #full: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#used === this.#block.length) this.#startBlock();
      const copied = chunk.copy(this.#block, this.#used, at);
      this.#used += copied;
      at += copied;
    }
    this.#bytes += chunk.length;
  }

  /** The bytes so far. */
  blocks(): Buffer[] {
    return this.#used === 0 ? [] : [...this.#full, this.#block.subarray(0, this.#used)];
  }

  #startBlock(): void {
    if (this.#used > 0) this.#full.push(this.#block);
    // Not from Node's pool, so that the bytes can be transferred to a thread.
    this.#block = Buffer.allocUnsafeSlow(Math.min(stepBytes, this.#block.length * 2 || firstBlockBytes));
    this.#used = 0;
  }
}

/**
 * Passes the blocks to a hash, and lets the event loop do other work after each step: 25 MB at once would delay requests. `subtle.digest` is
 * not an alternative: it first copies all bytes at once.
 */
export async function hashInSteps(hash: { update(data: Buffer): unknown }, blocks: readonly Buffer[]): Promise<void> {
  for (const block of blocks) {
    for (const piece of piecesOf(block, hashBytes)) {
      hash.update(piece);
      await otherWork();
    }
  }
}
