import type { Plugin } from 'vite';

/**
 * Replaces Vite's helper for dynamic imports. It loads style sheets and modules ahead, but this app has one style sheet and no such lists
 * (`modulePreload` in vite.config.ts): without the helper each page loads 0.6 KB less.
 */
export function plainImports(): Plugin {
  let isApplied = false;
  return {
    name: 'tandem-plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler() {
        isApplied = true;
        return { code: 'export const __vitePreload = (load) => load();', moduleSideEffects: false };
      },
    },
    generateBundle(_options, bundle) {
      if (!isApplied) this.error('Vite’s helper was not found: compare its name with the filter in vite.plain-imports.ts');
      const sheets = Object.keys(bundle).filter((file) => file.endsWith('.css'));
      if (sheets.length > 1) this.error(`Style sheets of single pages would not be loaded: ${sheets.join(', ')}`);
    },
  };
}
