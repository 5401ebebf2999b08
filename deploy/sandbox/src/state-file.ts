import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A state that outlives its process: one JSON file, always whole, written some time after a change. */
export class StateFile<T> {
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly state: () => T,
    private readonly delayMs = 300,
  ) {}

  /** What the file holds, or undefined where there is none yet. */
  static async read<T>(path: string): Promise<T | undefined> {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Something changed: it is written soon, together with what changes until then. */
  changed(): void {
    this.timer ??= setTimeout(() => void this.flush().catch(console.error), this.delayMs);
  }

  /** Resolves once everything up to now is on the disk. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.catch(() => undefined).then(() => this.write());
    await this.writing;
  }

  private async write(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // Written beside and moved over: whoever reads meets the old state or the new one, never a half. It holds tokens, so nobody else may read it.
    await writeFile(`${this.path}.new`, JSON.stringify(this.state()), { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
  }
}
