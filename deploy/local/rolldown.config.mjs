/** Bundles the commands that run in images and from `npm start`: CommonJS like the services. Our own packages are bundled, those of npm are not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { external, hasEffects, output, plugins } from '../../rolldown.packages.mjs';

const here = import.meta.dirname;
const root = join(here, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const commands = {
  input: {
    migrate: join(here, 'cli', 'migrate.ts'),
    demo: join(here, 'cli', 'demo.ts'),
    consumers: join(here, 'cli', 'consumers.ts'),
    'dkim-records': join(here, 'cli', 'dkim-records.ts'),
    tandem: join(here, '..', 'tandem', 'tandem.ts'),
    'mail-catcher': join(here, 'mail-catcher.ts'),
    'webhook-sink': join(here, '..', 'sandbox', 'src', 'webhook-sink', 'main.ts'),
    'task-tool-sandbox': join(here, '..', 'sandbox', 'src', 'main.ts'),
  },
  platform: 'node',
  tsconfig: join(root, 'tsconfig.base.json'),
  external: (id, importer) => external(id, importer),
  transform: { target: 'node24', define: { __PROCESS__: '"deploy"' } },
  output: {
    dir: join(here, '..', 'dist'),
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
    cleanDir: true,
  },
  plugins: [
    {
      name: 'say-commonjs',
      // The starter needs the deploy package to be ESM, so the bundles get their own package.json with the type CommonJS.
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{"type":"commonjs"}\n' });
      },
    },
  ],
};

/** All services and the gateway: a bundle in its own folder, because the tickets service starts its thread from the file next to it. */
const oneProcess = (entry, input) => ({
  input: { [entry]: join(root, input) },
  platform: 'node',
  tsconfig: commands.tsconfig,
  external: (id, importer) => external(id, importer),
  treeshake: { moduleSideEffects: hasEffects },
  plugins,
  experimental: { nativeMagicString: true },
  transform: { target: 'node24', define: { __PROCESS__: '"gateway"', __VERSION__: JSON.stringify(version) } },
  output: { ...output, dir: join(here, '..', 'dist', 'one-process') },
});

export default [
  commands,
  oneProcess('main', 'deploy/one-process.ts'),
  oneProcess('otel', 'libs/platform/src/otel.ts'),
  oneProcess('parser.thread', 'services/tickets/src/mail-in/parser.thread.ts'),
];
