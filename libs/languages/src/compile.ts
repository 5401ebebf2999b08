import type { Messages } from '@lingui/core';
import { compileMessageOrThrow, type CompiledMessage, type CompiledMessageToken } from '@lingui/message-utils/compileMessage';
import type { Language } from '@tandem/contracts/values';
import type { Catalog, Wording } from './parts';

/** Throws if a message is not valid ICU. */
export const compileCatalog = (catalog: Catalog): Messages =>
  Object.fromEntries(Object.entries(catalog).map(([key, message]) => [key, compileMessageOrThrow(message)]));

const choicesOf = (token: CompiledMessageToken): [name: string, message: CompiledMessage][] => {
  const choices = typeof token === 'string' ? undefined : token[2];
  if (typeof choices !== 'object' || choices === null) return [];
  return Object.entries(choices).filter((entry): entry is [string, CompiledMessage] => Array.isArray(entry[1]));
};

/** Names of the values and tags in a message, sorted: `count`, `<link>`. Throws if it is not valid ICU. */
export const placeholdersOf = (message: string): string[] => placeholdersIn(compileMessageOrThrow(message));

function placeholdersIn(message: CompiledMessage): string[] {
  const names = new Set<string>();
  const visit = (tokens: CompiledMessage) => {
    for (const token of tokens) {
      if (typeof token === 'string') for (const [, tag] of token.matchAll(/<(\w+)>/g)) names.add(`<${tag}>`);
      else names.add(token[0]);
      for (const [, choice] of choicesOf(token)) visit(choice);
    }
  };
  visit(message);
  return [...names].sort();
}

/** The plural categories that a language uses for the numbers up to 200: French has a fourth, but only for millions. */
const categoriesOf = (language: string): string[] => {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))];
};

/** Choices without a text: a plural needs one per category of the language, any other choice one for `other`. */
function missingChoices(tokens: CompiledMessage, categories: readonly string[] = []): string[] {
  return tokens.flatMap((token) => {
    const choices = choicesOf(token);
    if (typeof token === 'string' || choices.length === 0) return [];
    const needed = token[1] === 'plural' ? [...categories, 'other'] : ['other'];
    const missing = needed.filter((category) => !choices.some(([name]) => name === category));
    return [...new Set(missing), ...choices.flatMap(([, choice]) => missingChoices(choice, categories))];
  });
}

/** Why an organization's text cannot replace a text of the catalog; undefined if it can. It may leave out values. */
export function wordingProblem(text: string, original: string): 'invalid' | 'unknown_value' | undefined {
  try {
    const own = compileMessageOrThrow(text);
    if (missingChoices(own).length > 0) return 'invalid';
    return hasOnly(own, placeholdersOf(original)) ? undefined : 'unknown_value';
  } catch {
    return 'invalid';
  }
}

const hasOnly = (message: CompiledMessage, known: readonly string[]) => placeholdersIn(message).every((name) => known.includes(name));

/** The usable texts of an organization, compiled. For the others the catalog, whose compiled messages are `messages`, applies. */
export function compileWording(wording: Wording, messages: Messages): Messages {
  const own: Messages = {};
  for (const [key, text] of Object.entries(wording)) {
    const original = messages[key];
    if (!Array.isArray(original) || text.trim() === '') continue;
    try {
      const message = compileMessageOrThrow(text);
      if (missingChoices(message).length === 0 && hasOnly(message, placeholdersIn(original))) own[key] = message;
    } catch {
      // Saved before the original changed, or by an older version.
    }
  }
  return own;
}

/** The errors of a catalog compared with the English one, one per line. */
export function catalogProblems(language: Language, catalog: Catalog, source: Catalog): string[] {
  const missing = Object.keys(source).filter((key) => !catalog[key]?.trim());
  const unknown = Object.keys(catalog).filter((key) => source[key] === undefined);
  const categories = categoriesOf(language);
  const broken = Object.entries(catalog).flatMap(([key, message]) => {
    const original = source[key];
    if (original === undefined || message.trim() === '') return [];
    try {
      const [own, expected] = [placeholdersOf(message).join(', '), placeholdersOf(original).join(', ')];
      const plurals = missingChoices(compileMessageOrThrow(message), categories);
      return [
        ...(own === expected ? [] : [`${key} has the values ${own || 'none'} instead of ${expected || 'none'}`]),
        ...(plurals.length === 0 ? [] : [`${key} has no text for ${plurals.join(', ')}`]),
      ];
    } catch (error) {
      return [`${key} is not a valid message: ${(error as Error).message}`];
    }
  });
  return [...missing.map((key) => `${key} is missing`), ...unknown.map((key) => `${key} is not in en.json`), ...broken];
}
