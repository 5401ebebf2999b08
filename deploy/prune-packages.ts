/**
 * `node prune-packages.ts FOLDER BUNDLE`, run by the Dockerfile: deletes from FOLDER/node_modules, and from FOLDER/dist/node_modules, the packages
 * that the bundle does not load, and files of packages that no process reads. Most of what npm installs is compiled into the bundle
 * (rolldown.packages.mjs), or is needed by code of our libraries that another process uses. The licenses of deleted packages remain, in
 * FOLDER/licenses, because they require that for the code in the bundle.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';

/** Sources and types (Node does not run TypeScript of packages), source maps, and documents except licenses. */
const uselessFile = /\.(?:ts|cts|mts|map|tsbuildinfo|md|markdown)$/;
const isLicense = /licen[cs]e|notice|copying/i;
const isCode = /\.(?:[cm]?[jt]s|json|map)$/;
/** At the top level of a package. */
const uselessFolder = /^(?:tests?|__tests__|docs?|examples?|bench|benchmarks?|coverage|\.github)$/;

const [folder, bundle] = process.argv.slice(2).map((path) => resolve(path)) as [string, string];
const bundled = join(folder, 'dist');
const needed = new Set<string>();
for (const name of importedBy(bundle)) add(name, bundled);
for (const modules of [join(folder, 'node_modules'), join(bundled, 'node_modules')]) if (existsSync(modules)) prune(modules);
process.stdout.write(`${needed.size} packages remain\n`);

/** Adds a package, as Node finds it from this folder, and all packages that it depends on. */
function add(name: string, from: string): void {
  const found = find(name, from);
  if (found === undefined || needed.has(found)) return;
  needed.add(found);
  for (const dependency of dependenciesOf(found)) add(dependency, found);
}

/** The names of all packages that a `require` or an `import()` of the bundle names. Not all are installed: some packages have optional ones. */
function importedBy(path: string): Set<string> {
  const names = new Set<string>();
  for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    if (extname(file) !== '.js') continue;
    for (const [, id = ''] of readFileSync(join(path, file), 'utf8').matchAll(/\b(?:require|import)\(["']([^"'./][^"']*)["']\)/g)) {
      if (!isBuiltin(id)) names.add(id.split('/', id.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return names;
}

/** In the nearest `node_modules`. */
function find(name: string, from: string): string | undefined {
  for (let parent = from; parent.startsWith(folder); parent = dirname(parent)) {
    const found = join(parent, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
  }
  return undefined;
}

/** With optional and peer dependencies, which are needed if they are installed. */
function dependenciesOf(path: string): string[] {
  const described = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, object | undefined>;
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) => Object.keys(described[kind] ?? {}));
}

function prune(modules: string): void {
  for (const entry of readdirSync(modules)) {
    const path = join(modules, entry);
    if (needed.has(path)) prunePackage(path);
    else if (!entry.startsWith('@')) deletePackage(path);
    else {
      prune(path);
      if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
    }
  }
}

function deletePackage(path: string): void {
  // npm also writes a file, .package-lock.json.
  const entries = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, withFileTypes: true }) : [];
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && isLicense.test(entry.name) && !isCode.test(entry.name))
      cpSync(file, join(folder, 'licenses', relative(folder, file).replaceAll('node_modules/', '')));
  }
  rmSync(path, { recursive: true });
}

function prunePackage(path: string, isTop = true): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (!entry.isDirectory()) {
      if (uselessFile.test(entry.name) && !isLicense.test(entry.name)) rmSync(child);
    } else if (entry.name === 'node_modules') prune(child);
    else if (isTop && uselessFolder.test(entry.name)) rmSync(child, { recursive: true });
    else prunePackage(child, false);
  }
}
