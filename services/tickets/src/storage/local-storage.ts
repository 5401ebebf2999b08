import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from './storage-interface';

const keyForm = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/;

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT';

/**
 * Stores files in a local folder that only this process's user can read. Writes to a temporary name and renames once the file is complete
 * and flushed to disk. For one replica, or several that share the folder.
 */
export class LocalStorage implements Storage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  async open(): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await access(this.#folder, constants.W_OK);
    } catch (cause) {
      throw new Error(`cannot store files in ATTACHMENTS_DIR (${this.#folder}): the folder is not writable`, { cause });
    }
  }

  async put(key: string, bytes: Readable, _size: number, signal: AbortSignal): Promise<void> {
    const path = this.#pathOf(key);
    const part = partOf(path);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // `wx`: each key is written once. `flush`: data reaches the disk before the rename.
      await pipeline(bytes, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }), { signal });
      await rename(part, path);
    } catch (error) {
      bytes.destroy();
      if ((error as { code?: unknown }).code !== 'EEXIST') await rm(part, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<Readable | undefined> {
    try {
      const file = await open(this.#pathOf(key), 'r');
      return file.createReadStream();
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await rm(path, { force: true });
    await rm(partOf(path), { force: true });
  }

  #pathOf(key: string): string {
    if (!keyForm.test(key)) throw new Error('invalid file key');
    return join(this.#folder, key);
  }
}

const partOf = (path: string): string => `${path}.part`;
