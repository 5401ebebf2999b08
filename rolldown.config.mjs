import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'rolldown';

/** Run by each service and the gateway in its own folder: src/main.ts → dist/main.js, and beside it the file that starts tracing. */

const root = import.meta.dirname;
const own = process.cwd();
const name = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')).name.replace('@tandem/', '');

/**
 * Our own packages are source and go in, and so do the compiler's helpers for decorators, which are no package of ours to install.
 * Everything from npm stays outside: tracing hooks into `require`, and images hold it anyway.
 */
const inside = /^(\.|\/|\0|@tandem\/|@oxc-project\/runtime\/)/;
const external = (id) => !inside.test(id);

/**
 * What nobody uses of our libraries is left out, and with it the packages that only it would have loaded: the gateway has neither
 * a job queue nor PostgreSQL. A package that is imported for the effect of loading it alone has to be named here.
 */
const hasEffects = (id, isPackage) => (isPackage ? id === 'reflect-metadata' : !/^libs\/[^/]+\/src\//.test(relative(root, id)));

const fatal = new Set(['MISSING_EXPORT', 'IMPORT_IS_UNDEFINED', 'UNRESOLVED_IMPORT']);

const bundle = (entry, input, more = {}) => ({
  input: { [entry]: input },
  platform: 'node',
  external,
  tsconfig: join(root, 'tsconfig.base.json'),
  treeshake: { moduleSideEffects: hasEffects },
  // Decorators and their metadata, by which Nest injects, are switched on in tsconfig.base.json.
  transform: { target: 'node24', define: { __PROCESS__: JSON.stringify(name) } },
  // The use of something that nobody exports is a process that does not start: better no build.
  onLog(level, log, handle) {
    handle(fatal.has(log.code) ? 'error' : level, log);
  },
  output: {
    dir: join(own, 'dist'),
    format: 'cjs',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    ...more,
  },
});

export default defineConfig([bundle('main', join(own, 'src/main.ts')), bundle('otel', join(root, 'libs/platform/src/otel.ts'))]);
