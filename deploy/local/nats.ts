import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, onPath, versionOf, withLibraries, type Binary } from './binaries.ts';
import type { Instance, ServerKind } from './server.ts';
import { exchange } from './wire.ts';

/** From this version on, JetStream can sync every message to disk before it acknowledges it (`sync_interval: always`). */
export const goodNats: [number, number] = [2, 10];
/** Oldest version with the features that the code uses, but without the guarantee of `goodNats`. */
export const oldestNats: [number, number] = [2, 9];
const user = 'tandem';

/** The nats-server on the PATH, if it is at least this version. */
export async function natsOnPath(oldest: [number, number]): Promise<Binary | string> {
  const file = onPath('nats-server');
  const version = file && (await versionOf(file));
  if (!file || !version) return 'nats-server on the PATH: not found';
  return atLeast(version, oldest)
    ? { file, version, source: 'PATH' }
    : `nats-server on the PATH: ${version.join('.')} is older than ${oldest.join('.')}`;
}

/** NATS with JetStream. */
export function natsServer(binary: Binary, instance: Instance, password: string): ServerKind {
  const dataDirectory = join(instance.directory, 'nats');
  const configuration = join(dataDirectory, 'nats.conf');
  // Distinguishes this server from others on the same port. Must not change between starts, because JetStream's files depend on it.
  const serverName = `tandem-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`;
  return {
    name: 'nats',
    dataDirectory,
    proof: { executables: ['nats-server'] },
    preferredPorts: [undefined],
    stopSignal: 'SIGTERM',
    graceMs: 5000,
    prepare([port]) {
      mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
      const sync = !instance.ephemeral && atLeast(binary.version, goodNats) ? '  sync_interval: always\n' : '';
      writeFileSync(
        configuration,
        `server_name: ${serverName}\nlisten: "127.0.0.1:${port}"\njetstream {\n  store_dir: "${dataDirectory}"\n${sync}}\n` +
          `authorization {\n  user: ${user}\n  password: "${password}"\n}\nlame_duck_duration: "30s"\n`,
        { mode: 0o600 },
      );
    },
    command: () => ({ file: binary.file, args: ['-c', configuration], cwd: dataDirectory, env: withLibraries(binary.libraryPath) }),
    async ready([port]) {
      const info = await natsInfo(natsUrl(port!, password));
      if (info.server_name !== serverName) throw new Error(`another server (${info.server_name}) answers on port ${port}`);
      if (!info.jetstream) throw new Error('JetStream is not enabled yet');
    },
  };
}

/** URL with user and password. */
export function natsUrl(port: number, password: string): string {
  return `nats://${user}:${password}@127.0.0.1:${port}`;
}

/** Logs in and returns the server's INFO. Throws if the login fails. */
export async function natsInfo(address: string): Promise<{ server_name: string; version: string; jetstream?: boolean }> {
  const url = new URL(address.includes('://') ? address : `nats://${address}`);
  if (!url.port) url.port = '4222';
  const [name, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const login = password ? { user: name, pass: password } : name ? { auth_token: name } : {};
  const hello = `CONNECT ${JSON.stringify({ verbose: false, pedantic: false, lang: 'starter', version: '1', ...login })}\r\nPING\r\n`;
  // If the server requires TLS, its greeting, which is sent before the encryption, is sufficient.
  const enough = (text: string) =>
    text.includes('PONG\r\n') || text.includes('-ERR') || (text.includes('\r\n') && text.includes('"tls_required":true'));
  const answer = await exchange(url, hello, enough, 5000);
  if (answer.includes('-ERR')) throw new Error(/-ERR[^\r\n]*/.exec(answer)?.[0]);
  const info = /^INFO (\{.*\})/m.exec(answer)?.[1];
  if (!info) throw new Error(`not a NATS server: ${answer.slice(0, 100)}`);
  return JSON.parse(info) as { server_name: string; version: string; jetstream?: boolean };
}
