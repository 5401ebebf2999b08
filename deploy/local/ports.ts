import { createServer } from 'node:net';
import { tryLock } from './lock.ts';

/** True when nobody listens at this port of this machine now: neither on 127.0.0.1 nor on ::1, which is what 'localhost' may mean first. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    // Any other error than 'in use' (no IPv6 here, say) means that nobody else can be listening there.
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(host === '::1' && error.code !== 'EADDRINUSE'));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Ports that this process has reserved; the locks end with it. */
const reserved = new Set<number>();

/**
 * The first of the preferred ports that is free, else any free one. It is reserved for this process: two starters that choose in the same
 * moment, before either of their servers listens, get different ports. A program that is not ours may still take it first.
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
