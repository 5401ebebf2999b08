import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from './binaries.ts';
import { directoryLock, takeLock } from './lock.ts';

const run = promisify(execFile);

/** Debian packages unpacked into a private directory: nothing is installed, no daemon is started, and root is not needed. */
export interface UnpackedPackages {
  root: string;
  libraryPath: string;
}

/** First Debian release with nats-server 2.10 (`sync_interval: always`) and the second version of Compose. Its packages also run on the previous one. */
const recentRelease = 'trixie';

/**
 * Fetches packages (`name` or `name/release`) with their missing dependencies from the machine's own Debian mirror and unpacks them under
 * `directory`, once; later calls are free. Throws with the tools' output if this is not Debian, the mirror is down, or the disk is full.
 */
export async function unpackDebianPackages(packages: string[], directory: string, log: (line: string) => void): Promise<UnpackedPackages> {
  for (const tool of ['apt-get', 'dpkg-deb']) if (!onPath(tool)) throw new Error(`${tool} was not found (not a Debian system?)`);
  const release = codename();
  const root = join(directory, `${release}-${process.arch}-${packages.map((each) => each.replace('/', '~')).join('+')}`);
  mkdirSync(directory, { recursive: true });
  const lock = await takeLock(`packages ${directoryLock(directory)}`, directory, 180_000);
  try {
    if (!existsSync(root)) {
      log(`fetching ${packages.join(', ')} from the machine's Debian mirror`);
      await fetchInto(root, packages, release, directory);
    }
  } finally {
    await lock.release();
  }
  return { root, libraryPath: libraryPathOf(root) };
}

/** Installs packages permanently. For root only, as the last resort if unpacking failed. */
export async function installDebianPackages(packages: string[]): Promise<void> {
  // RUNLEVEL=1 prevents the packages from starting their daemons.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await run('apt-get', ['-o', 'APT::Update::Error-Mode=any', 'update'], { env, timeout: 180_000 });
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env, timeout: 300_000, maxBuffer: 10_000_000 });
}

/** The package from a release that is new enough; only Debian's own mirrors have that release. */
export function recentPackage(name: string): string {
  return osRelease('ID') === 'debian' && Number(osRelease('VERSION_ID')) < 13 ? `${name}/${recentRelease}` : name;
}

async function fetchInto(root: string, packages: string[], release: string, directory: string): Promise<void> {
  const work = mkdtempSync(join(directory, 'fetching-'));
  try {
    const options = privateApt(work, release);
    writeFileSync(join(work, 'sources.list'), `${mirrors(release, packages).join('\n')}\n`);
    await run('apt-get', [...options, 'update'], { timeout: 120_000, maxBuffer: 10_000_000 });
    const install = ['-y', '--download-only', '--no-install-recommends', '--reinstall', 'install', ...packages];
    await run('apt-get', [...options, ...install], { timeout: 180_000, maxBuffer: 10_000_000 });
    const archives = readdirSync(join(work, 'cache/archives')).filter((name) => name.endsWith('.deb'));
    if (archives.length === 0) throw new Error(`apt-get downloaded nothing for ${packages.join(', ')}`);
    for (const archive of archives) await run('dpkg-deb', ['-x', join(work, 'cache/archives', archive), join(work, 'root')]);
    renameSync(join(work, 'root'), root); // atomic
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** apt-get options that redirect all files to `work`, so that it needs neither root nor the system's lock. */
function privateApt(work: string, release: string): string[] {
  for (const each of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(work, each), { recursive: true });
  return [
    `Dir::State=${work}/state`,
    `Dir::State::lists=${work}/state/lists`,
    `Dir::State::status=/var/lib/dpkg/status`,
    `Dir::Cache=${work}/cache`,
    `Dir::Etc::sourcelist=${work}/sources.list`,
    'Dir::Etc::sourceparts=-',
    'Dir::Etc::preferencesparts=-',
    `APT::Default-Release=/^${release}(|-updates|-security)$/`, // dependencies come from the machine's own release, even for a package of a newer one
    'APT::Sandbox::User=',
    'APT::Update::Error-Mode=any', // without it a failed update exits 0
    'Acquire::Languages=none',
    'Debug::NoLocking=1',
  ].flatMap((option) => ['-o', option]);
}

/**
 * The machine's own mirror lines for its release, without third-party sources, whose outages must not cause a failure; and the same
 * mirror's newer release if a package needs it.
 */
function mirrors(release: string, packages: string[]): string[] {
  // Includes security updates, because an installed dependency may have a version that exists only there.
  const own = aptSources().filter(({ suite }) => [release, `${release}-updates`, `${release}-security`].includes(suite));
  const main = own.find((source) => source.suite === release);
  if (!main) throw new Error(`the machine's apt sources name no mirror of '${release}'`);
  const releases = new Set(packages.map((each) => each.split('/')[1]).filter((each) => each !== undefined));
  const newer = [...releases].map((suite) => ({ ...main, suite }));
  return [...own, ...newer].map((source) => `deb ${source.options} ${source.uri} ${source.suite} ${source.components}`);
}

interface AptSource {
  uri: string;
  suite: string;
  components: string;
  options: string;
}

/** All `deb` entries of /etc/apt, in both syntaxes. */
export function aptSources(etc = '/etc/apt'): AptSource[] {
  const parts = existsSync(join(etc, 'sources.list.d'))
    ? readdirSync(join(etc, 'sources.list.d')).map((name) => join(etc, 'sources.list.d', name))
    : [];
  const files = [join(etc, 'sources.list'), ...parts].filter((file) => existsSync(file));
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.sources')) return deb822(text);
    return file.endsWith('.list') ? oneLine(text) : [];
  });
}

function oneLine(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const found = /^deb\s+(\[[^\]]*\])?\s*(\S+)\s+(\S+)\s+([^#]+)/.exec(line.trim());
    return found ? [{ options: found[1] ?? '', uri: found[2]!, suite: found[3]!, components: found[4]!.trim() }] : [];
  });
}

function deb822(text: string): AptSource[] {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'mi').exec(stanza)?.[1]?.trim();
    if (field('Enabled')?.toLowerCase() === 'no' || !field('Types')?.split(/\s+/).includes('deb')) return [];
    const key = field('Signed-By');
    const options = key?.startsWith('/') ? `[signed-by=${key}]` : '';
    const uris = field('URIs')?.split(/\s+/) ?? [];
    const suites = field('Suites')?.split(/\s+/) ?? [];
    return uris.flatMap((uri) => suites.map((suite) => ({ uri, suite, components: field('Components') ?? 'main', options })));
  });
}

function libraryPathOf(root: string): string {
  const triplets = existsSync(join(root, 'usr/lib')) ? readdirSync(join(root, 'usr/lib')).filter((name) => name.includes('-linux-')) : [];
  return triplets.map((name) => join(root, 'usr/lib', name)).join(':');
}

function codename(): string {
  const name = osRelease('VERSION_CODENAME');
  if (!name) throw new Error('/etc/os-release names no release');
  return name;
}

function osRelease(field: string): string | undefined {
  if (!existsSync('/etc/os-release')) return undefined;
  return new RegExp(`^${field}="?([^"\\n]*)"?$`, 'm').exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
}
