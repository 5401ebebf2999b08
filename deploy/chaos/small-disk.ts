import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A file system in memory that a test can fill. Mounting needs root. */
export class SmallDisk {
  #filling = new AbortController();
  /** Resolves when it has ended. */
  #refilling: Promise<void> = Promise.resolve();

  private constructor(readonly directory: string) {}

  /** Undefined if this machine does not allow it. */
  static mount(megabytes: number): SmallDisk | undefined {
    const directory = mkdtempSync(join(tmpdir(), 'tandem-small-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory], { stdio: 'ignore' });
      return new SmallDisk(directory);
    } catch {
      rmSync(directory, { recursive: true });
      return undefined;
    }
  }

  /** A folder on it. */
  folder(name: string): string {
    const path = join(this.directory, name);
    mkdirSync(path, { recursive: true, mode: 0o755 });
    return path;
  }

  /**
   * Leaves no space for another byte, until `free`. PostgreSQL removes files of its write-ahead log when a checkpoint ends, so the space that
   * becomes free is used again.
   */
  async fill(): Promise<void> {
    await this.free();
    this.#filling = new AbortController();
    const { signal } = this.#filling;
    await this.#fill(signal);
    this.#refilling = (async () => {
      while (!signal.aborted) {
        await pause(50);
        await this.#fill(signal);
      }
    })();
  }

  /** Resolves when there is space: a removed file occupies it until it is closed. */
  async free(): Promise<void> {
    this.#filling.abort();
    await this.#refilling;
    rmSync(this.#filler, { force: true });
  }

  /** Asynchronously, because it takes seconds on a busy machine: servers would close idle connections that this process would still use. */
  async #fill(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const file = await open(this.#filler, 'a');
    try {
      for (let size = 2 ** 20; size >= 1 && !signal.aborted;) {
        try {
          await file.write(Buffer.alloc(size, 1));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size = Math.floor(size / 2);
        }
      }
    } finally {
      await file.close();
    }
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.directory]);
    rmSync(this.directory, { recursive: true });
  }

  get #filler(): string {
    return join(this.directory, 'filler');
  }
}
