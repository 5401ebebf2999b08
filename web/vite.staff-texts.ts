import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
// By their paths, as in vite.catalogs.ts.
/* oxlint-disable @nx/enforce-module-boundaries */
import { compileCatalog, placeholdersOf } from '../libs/languages/src/compile';
import type { Catalog } from '../libs/languages/src/parts';
/* oxlint-enable @nx/enforce-module-boundaries */
import { TextProblem, withMessages, type TextCall } from './inline-texts';
import { pseudoMessage } from './pseudo-language';
import type { CompiledMessage } from './src/lib/format-message';

const folder = join(import.meta.dirname, '../libs/languages/catalogs/staff');
const sources = join(import.meta.dirname, 'src');

/** All texts of the staff app in a language: one file per area. */
const readCatalog = (language: string): Catalog =>
  Object.assign(
    {},
    ...readdirSync(join(folder, language)).map((file) => JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as Catalog),
  ) as Catalog;

/**
 * Replaces each `t('key', { values })` of the staff app by its message, so that pages contain only the texts that they show: no keys, no
 * catalog and, without plurals, no runtime. `STAFF_LANGUAGE=pseudo` shows which texts come from the catalog. The build fails if a key is unknown or not used,
 * and if the values of a call are not those of its message.
 */
export function staffTexts({ isWholeApp = false } = {}): Plugin {
  const catalog = readCatalog('en');
  const change = process.env.STAFF_LANGUAGE === 'pseudo' ? pseudoMessage : (message: CompiledMessage) => message;
  const messages = compileCatalog(catalog) as Record<string, CompiledMessage>;
  const used = new Set<string>();
  const use = ({ key, values }: TextCall): CompiledMessage => {
    const message = messages[key];
    if (message === undefined) throw new TextProblem(`there is no text ${key}`);
    const needed = placeholdersOf(catalog[key] ?? '').filter((name) => !name.startsWith('<'));
    if (needed.join() !== [...values.keys()].sort().join()) throw new TextProblem(`${key} has the values ${needed.join(', ') || 'none'}`);
    used.add(key);
    return change(message) as CompiledMessage;
  };
  return {
    name: 'tandem-staff-texts',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]src[\\/].+\.tsx?$/, code: /\/staff-texts'/ },
      handler(code, id) {
        try {
          return { code: withMessages(code, this.parse(code, { lang: id.endsWith('x') ? 'tsx' : 'ts' }), use), map: null };
        } catch (error) {
          if (error instanceof TextProblem) this.error(`${relative(sources, id)}: ${error.message}`);
          throw error;
        }
      },
    },
    generateBundle() {
      if (!isWholeApp) return;
      const unused = Object.keys(messages).filter((key) => !used.has(key));
      if (unused.length > 0) this.error(`These texts of the staff app are not used: ${unused.join(', ')}`);
    },
  };
}
