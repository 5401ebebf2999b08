import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'rolldown';
import { external, hasEffects, output, plugins } from './rolldown.packages.mjs';

/**
 * Run by each service and the gateway in its folder: bundles src/main.ts to dist/main.js, and separately the file that starts tracing and
 * each worker thread.
 */

const root = import.meta.dirname;
const own = process.cwd();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const name = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')).name.replace('@tandem/', '');

const fatal = new Set(['MISSING_EXPORT', 'IMPORT_IS_UNDEFINED', 'UNRESOLVED_IMPORT']);

const bundle = (entry, input) => ({
  input: { [entry]: input },
  platform: 'node',
  external: (id, importer) => external(id, importer, [own]),
  tsconfig: join(root, 'tsconfig.base.json'),
  treeshake: { moduleSideEffects: hasEffects },
  plugins,
  experimental: { nativeMagicString: true },
  // Nest injects by decorator metadata, which tsconfig.base.json enables.
  transform: { target: 'node24', define: { __PROCESS__: JSON.stringify(name), __VERSION__: JSON.stringify(version) } },
  // Importing a name that does not exist makes a process fail at startup, so fail the build instead.
  onLog(level, log, handle) {
    handle(fatal.has(log.code) ? 'error' : level, log);
  },
  output: { ...output, dir: join(own, 'dist'), chunkFileNames: '[name]-[hash].js' },
});

/** Each `*.thread.ts` is the entry of a worker thread: a separate bundle, next to main.js. */
const threads = readdirSync(join(own, 'src'), { recursive: true })
  .filter((path) => path.endsWith('.thread.ts'))
  .map((path) => bundle(basename(path, '.ts'), join(own, 'src', path)));

export default defineConfig([
  bundle('main', join(own, 'src/main.ts')),
  bundle('otel', join(root, 'libs/platform/src/otel.ts')),
  ...threads,
]);
