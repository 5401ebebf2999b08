/**
 * `npm run lockfile`, after each `npm install`: restores the entries of other platforms' optional packages in package-lock.json.
 * npm omits optional packages that the configured registry does not offer; `npm ci` then rejects the lock file ("Missing: … from lock
 * file"), even on platforms that never need them. With --check it changes nothing and exits 1 if entries are missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'armv7', 'ia32', 'loong64', 'mips64el', 'ppc64', 'ppc64le', 'riscv64', 's390x', 'wasm32', 'x64'];

const added = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (findFrom(path, name)) continue;
    const place = `node_modules/${name}`;
    lock.packages[place] = { version: exact(version, name), ...platformOf(name), optional: true };
    added.push(`${name}@${version}`);
  }
}

if (added.length === 0) {
  console.log('package-lock.json lists every optional package');
} else if (process.argv.includes('--check')) {
  console.log(`package-lock.json lacks ${added.join(', ')}: run npm run lockfile`);
  process.exitCode = 1;
} else {
  // In the order in which npm writes them, so that a later install changes nothing.
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: added ${added.length}: ${added.join(', ')}`);
}

/** Node's module resolution: first next to the requiring package, then upwards. */
function findFrom(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at) return false;
    if (!at.includes('node_modules/')) at = '';
    if (!at && lock.packages[`node_modules/${name}`]) return true;
    if (!at) return false;
  }
}

function exact(version, name) {
  if (/^\d+\.\d+\.\d+/.test(version)) return version;
  throw new Error(`${name}: '${version}' is a range, and which version it means only the registry knows`);
}

/** The platform of a package, derived from its name: @swc/core-linux-arm64-musl. */
function platformOf(name) {
  const words = name.split(/[-/.]/).map((word) => (word === 'windows' ? 'win32' : word));
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word)).map((word) => (word === 'armv7' ? 'arm' : word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu')) && os.includes('linux')
      ? ['glibc']
      : undefined;
  return { ...(os.length ? { os } : {}), ...(cpu.length ? { cpu } : {}), ...(libc ? { libc } : {}) };
}
