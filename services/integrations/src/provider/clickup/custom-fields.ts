import type { CustomFieldType, CustomFieldValue } from '@tandem/contracts/values';
import type { ConvertedFieldValue, ListField } from '../task-tool';
import type { Field } from './shapes';

/** ClickUp's field types for the values of each type of the help desk. */
export const fieldTypes: Record<CustomFieldType, readonly string[]> = {
  text: ['text', 'short_text', 'url', 'email'],
  long_text: ['text', 'short_text', 'url', 'email'],
  number: ['number', 'currency'],
  date: ['date'],
  yes_no: ['checkbox'],
  choice: ['drop_down'],
  choices: ['labels'],
};
const usable = new Set(Object.values(fieldTypes).flat());

/** Fields of other types (people, files, formulas …) are left out, because a workspace can have hundreds. */
export const usableFields = (fields: Field[]): ListField[] =>
  fields
    .filter(({ type }) => usable.has(type))
    .map(({ id, name, type, type_config }) => ({ id, name, type, options: optionsOf(type_config) }));

/** The options of a dropdown have a name, those of labels a label. */
const optionsOf = (config: Field['type_config']): ListField['options'] =>
  (config?.options ?? []).map(({ id, name, label }) => ({ id, name: name ?? label ?? '' }));

const folded = (name: string): string => name.trim().toLowerCase();

/** `value` has a type for which `fieldTypes` contains the field's type; options by their names. */
export function fieldValue(field: ListField, type: CustomFieldType, value: CustomFieldValue): ConvertedFieldValue {
  switch (type) {
    case 'text':
    case 'long_text':
      return textFor(field, String(value));
    case 'number':
    case 'yes_no':
      return { value };
    case 'date':
      // A field shows the day in the time zone of each person. Ten o'clock UTC is the same day from Hawaii to New Zealand.
      return { value: Date.parse(`${String(value)}T10:00:00Z`) };
    case 'choice':
    case 'choices':
      return optionsFor(field, type, Array.isArray(value) ? value : [String(value)]);
  }
}

function textFor(field: ListField, text: string): ConvertedFieldValue {
  if (field.type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return notSent(field, 'an email address');
  if (field.type === 'url' && !isUrl(text)) return notSent(field, 'a URL');
  return { value: text };
}

const isUrl = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && !/\s/.test(text);

const notSent = ({ name }: ListField, wanted: string): ConvertedFieldValue => ({
  value: null,
  problem: `The value of “${name}” is not ${wanted}. It was not sent.`,
});

/** An option that the list does not have is left out: only people create options. */
function optionsFor(field: ListField, type: 'choice' | 'choices', names: string[]): ConvertedFieldValue {
  const found = names.map((name) => field.options.find((option) => folded(option.name) === folded(name))?.id);
  const ids = [...new Set(found.filter((id) => id !== undefined))];
  const value = ids.length === 0 ? null : type === 'choice' ? ids[0]! : ids;
  const missing = names.filter((_, i) => found[i] === undefined).map((name) => `“${name}”`);
  if (missing.length === 0) return { value };
  const problem =
    missing.length === 1
      ? `The list’s field “${field.name}” has no option ${missing[0]}. It was not sent.`
      : `The list’s field “${field.name}” has no options ${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}. They were not sent.`;
  return { value, problem };
}
