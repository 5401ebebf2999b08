import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
// By their paths: Vite bundles those into its configuration, and Node cannot load a package of TypeScript files.
/* oxlint-disable @nx/enforce-module-boundaries */
import { languages } from '../libs/contracts/src/values/languages';
import { catalogProblems, compileCatalog } from '../libs/languages/src/compile';
import { parts, type Catalog } from '../libs/languages/src/parts';
/* oxlint-enable @nx/enforce-module-boundaries */

const folder = join(import.meta.dirname, '../libs/languages/catalogs');
const read = (part: string, language: string) => JSON.parse(readFileSync(join(folder, part, `${language}.json`), 'utf8')) as Catalog;

/**
 * Compiles the catalogs' messages, so that browsers need no parser. The build fails if a catalog of any part lacks a text or has a broken
 * one.
 */
export const compiledCatalogs = (): Plugin => ({
  name: 'tandem-catalogs',
  enforce: 'pre',
  buildStart() {
    for (const part of parts) {
      const source = read(part, 'en');
      for (const language of languages) {
        const problems = catalogProblems(language, read(part, language), source);
        if (problems.length > 0) this.error(`catalogs/${part}/${language}.json: ${problems.join('; ')}`);
      }
    }
  },
  // JSON again, which Vite's own plugin makes into a module.
  transform: {
    filter: { id: /[\\/]languages[\\/]catalogs[\\/].+\.json$/ },
    handler: (code) => ({ code: JSON.stringify(compileCatalog(JSON.parse(code) as Catalog)), map: null }),
  },
});
