import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLibraries } from './binaries.ts';
import { repository } from './local-directory.ts';
import { locatePgBouncer } from './locate.ts';
import { freePort, isFree } from './ports.ts';
import { postgresUser } from './postgres.ts';

interface PgBouncerOptions {
  /** URL of the server behind it. */
  postgres: string;
  /** Passwords of the roles that connect through it. */
  passwords: Record<string, string>;
  /** Connections to the server per database and role. */
  poolSize: number;
}

export interface PgBouncer {
  port: number;
  stop(): Promise<void>;
}

/** Starts PgBouncer in transaction mode, for tests. */
export async function startPgBouncer({ postgres, passwords, poolSize }: PgBouncerOptions): Promise<PgBouncer> {
  const binary = await locatePgBouncer(() => undefined);
  const directory = mkdtempSync(join(tmpdir(), 'tandem-pgbouncer-'));
  chmodSync(directory, 0o755);
  const { hostname, port: serverPort } = new URL(postgres);
  const port = await freePort();
  const log = join(directory, 'log');
  const users = Object.entries(passwords).map(([role, password]) => `"${role}" "${password}"`);
  writeFileSync(join(directory, 'users.txt'), `${users.join('\n')}\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(directory, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: 2_000,
    // A test that expects an error must get it before its own time limit.
    server_login_retry: 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const configuration = join(directory, 'pgbouncer.ini');
  writeFileSync(configuration, `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`);
  writeFileSync(log, '');
  chmodSync(log, 0o666);
  // Like PostgreSQL, it refuses to run as root.
  const user = postgresUser(directory, repository, process.env);
  const child = spawn('sh', ['-c', `exec "$0" "$1" >>"$2" 2>&1`, binary.file, configuration, log], {
    stdio: 'ignore',
    env: withLibraries(binary.libraryPath),
    ...(user ? { uid: user.uid || 65_534, gid: user.gid || 65_534 } : {}),
  });
  for (let tries = 0; await isFree(port); tries++) {
    if (tries === 200 || child.exitCode !== null)
      throw new Error(`PgBouncer did not start:\n${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    port,
    stop: async () => {
      if (child.exitCode === null && child.kill('SIGINT')) await once(child, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}

/** The URL of a service's database through PgBouncer. */
export function throughPgBouncer(url: string, { port }: Pick<PgBouncer, 'port'>): string {
  const through = new URL(url);
  through.port = String(port);
  through.searchParams.set('pgbouncer', 'true');
  return through.href;
}
