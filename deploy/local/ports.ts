import { createServer } from 'node:net';
import { tryLock } from './lock.ts';

/** True if no process listens on this port now, neither on 127.0.0.1 nor on ::1, which 'localhost' may resolve to first. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    // Any error other than 'in use' (for example no IPv6 here) means that no other process can be listening there.
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(host === '::1' && error.code !== 'EADDRINUSE'));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Ports reserved by this process; their locks are released when it exits. */
const reserved = new Set<number>();

/**
 * The first preferred port that is free, else any free one. It is reserved for this process, so that two starters that choose at the same
 * time, before either of their servers listens, get different ports. Another program may still take it first.
 */
export async function freePort(...preferred: (number | undefined)[]): Promise<number> {
  for (const port of preferred) if (port && (await isFree(port)) && (await reserve(port))) return port;
  for (;;) {
    const port = await anyPort();
    if (!reserved.has(port) && (await reserve(port))) return port;
  }
}

async function reserve(port: number): Promise<boolean> {
  if (!reserved.has(port) && !(await tryLock(`port ${port}`))) return false;
  reserved.add(port);
  return true;
}

function anyPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
