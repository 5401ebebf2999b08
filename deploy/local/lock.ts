import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock that dies with its process: a listening socket, never a file that outlives a `kill -9`. */
export interface Lock {
  /** What whoever finds the lock taken is told (for instance the address of what runs already). */
  tell(message: string): void;
  release(): Promise<void>;
}

/** Takes the lock of this name, or returns undefined when a living process has it. */
export async function tryLock(name: string): Promise<Lock | undefined> {
  let message = '';
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify({ pid: process.pid, message }));
  });
  if (!(await listen(server, address(name))) && !((await removeDeadSocketFile(name)) && (await listen(server, address(name)))))
    return undefined;
  server.unref();
  return {
    tell: (text) => void (message = text),
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Takes the lock, waiting up to `waitMs` for its holder to let go. Throws an error that names the holder. */
export async function takeLock(name: string, what: string, waitMs: number): Promise<Lock> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const lock = await tryLock(name);
    if (lock) return lock;
    if (Date.now() > deadline) {
      const holder = await askHolder(name);
      throw new Error(
        `${what} is in use by ${holder ? `process ${holder.pid}` : 'another process'}${holder?.message ? ` (${holder.message})` : ''}`,
      );
    }
    await sleep(100);
  }
}

/** What the holder of a lock has to say; undefined when nobody holds it. */
export function askHolder(name: string): Promise<{ pid: number; message: string } | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(address(name));
    socket.setTimeout(2000, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(text.startsWith('{') ? (JSON.parse(text) as { pid: number; message: string }) : undefined));
  });
}

/** Name of the lock that guards a directory, the same by whatever path one comes to it. */
export function directoryLock(directory: string): string {
  return `directory ${realpathSync(directory)}`;
}

/** On Linux an abstract socket (no file at all, gone with its process); elsewhere a socket file. */
function address(name: string): string {
  const id = `tandem-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  return process.platform === 'linux' ? `\0${id}` : join(tmpdir(), `${id}.sock`);
}

function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error));
    server.once('error', failed);
    server.listen(path, () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

async function removeDeadSocketFile(name: string): Promise<boolean> {
  if (process.platform === 'linux' || (await askHolder(name))) return false;
  rmSync(address(name), { force: true });
  return true;
}
