/** Bundles the commands that run in images and from `npm start`: CommonJS like the services, with our own packages, npm's external. */
import { join } from 'node:path';

const here = import.meta.dirname;

export default {
  input: {
    migrate: join(here, 'cli', 'migrate.ts'),
    demo: join(here, 'cli', 'demo.ts'),
    consumers: join(here, 'cli', 'consumers.ts'),
    'dkim-records': join(here, 'cli', 'dkim-records.ts'),
    'rebuild-analytics': join(here, 'cli', 'rebuild-analytics.ts'),
    tandem: join(here, '..', 'tandem', 'tandem.ts'),
    'mail-catcher': join(here, 'mail-catcher.ts'),
    'webhook-sink': join(here, '..', 'sandbox', 'src', 'webhook-sink', 'main.ts'),
    'task-tool-sandbox': join(here, '..', 'sandbox', 'src', 'main.ts'),
  },
  platform: 'node',
  tsconfig: join(here, '..', '..', 'tsconfig.base.json'),
  // As in the root's rolldown.config.mjs: our own source and the compiler's helpers go in, everything from npm stays outside.
  external: (id) => !/^(\.|\/|\0|@tandem\/|@oxc-project\/runtime\/)/.test(id),
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
