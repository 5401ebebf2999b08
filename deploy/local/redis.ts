import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, onPath, versionOf, withLibraries, type Binary } from './binaries.ts';
import type { Instance, ServerKind } from './server.ts';
import { exchange } from './wire.ts';

/** BullMQ needs 6.2. */
export const oldestRedis: [number, number] = [6, 2];

/** The redis-server on the PATH, if it is new enough. */
export async function redisOnPath(): Promise<Binary | string> {
  const file = onPath('redis-server');
  const version = file && (await versionOf(file));
  if (!file || !version) return 'redis-server on the PATH: not found';
  return atLeast(version, oldestRedis)
    ? { file, version, source: 'PATH' }
    : `redis-server on the PATH: ${version.join('.')} is older than ${oldestRedis.join('.')}`;
}

/** Redis configured for queues: every job survives a crash (append-only file), and none is ever evicted to free memory. */
export function redisServer(binary: Binary, instance: Instance, password: string): ServerKind {
  const dataDirectory = join(instance.directory, 'redis');
  const configuration = join(dataDirectory, 'redis.conf');
  return {
    name: 'redis',
    dataDirectory,
    // Debian's redis-server is a link to redis-check-rdb, so the system reports that as its executable.
    proof: { executables: ['redis-server', 'redis-check-rdb', 'redis-check-aof'] },
    preferredPorts: [undefined],
    stopSignal: 'SIGTERM',
    graceMs: 5000,
    prepare([port]) {
      mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
      const lines = [
        `bind 127.0.0.1`,
        `port ${port}`,
        `dir "${dataDirectory}"`,
        `requirepass ${password}`,
        'protected-mode yes',
        'daemonize no',
        'appendonly yes',
        // A throw-away instance still survives the death of its process, but not of the machine.
        `appendfsync ${instance.ephemeral ? 'no' : 'everysec'}`,
        'save ""',
        'maxmemory-policy noeviction',
      ];
      writeFileSync(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
    },
    command: () => ({
      file: binary.file,
      args: [configuration],
      cwd: dataDirectory,
      env: { ...withLibraries(binary.libraryPath), LC_ALL: 'C' },
    }),
    async ready([port]) {
      const ask = `AUTH ${password}\r\nCONFIG GET dir\r\n`;
      const answer = await exchange(
        new URL(`redis://127.0.0.1:${port}`),
        ask,
        (text) => text.startsWith('-') || text.split('\r\n').length >= 7,
      );
      if (!answer.includes(`\r\n${realpathSync(dataDirectory)}\r\n`))
        throw new Error(`another server answers on port ${port}: ${answer.slice(0, 100)}`);
    },
  };
}

/** URL with its password. */
export function redisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

/** Throws if no Redis that accepts the login responds at this address. */
export async function checkRedis(address: string): Promise<void> {
  const url = new URL(address);
  if (!url.port) url.port = '6379';
  const login = url.password
    ? `AUTH ${url.username ? `${decodeURIComponent(url.username)} ` : ''}${decodeURIComponent(url.password)}\r\n`
    : '';
  const answer = await exchange(
    url,
    `${login}PING\r\n`,
    (text) => text.includes('PONG') || text.startsWith('-'),
    5000,
    url.protocol === 'rediss:',
  );
  if (!answer.includes('PONG')) throw new Error(answer.trim());
}
