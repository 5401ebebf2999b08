import type { Language } from '@tandem/contracts/values';
import { catalogs } from './catalogs';
import { compileCatalog, compileWording } from './compile';
import type { Part, TextKey, Translate, Wording } from './parts';
import { createTranslator, type CompiledCatalog } from './runtime';

const compiled = new Map<string, CompiledCatalog>();

function compiledCatalog(part: Part, language: Language): CompiledCatalog {
  const name = `${part}/${language}`;
  const known = compiled.get(name) ?? compileCatalog(catalogs[part][language]);
  compiled.set(name, known);
  return known;
}

/**
 * The texts of a part in a language, for services: `translator('email', ticket.language)('greeting', { name })`. `wording` contains the
 * organization's own texts. One that is not valid, or that uses a value which the original does not have, is ignored.
 */
export function translator<P extends Part>(part: P, language: Language, wording?: Wording): Translate<TextKey<P>> {
  const messages = compiledCatalog(part, language);
  const own = wording && compileWording(wording, messages);
  return createTranslator<TextKey<P>>(language, own ? { ...messages, ...own } : messages);
}
