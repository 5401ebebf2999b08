import { createHash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

const bufferSize = 64 * 1024;

/** What the manifest has of a file. */
export interface FileSummary {
  lines: number;
  bytes: number;
  sha256: string;
}

/** A file of JSON lines that is being written. Counts and hashes what it writes. */
export class LineFile {
  readonly #hash: Hash = createHash('sha256');
  #buffered: string[] = [];
  #bufferedLength = 0;
  #lines = 0;
  #bytes = 0;

  private constructor(
    private readonly handle: FileHandle,
    readonly path: string,
  ) {}

  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'wx', 0o600), path);
  }

  /** `line` has no line break. */
  async write(line: string): Promise<void> {
    this.#lines += 1;
    this.#buffered.push(line, '\n');
    this.#bufferedLength += line.length + 1;
    if (this.#bufferedLength >= bufferSize) await this.#flush();
  }

  async finish(): Promise<FileSummary> {
    await this.#flush();
    await this.handle.close();
    return { lines: this.#lines, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** After an error. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#buffered.join(''), 'utf8');
    this.#buffered = [];
    this.#bufferedLength = 0;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    for (let written = 0; written < bytes.length;) written += (await this.handle.write(bytes, written)).bytesWritten;
  }
}
