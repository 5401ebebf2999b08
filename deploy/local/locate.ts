import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MissingServer, onPath, versionOf, type Binary } from './binaries.ts';
import { installDebianPackages, recentPackage, unpackDebianPackages } from './debian-packages.ts';
import { localDirectory } from './local-directory.ts';
import { goodNats, natsOnPath, oldestNats } from './nats.ts';
import { findPostgres, oldestPostgres, systemPostgres, type SystemUser } from './postgres.ts';
import { reason } from './reason.ts';
import { redisOnPath } from './redis.ts';

/** Finds PostgreSQL's programs for this user (undefined: the current one). Throws MissingServer. */
export async function locatePostgres(user: SystemUser | undefined, home: string, log: (line: string) => void): Promise<Binary> {
  const found = await findPostgres(user, home);
  if (!Array.isArray(found)) return found;
  try {
    const { root, libraryPath } = await unpackDebianPackages(['postgresql'], packagesDirectory(), log);
    const unpacked = await systemPostgres(join(root, 'usr/lib/postgresql'), 'Debian package', libraryPath);
    if (typeof unpacked !== 'string') return unpacked;
    found.push(`Debian's package: ${unpacked}`);
  } catch (error) {
    found.push(`Debian's package: ${reason(error)}`);
  }
  throw new MissingServer(`PostgreSQL (${oldestPostgres} or newer)`, 'PG_ADMIN_URL', found);
}

/** Finds nats-server: a recent one on the PATH, else Debian's, else an older one on the PATH with a warning. Throws MissingServer. */
export async function locateNats(log: (line: string) => void): Promise<Binary> {
  const good = await natsOnPath(goodNats);
  if (typeof good !== 'string') return good;
  const unpacked = await fromDebian(
    [recentPackage('nats-server')],
    'nats-server',
    ['usr/sbin', 'usr/bin'],
    () => natsOnPath(oldestNats),
    log,
  );
  if (typeof unpacked !== 'string') return unpacked;
  const old = await natsOnPath(oldestNats);
  if (typeof old === 'string') throw new MissingServer('nats-server', 'NATS_URL', [old, unpacked]);
  log(
    `nats-server ${old.version.join('.')} is used, which cannot write each message to the disk before acknowledging it (${goodNats.join('.')} can)`,
  );
  return old;
}

/** redis-server: on the PATH, else Debian's. Throws MissingServer. */
export async function locateRedis(log: (line: string) => void): Promise<Binary> {
  const found = await redisOnPath();
  if (typeof found !== 'string') return found;
  // Debian ships the program itself in redis-tools, which may be installed without the server.
  const unpacked = await fromDebian(['redis-server', 'redis-tools'], 'redis-server', ['usr/bin'], redisOnPath, log);
  if (typeof unpacked !== 'string') return unpacked;
  throw new MissingServer('redis-server', 'REDIS_URL', [found, unpacked]);
}

/** caddy, for the test of its configuration: on the PATH, else Debian's. Throws with the reason. */
export async function locateCaddy(log: (line: string) => void): Promise<Pick<Binary, 'file' | 'libraryPath'>> {
  const file = onPath('caddy');
  if (file) return { file };
  const { root, libraryPath } = await unpackDebianPackages(['caddy'], packagesDirectory(), log);
  return { file: join(root, 'usr/bin/caddy'), libraryPath };
}

/** The Compose plugin of Docker, which reads a project without Docker: Debian's. Throws with the reason. */
export async function locateCompose(log: (line: string) => void): Promise<string> {
  const { root } = await unpackDebianPackages([recentPackage('docker-compose')], packagesDirectory(), log);
  return join(root, 'usr/libexec/docker/cli-plugins/docker-compose');
}

/** promtool, for the tests of the alerting rules: on the PATH, else Debian's. Throws with the reason. */
export async function locatePromtool(log: (line: string) => void): Promise<string> {
  const file = onPath('promtool');
  if (file) return file;
  const { root } = await unpackDebianPackages(['prometheus'], packagesDirectory(), log);
  return join(root, 'usr/bin/promtool');
}

/**
 * Unpacks into a private directory, even for root: an installed package would start its own daemon. Installs permanently only if that
 * fails and the user is root.
 */
async function fromDebian(
  packages: string[],
  program: string,
  places: string[],
  installed: () => Promise<Binary | string>,
  log: (line: string) => void,
): Promise<Binary | string> {
  try {
    const { root, libraryPath } = await unpackDebianPackages(packages, packagesDirectory(), log);
    for (const file of places.map((place) => join(root, place, program)).filter((each) => existsSync(each))) {
      const version = await versionOf(file, libraryPath);
      if (version) return { file, version, source: 'Debian package', libraryPath };
    }
    throw new Error(`${program} from the package does not run here`);
  } catch (error) {
    if (process.getuid?.() !== 0) return `Debian's package: ${reason(error)}`;
    log(`${packages.join(', ')} could not be unpacked (${reason(error).split('\n')[0]}); installing it by apt-get`);
    try {
      await installDebianPackages([program]);
      return await installed();
    } catch (second) {
      return `Debian's package: unpacking: ${reason(error)}; installing: ${reason(second)}`;
    }
  }
}

/** Shared by all instances of this clone. */
function packagesDirectory(): string {
  return join(localDirectory(), 'packages');
}

/** PgBouncer: on the PATH, else Debian's. Throws with the reason. */
export async function locatePgBouncer(log: (line: string) => void): Promise<Pick<Binary, 'file' | 'libraryPath'>> {
  const file = onPath('pgbouncer');
  if (file) return { file };
  const { root, libraryPath } = await unpackDebianPackages(['pgbouncer'], packagesDirectory(), log);
  return { file: join(root, 'usr/sbin/pgbouncer'), libraryPath };
}

/** HAProxy, the balancer in tests of several replicas: on the PATH, else Debian's. Throws with the reason. */
export async function locateHaproxy(log: (line: string) => void): Promise<Pick<Binary, 'file' | 'libraryPath'>> {
  const file = onPath('haproxy');
  if (file) return { file };
  const { root, libraryPath } = await unpackDebianPackages(['haproxy'], packagesDirectory(), log);
  return { file: join(root, 'usr/sbin/haproxy'), libraryPath };
}
