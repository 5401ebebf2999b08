import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs the script on a folder with these files; the bundle is `dist` of another one. Returns which of them, or of `more`, exist then. */
function pruned(files: Record<string, string>, bundle: Record<string, string>, more: string[] = []): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-prune-'));
  const write = (root: string, contents: Record<string, string>) => {
    for (const [path, content] of Object.entries(contents)) {
      mkdirSync(dirname(join(directory, root, path)), { recursive: true });
      writeFileSync(join(directory, root, path), content);
    }
  };
  try {
    write('app', files);
    write('bundle', bundle);
    execFileSync(process.execPath, [join(__dirname, 'prune-packages.ts'), join(directory, 'app'), join(directory, 'bundle')]);
    return [...Object.keys(files), ...more].filter((path) => existsSync(join(directory, 'app', path)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const aPackage = (folder: string, described: object = {}): Record<string, string> => ({
  [`${folder}/package.json`]: JSON.stringify(described),
  [`${folder}/index.js`]: '',
});
const filesOf = (...folders: string[]): string[] => folders.flatMap((folder) => Object.keys(aPackage(folder)));

describe('prune-packages', () => {
  it('retains packages that a file of the bundle requires or imports, with all packages that these depend on', () => {
    const files = {
      ...aPackage('node_modules/pg', { dependencies: { 'pg-pool': '1' } }),
      ...aPackage('node_modules/pg-pool', { peerDependencies: { '@pg/peer': '1' } }),
      ...aPackage('node_modules/@pg/peer', { optionalDependencies: { native: '1', absent: '1' } }),
      ...aPackage('node_modules/native'),
      ...aPackage('node_modules/@mcp/server'),
      ...aPackage('node_modules/bundled', { dependencies: { pg: '1' } }),
      ...aPackage('node_modules/@pg/unused'),
      ...aPackage('node_modules/@unused/scope'),
      'node_modules/.package-lock.json': '{}',
    };
    const bundle = {
      'main.js': 'require("pg"); require("node:fs"); require("./chunks/a.js"); import("absent")',
      'chunks/a.js': `await import('@mcp/server/stdio')`,
    };
    expect(pruned(files, bundle)).toEqual(
      filesOf('node_modules/pg', 'node_modules/pg-pool', 'node_modules/@pg/peer', 'node_modules/native', 'node_modules/@mcp/server'),
    );
  });

  it('retains the version of a package that its user finds', () => {
    const files = {
      ...aPackage('node_modules/pino'),
      ...aPackage('node_modules/cookie'),
      ...aPackage('node_modules/imapflow', { dependencies: { pino: '1' } }),
      ...aPackage('node_modules/imapflow/node_modules/pino'),
      ...aPackage('node_modules/imapflow/node_modules/unused'),
      ...aPackage('dist/node_modules/cookie'),
      ...aPackage('dist/node_modules/unused'),
    };
    expect(pruned(files, { 'main.js': 'require("imapflow"); require("cookie")' })).toEqual(
      filesOf('node_modules/imapflow', 'node_modules/imapflow/node_modules/pino', 'dist/node_modules/cookie'),
    );
  });

  it('deletes types, sources, source maps, documents and tests of packages, but not their licenses', () => {
    const kept = ['LICENSE.md', 'lib/test/parser.js', 'lib/doc.js'];
    const deleted = ['index.d.ts', 'index.d.cts', 'src/index.ts', 'index.js.map', 'README.md', 'test/index.js', 'docs/api.html'];
    const more = Object.fromEntries([...kept, ...deleted].map((path) => [`node_modules/a/${path}`, '']));
    expect(pruned({ ...aPackage('node_modules/a'), ...more }, { 'main.js': 'require("a")' })).toEqual([
      ...filesOf('node_modules/a'),
      ...kept.map((path) => `node_modules/a/${path}`),
    ]);
  });

  it('keeps the licenses of deleted packages, whose code may be in the bundle', () => {
    const texts = ['bundled/LICENSE', '@scope/bundled/license.md', 'bundled/node_modules/inner/COPYING'];
    const others = ['bundled/lib/license.js', 'bundled/licenses.json'];
    const files = Object.fromEntries([...texts, ...others].map((path) => [`node_modules/${path}`, '']));
    const places = [...texts, ...others].map((path) => `licenses/${path.replace('node_modules/', '')}`);
    expect(pruned(files, { 'main.js': '' }, places)).toEqual(places.slice(0, 3));
  });
});
