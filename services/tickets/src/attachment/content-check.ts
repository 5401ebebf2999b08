import type { Readable } from 'node:stream';
import { attachmentRefused } from './attachment';

/** The sample that file-type gets: enough for its deepest checks of archives. */
const headBytes = 64 * 1024;
// Control characters that do not occur in text of any encoding.
const unprintable = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

export const sizeMismatch = () => attachmentRefused({ path: 'size', message: 'The file size differs from the announced size' });

/**
 * Pass-through stream that enforces the announced size and detects the content type. Keeps only the first `headBytes` in memory.
 */
export class ContentCheck {
  /** Why the source failed, or had the wrong size. */
  failure: Error | undefined;
  #received = 0;
  #isText = true;
  readonly #head: Buffer[] = [];
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(private readonly size: number) {}

  /**
   * Leaves the source open if a consumer fails: a destroyed request could not be answered. Stops on the signal even while it waits for a
   * chunk, because a stream cannot close while the generator it reads from waits for a client that sends nothing.
   */
  async *through(source: Readable, signal: AbortSignal, onChunk: () => void): AsyncGenerator<Buffer> {
    const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    try {
      for (let next = await unless(signal, chunks.next()); !next.done; next = await unless(signal, chunks.next())) {
        onChunk();
        this.#inspect(next.value);
        yield next.value;
      }
      if (this.#received !== this.size) throw sizeMismatch();
      this.#readText();
    } catch (error) {
      this.failure = error as Error;
      throw error;
    } finally {
      // Not awaited: a pending read settles only when the source ends.
      void chunks.return?.();
    }
  }

  /** The content type, once all bytes have passed: a known format, UTF-8 plain text, or plain bytes. */
  async type(): Promise<string> {
    const { fileTypeFromBuffer } = await import('file-type');
    const found = await fileTypeFromBuffer(Buffer.concat(this.#head)).catch(() => undefined);
    return found?.mime ?? (this.#isText ? 'text/plain' : 'application/octet-stream');
  }

  #inspect(chunk: Buffer): void {
    if (this.#received < headBytes) this.#head.push(Buffer.from(chunk.subarray(0, headBytes - this.#received)));
    this.#received += chunk.length;
    if (this.#received > this.size) throw sizeMismatch();
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

/** Not `Promise.race` with one promise for the signal: that promise would retain every chunk until the end of the file. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
