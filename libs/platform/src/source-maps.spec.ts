import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tandem-maps-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The second line of a bundle that comes from the first line of `src/a.ts`. */
const map = JSON.stringify({ version: 3, file: 'main.js', sources: ['src/a.ts'], names: [], mappings: ';AAAA' });

/** What a separate process prints for the stack of this error, because Jest has its own source maps. */
function stackOf(error: string, { map, bundles = folder }: { map?: string; bundles?: string }): string {
  writeFileSync(join(folder, 'main.js'), `\nexports.fail = function fail() { return ${error}; };\n`);
  if (map !== undefined) writeFileSync(join(folder, 'main.js.map'), map);
  // Node reads `import` in it only with this extension.
  cpSync(join(__dirname, 'source-maps.ts'), join(folder, 'source-maps.mts'));
  const script = `import('${folder}/source-maps.mts').then(({ installSourceMaps }) => {
    installSourceMaps('${bundles}');
    console.log(require('${folder}/main.js').fail().stack);
  });`;
  return spawnSync(process.execPath, ['--no-warnings', '-e', script], { encoding: 'utf8' }).stdout;
}

it('names the position in the source', () => {
  const stack = stackOf('new TypeError("broken")', { map });
  expect(stack).toMatch(/^TypeError: broken\n {4}at /);
  expect(stack).toContain(`at Object.fail (${join(folder, 'src/a.ts')}:1:1)\n`);
  expect(stack).not.toContain('main.js');
});

it('keeps the positions of a map, and not the map, which needs more memory', () => {
  // One line of the bundle fails at two positions; each is in the first line of the source.
  writeFileSync(join(folder, 'main.js'), `\nexports.fail = (other) => (other ? new Error('b') : new Error('a')).stack;\n`);
  writeFileSync(join(folder, 'main.js.map'), map);
  cpSync(join(__dirname, 'source-maps.ts'), join(folder, 'source-maps.mts'));
  const script = `import('${folder}/source-maps.mts').then(async ({ installSourceMaps }) => {
    installSourceMaps('${folder}');
    const { fail } = require('${folder}/main.js');
    const isMapped = (stack) => stack.includes('src/a.ts:1:1');
    const first = isMapped(fail(false));
    require('node:fs').rmSync('${folder}/main.js.map');
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
    console.log(first, isMapped(fail(false)), isMapped(fail(true)));
  });`;
  expect(spawnSync(process.execPath, ['--no-warnings', '--expose-gc', '-e', script], { encoding: 'utf8' }).stdout).toBe(
    'true true false\n',
  );
});

it.each([
  ['a bundle without a map', {}],
  ['a bundle with a broken map', { map: '{' }],
  ['a file outside the folder of the bundles', { map, bundles: '/elsewhere' }],
])('names the position in %s', (_, options) => {
  expect(stackOf('new Error("broken")', options)).toContain(`(${join(folder, 'main.js')}:2:`);
});

it('keeps the message of an error without frames', () => {
  expect(stackOf('(Error.stackTraceLimit = 0, new Error("no frames"))', { map })).toBe('Error: no frames\n');
});
