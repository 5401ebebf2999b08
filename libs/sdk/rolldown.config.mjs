/**
 * The package: index.js (ES module), index.cjs (CommonJS) and cli.js with its dependency inside, and the types of both. TypeScript finds the
 * types of an ES module by `.d.ts`, of CommonJS by `.d.cts`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const here = import.meta.dirname;
const dist = join(here, 'dist');

/** One `.d.ts` per module, and its copy for CommonJS; relative imports get the endings that Node's resolution requires. */
function writeTypes() {
  const compiler = join(here, '..', '..', 'node_modules', 'typescript-native', 'bin', 'tsc');
  const types = join(dist, 'types');
  execFileSync(process.execPath, [compiler, '--singleThreaded', '-p', join(here, 'tsconfig.types.json'), '--outDir', types], {
    stdio: 'inherit',
  });
  for (const name of readdirSync(types, { recursive: true }).filter((path) => path.endsWith('.d.ts'))) {
    const path = join(types, name);
    const text = readFileSync(path, 'utf8');
    const withEnding = (ending) => text.replace(/(from '\.[^']*)'/g, `$1.${ending}'`);
    writeFileSync(path, withEnding('js'));
    writeFileSync(path.replace(/\.d\.ts$/, '.d.cts'), withEnding('cjs'));
  }
}

const bundle = (input, output, more = {}) => ({
  input: join(here, 'src', input),
  tsconfig: join(here, 'tsconfig.json'),
  transform: { target: 'es2022' },
  ...more,
  output: { file: join(dist, output), format: output.endsWith('.cjs') ? 'cjs' : 'esm', sourcemap: true },
});

rmSync(dist, { recursive: true, force: true });

export default defineConfig([
  { ...bundle('index.ts', 'index.js'), plugins: [{ name: 'types', buildEnd: writeTypes }] },
  bundle('index.ts', 'index.cjs'),
  bundle('cli/main.ts', 'cli.js', { platform: 'node' }),
]);
