import { setupI18n, type Messages } from '@lingui/core';
import { directionOf, type Language } from '@tandem/contracts/values';
import type { Translate, Values } from './parts';

/** A catalog whose messages are compiled (compile.ts), which keeps the parser out of browsers. */
export type CompiledCatalog = Messages;

// First strong isolate and pop directional isolate (UAX 9): a value does not change the order of the words around it.
const isolated = (value: string) => `\u2068${value}\u2069`;

/** In text from right to left, names and numbers from left to right would move the punctuation next to them. */
const isolateTexts = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolated(value) : value]));

/** Returns a function that looks up texts of a catalog and inserts their values. Plurals, numbers and dates are formatted by `Intl`. */
export function createTranslator<Key extends string>(language: Language, messages: CompiledCatalog): Translate<Key> {
  const i18n = setupI18n({ locale: language, messages: { [language]: messages } });
  const prepare = directionOf(language) === 'rtl' ? isolateTexts : (values: Values) => values;
  const translate = (key: Key, values: Values = {}): string => i18n._(key, prepare(values));
  return Object.assign(translate, { language });
}
