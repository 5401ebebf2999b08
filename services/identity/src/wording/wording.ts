import { createHash } from 'node:crypto';
import { AppError, type CustomerText, type Language, type TextPart } from '@tandem/contracts';
import { catalogs, placeholdersOf, splitTags, translator, wordingProblem, type Translate, type Values } from '@tandem/languages';
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

/** Throws a problem of the field `text` if customers could not see the text as intended. */
export function assertUsable(text: string, { english }: Original): void {
  const problem = wordingProblem(text, english);
  if (problem === 'invalid') throw invalid('text', 'This text cannot be shown: check its braces { } and tags < >');
  if (problem === 'unknown_value') throw invalid('text', `This text can only contain these values: ${namesIn(english) || 'none'}`);
}

const samples: Values = {
  name: 'Ada Lovelace',
  author: 'Grace Hopper',
  number: 'ACM-0042',
  subject: 'Where is my order?',
  address: 'support@example.com',
  email: 'ada@example.com',
};
const sampleDate = new Date('2026-11-23T09:30:00Z');

/** A value of the type that the text expects: `{count, plural, …}` is a number. */
function sampleOf(name: string, { english }: Original, team: string): string | number | Date {
  const type = new RegExp(`\\{\\s*${name}\\s*,\\s*(\\w+)`).exec(english)?.[1];
  if (type === 'plural' || type === 'selectordinal' || type === 'number') return 3;
  if (type === 'date' || type === 'time') return sampleDate;
  return name === 'team' ? team : (samples[name] ?? name);
}

/** The text as customers see it, with sample values and without the tags that make parts of it links. */
export function previewOf({ part, language, key }: TextAddress, text: string, original: Original, team: string): string {
  const names = placeholdersOf(original.english).filter((name) => !name.startsWith('<'));
  const values = Object.fromEntries(names.map((name) => [name, sampleOf(name, original, team)]));
  const translate = translator(part, language, { [key]: text }) as Translate;
  return splitTags(translate(key, values))
    .map((each) => each.text)
    .join('');
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
