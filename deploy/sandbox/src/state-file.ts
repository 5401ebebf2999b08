import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** State that survives its process: one JSON file, written atomically some time after a change. */
export class StateFile<T> {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly state: () => T,
    private readonly delayMs = 300,
  ) {}

  /** The file's content, or undefined if it does not exist yet. */
  static async read<T>(path: string): Promise<T | undefined> {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Schedules a write; changes until then are included. */
  changed(): void {
    this.timer ??= setTimeout(() => void this.flush().catch(console.error), this.delayMs);
  }

  /** Resolves once all changes so far are on disk. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.catch(() => undefined).then(() => this.write());
    await this.writing;
  }

  private async write(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // Written to a second file and renamed: readers get the old or the new state, never a partial one. Mode 0600, because of the tokens.
    await writeFile(`${this.path}.new`, JSON.stringify(this.state()), { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
  }
}
