import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory that a test can fill. Mounting needs root. */
export class SmallDisk {
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
   * Writes a file until there is no space for another byte. Asynchronously, because it takes seconds on a busy machine: servers would close the
   * idle connections of this process, which would send its next requests on them.
   */
  async fill(): Promise<void> {
    const file = await open(this.#filler, 'a');
    try {
      for (let size = 2 ** 20; size >= 1;) {
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

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.directory]);
    rmSync(this.directory, { recursive: true });
  }

  get #filler(): string {
    return join(this.directory, 'filler');
  }
}
