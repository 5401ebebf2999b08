import { createHash } from 'node:crypto';
import { AppError, type CustomerText, type Language, type TextPart } from '@tandem/contracts';
import { catalogs, placeholdersOf, wordingProblem } from '@tandem/languages';
import type { WordingRow } from './wording.store';

interface TextAddress {
  part: TextPart;
  language: Language;
  key: string;
}
interface Original {
  english: string;
  original: string;
}

const invalid = (path: string, message: string) => new AppError('request.invalid', { fields: [{ path, code: 'custom', message }] });

const has = (catalog: object, key: string) => Object.hasOwn(catalog, key);

/** The original of a text. Throws a problem of the field `key` if there is no such text. */
export function getOriginal({ part, language, key }: TextAddress): Original {
  const { en, [language]: own } = catalogs[part];
  if (!has(en, key)) throw invalid('key', `There is no text “${key}” in ${part}`);
  return { english: en[key]!, original: own[key] ?? en[key]! };
}

/** Changes if the English text or its translation changes. */
export const hashOf = ({ english, original }: Original): string =>
  createHash('sha256').update(`${english}\0${original}`).digest('base64url');

const namesIn = (text: string): string =>
  placeholdersOf(text)
    .map((name) => (name.startsWith('<') ? name : `{${name}}`))
    .join(', ');

/** Throws a problem of the field `text` if customers could not see the text as it is meant. */
export function assertUsable(text: string, { english }: Original): void {
  const problem = wordingProblem(text, english);
  if (problem === 'invalid') throw invalid('text', 'This text cannot be shown: check its braces { } and tags < >');
  if (problem === 'unknown_value') throw invalid('text', `This text can only contain these values: ${namesIn(english) || 'none'}`);
}

/** A text with the organization's own one, if it has any. */
export function customerText(address: TextAddress, row: WordingRow | undefined): CustomerText {
  const original = getOriginal(address);
  const { part, language, key } = address;
  return {
    part,
    language,
    key,
    ...original,
    placeholders: placeholdersOf(original.english),
    text: row?.text ?? null,
    original_changed: row !== undefined && row.original_hash !== hashOf(original),
    updated_at: row?.updated_at ?? null,
  };
}
