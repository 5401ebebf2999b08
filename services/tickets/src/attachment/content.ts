import type { Readable } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import { refused } from './attachment';

/** What file-type looks at: enough for its deepest looks into archives. */
const headBytes = 64 * 1024;
// Nobody types these; a file with them is no text, whatever its encoding.
const unprintable = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

export const wrongSize = () => refused({ path: 'size', message: 'The file has another size than was announced' });

/**
 * Bytes on their way through: they must be exactly as many as announced, and what they are is found out meanwhile. Keeps their beginning
 * only.
 */
export class Content {
  /** Why the source ended too early, or with too much. */
  failure: Error | undefined;
  #received = 0;
  #isText = true;
  readonly #head: Buffer[] = [];
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(private readonly size: number) {}

  /**
   * Leaves the source open when somebody downstream fails: a request that was destroyed could not be answered any more. Ends with the signal,
   * also while it waits: a stream cannot be closed as long as the generator that it reads from waits for somebody who says nothing.
   */
  async *through(source: Readable, signal: AbortSignal, onChunk: () => void): AsyncGenerator<Buffer> {
    const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    try {
      for (let next = await unless(signal, chunks.next()); !next.done; next = await unless(signal, chunks.next())) {
        onChunk();
        this.#look(next.value);
        yield next.value;
      }
      if (this.#received !== this.size) throw wrongSize();
      this.#readText();
    } catch (error) {
      this.failure = error as Error;
      throw error;
    } finally {
      // Not waited for: it ends with the source.
      void chunks.return?.();
    }
  }

  /** What the bytes say, once all of them have gone through: a known form, plain text in UTF-8, or just bytes. */
  async type(): Promise<string> {
    const found = await fileTypeFromBuffer(Buffer.concat(this.#head)).catch(() => undefined);
    return found?.mime ?? (this.#isText ? 'text/plain' : 'application/octet-stream');
  }

  #look(chunk: Buffer): void {
    if (this.#received < headBytes) this.#head.push(Buffer.from(chunk.subarray(0, headBytes - this.#received)));
    this.#received += chunk.length;
    if (this.#received > this.size) throw wrongSize();
    this.#readText(chunk);
  }

  #readText(chunk?: Buffer): void {
    if (!this.#isText) return;
    try {
      this.#isText = !unprintable.test(chunk ? this.#decoder.decode(chunk, { stream: true }) : this.#decoder.decode());
    } catch {
      this.#isText = false;
    }
  }
}

/** Not a race with one promise of the signal: that would hold on to every chunk until the end of the file. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
