import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock that is released when its process dies: a listening socket, not a file that would outlive a `kill -9`. */
export interface Lock {
  /** Sets the message that other processes get when they find the lock taken (for example the address of the running instance). */
  setMessage(message: string): void;
  release(): Promise<void>;
}

/** Takes the lock, or returns undefined if a running process has it. */
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
    setMessage: (text) => void (message = text),
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Takes the lock, waiting up to `waitMs` for its release. Throws an error that names the holder. */
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

/** The message of the lock's holder; undefined if the lock is free. */
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

/** Name of the lock for a directory, independent of the path used to reach it. */
export function directoryLock(directory: string): string {
  return `directory ${realpathSync(directory)}`;
}

/** On Linux an abstract socket (no file, released with its process); elsewhere a socket file. */
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
