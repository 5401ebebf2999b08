import type { CustomFieldValue } from '@tandem/contracts';
import { customFieldKey } from '@tandem/contracts/values';
import type { ImportInput, SourceItem, SourcePlace } from '../import-reader';
import { textOf } from './json-values';
import { plainName } from './value-names';
import { parseTime } from './times';
import type { OncePerImport } from './source-items';

export interface SourceField {
  /** Names under which the field can be known here, best first: its title, its key, its ID. */
  names: readonly (string | null)[];
  value: unknown;
}

const asKey = (name: string): string => plainName(name).replaceAll(' ', '_');

/** The values of a ticket for fields that are defined here, by their keys. A field that is not defined becomes one problem per import. */
export function* customFieldValues(
  fields: Iterable<SourceField>,
  defined: ImportInput['custom_fields'],
  once: OncePerImport,
  at: SourcePlace,
): Generator<SourceItem, Record<string, CustomFieldValue>> {
  const values: Record<string, CustomFieldValue> = {};
  for (const { names, value } of fields) {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    const known = names.filter((name) => name !== null);
    const key = known.map(asKey).find((name) => customFieldKey.test(name) && defined.has(name));
    const converted = key === undefined ? undefined : convert(defined.get(key)!, value);
    // Keys come from our own definitions, so `__proto__` of a file is never one.
    if (key !== undefined && converted !== undefined) values[key] = converted;
    else {
      const field = known[0]?.slice(0, 200) ?? null;
      yield* once.problem(`field ${field}`, 'value.left_out', at, { kind: 'ticket', field, value: textOf(value) });
    }
  }
  return values;
}

const yes = new Set(['true', 'yes', 'y', '1', 'ja', 'oui', 'si', 'sim', 'tak', 'はい', 'نعم', 'on', 'checked']);
const no = new Set(['false', 'no', 'n', '0', 'nein', 'non', 'nao', 'nee', 'nie', 'いいえ', 'لا', 'off', 'unchecked']);

/** Words for yes and no in the languages of the product; undefined for all others. */
export function yesOrNo(text: string | null): boolean | undefined {
  const name = text === null ? '' : plainName(text);
  return yes.has(name) ? true : no.has(name) ? false : undefined;
}

/** The value in the form of our type; undefined if it has none. The caller checks limits and options. */
function convert(type: string, value: unknown): CustomFieldValue | undefined {
  const text = textOf(value);
  switch (type) {
    case 'number': {
      const number = text === null ? NaN : Number(text.replace(',', '.'));
      return Number.isFinite(number) ? number : undefined;
    }
    case 'date':
      return text === null ? undefined : (parseTime(text, 'month_first')?.slice(0, 10) ?? undefined);
    case 'yes_no':
      return yesOrNo(text);
    case 'choice':
      return text === null ? undefined : asKey(text);
    case 'choices': {
      const all: unknown[] = Array.isArray(value) ? value : (text?.split(/[,;]/) ?? []);
      return all.flatMap((each) => textOf(each) ?? []).map(asKey);
    }
    default:
      return text ?? undefined;
  }
}
