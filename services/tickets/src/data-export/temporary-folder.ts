import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const prefix = 'tandem-export-';
const host = hostname().replace(/[^a-zA-Z0-9]/g, '_');
/** Folders of other machines that share the place are removed when they are older: no export takes that long. */
const maxAgeMs = 2 * 24 * 3_600_000;
/** Of this process. */
const inUse = new Set<string>();

/** A new folder, readable only for this process's user. The caller removes it with `removeFolder`. */
export async function createFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, `${prefix}${host}-${process.pid}-`));
  inUse.add(folder);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  inUse.delete(folder);
}

/** Removes the folders of processes that were killed. */
export async function removeAbandonedFolders(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const folder = join(parent, name);
    if (name.startsWith(prefix) && !inUse.has(folder) && (await isAbandoned(folder, name)))
      await rm(folder, { recursive: true, force: true });
  }
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const [, owner, pid] = /^tandem-export-(\w+)-(\d+)-/.exec(name) ?? [];
  if (owner === host) return Number(pid) === process.pid || !isRunning(Number(pid));
  const changed = await stat(folder).catch(() => undefined);
  return changed !== undefined && changed.mtimeMs < Date.now() - maxAgeMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not ours, but there is one.
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
