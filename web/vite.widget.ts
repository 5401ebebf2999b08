import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { compiledCatalogs } from './vite.catalogs';
import { staffTexts } from './vite.staff-texts';

const root = import.meta.dirname;
const shared = { root, configFile: false, publicDir: false, logLevel: 'warn' } as const;

/** The index of the contracts' values imports them all, and some are computed from others: the loader would contain the operators of conditions. */
const treeshake = { moduleSideEffects: [{ test: /[\\/]contracts[\\/]src[\\/]values[\\/]/, sideEffects: false }] };

/** Maximum size of the loader, in KB after gzip: every page of a customer's site loads it. */
const maxLoaderKb = 4;

const loaderSize = (): Plugin => ({
  name: 'tandem-loader-size',
  writeBundle(_options, bundle) {
    for (const each of Object.values(bundle)) {
      const kb = each.type === 'chunk' ? gzipSync(each.code).length / 1_000 : 0;
      if (kb > maxLoaderKb) this.error(`${each.fileName} has ${kb.toFixed(2)} KB instead of at most ${maxLoaderKb}`);
    }
  },
});

/**
 * Builds the code that customers' websites load, into the same folder as the app: the frame's page, which shares no chunk with the app and
 * so cannot grow with it, and the loader, one classic script at an address that never changes.
 */
export const widgetBuilds = (): Plugin => ({
  name: 'tandem-widget',
  apply: 'build',
  async closeBundle(this: unknown, error?: Error) {
    if (error) return;
    await build({
      ...shared,
      plugins: [compiledCatalogs(), staffTexts()],
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        target: 'es2022',
        emptyOutDir: false,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: `${root}/widget-frame.html`, treeshake },
      },
    });
    await build({
      ...shared,
      plugins: [loaderSize()],
      build: {
        target: 'es2022',
        emptyOutDir: false,
        lib: { entry: `${root}/src/widget/loader.ts`, formats: ['iife'], name: 'TandemLoader', fileName: () => 'widget/v1/widget.js' },
        rolldownOptions: { treeshake },
      },
    });
  },
});
