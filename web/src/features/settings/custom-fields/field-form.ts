import type { CustomField } from '@tandem/contracts';
import { customFieldKey, customFieldLimits, type CustomFieldType, type Language } from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';

/** The settings that can be changed after the field is created. */
export type FieldSettings = Pick<
  CustomField,
  'label' | 'hint' | 'options' | 'categories' | 'form' | 'shown_to_customers' | 'set_by_widget' | 'required_to_resolve' | 'translations'
>;
export type FieldDefinition = FieldSettings & Pick<CustomField, 'key' | 'type'>;

/** A row of the options. Its `id` is the value of an existing option; a new one gets its value from its label. */
export interface OptionRow {
  id: string;
  value: string | null;
  label: string;
}
interface TranslationDraft {
  label: string;
  hint: string;
  /** By the id of the row. */
  options: Partial<Record<string, string>>;
}
export interface FieldDraft extends Omit<FieldSettings, 'hint' | 'options' | 'translations'> {
  /** Null while the key is suggested from the label. */
  key: string | null;
  type: CustomFieldType;
  hint: string;
  options: OptionRow[];
  translations: Partial<Record<Language, TranslationDraft>>;
}
/** By input. The error of an option is at `option <id>`, that of a translation at `translations.<language>.label`. */
export type FieldErrors = Partial<Record<string, string>>;
export const optionPath = (id: string): string => `option ${id}`;
export const translationPath = (language: string, input: string): string => `translations.${language}.${input}`;

export const blankField: FieldDefinition = {
  key: '',
  type: 'text',
  label: '',
  hint: null,
  options: [],
  categories: [],
  form: 'hidden',
  shown_to_customers: false,
  set_by_widget: false,
  required_to_resolve: false,
  translations: {},
};

let counter = 0;
export const newOption = (label = ''): OptionRow => ({ id: `new ${(counter += 1)}`, value: null, label });
export const blankTranslation: TranslationDraft = { label: '', hint: '', options: {} };
export const hasOptions = (type: CustomFieldType): boolean => type === 'choice' || type === 'choices';

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
const cut = (key: string, length: number): string => key.slice(0, length).replace(/_+$/, '');

/** A key for a label that no other one has: `order_number` for 'Order number'. `prefix` is for labels without Latin letters. */
export function suggestKey(label: string, taken: readonly string[], prefix: 'field' | 'option'): string {
  const text = slug(label);
  const key = cut(/^[a-z]/.test(text) ? text : `${prefix}_${text}`, customFieldLimits.key);
  let free = key;
  for (let number = 2; taken.includes(free); number += 1) {
    const suffix = `_${number}`;
    free = `${cut(key, customFieldLimits.key - suffix.length)}${suffix}`;
  }
  return free;
}

/** The rows with their values; new rows without a label are left out. */
export function filledOptions(rows: readonly OptionRow[]): { id: string; value: string; label: string }[] {
  const filled = rows.map((row) => ({ ...row, label: row.label.trim() })).filter(({ value, label }) => value !== null || label !== '');
  const taken = filled.flatMap(({ value }) => value ?? []);
  return filled.map(({ id, value: known, label }) => {
    const value = known ?? suggestKey(label, taken, 'option');
    if (known === null) taken.push(value);
    return { id, value, label };
  });
}

export function draftOf({ key, hint, options, translations, ...others }: FieldDefinition): FieldDraft {
  const rows = options.map(({ value, label }) => ({ id: value, value, label }));
  const drafts = Object.entries(translations).map(([language, text]) => [language, { ...text, hint: text.hint ?? '' }]);
  return {
    ...others,
    key: key === '' ? null : key,
    hint: hint ?? '',
    options: rows.length > 0 ? rows : [newOption()],
    translations: Object.fromEntries(drafts) as FieldDraft['translations'],
  };
}

/** The settings as the API expects them. */
export function settingsOf(draft: FieldDraft): FieldSettings {
  const options = hasOptions(draft.type) ? filledOptions(draft.options) : [];
  const translations = Object.entries(draft.translations).flatMap(([language, text]) => {
    const own = { label: text.label.trim(), hint: text.hint.trim() || null };
    const labels = options.flatMap(({ id, value }) => {
      const label = text.options[id]?.trim();
      return label ? [[value, label] as const] : [];
    });
    return own.label || own.hint || labels.length > 0 ? [[language, { ...own, options: Object.fromEntries(labels) }]] : [];
  });
  return {
    label: draft.label.trim(),
    hint: draft.hint.trim() || null,
    options: options.map(({ value, label }) => ({ value, label })),
    categories: draft.categories,
    form: draft.form,
    shown_to_customers: draft.shown_to_customers,
    set_by_widget: draft.set_by_widget,
    required_to_resolve: draft.required_to_resolve,
    translations: Object.fromEntries(translations) as FieldSettings['translations'],
  };
}

export const keyOf = ({ key, label }: Pick<FieldDraft, 'key' | 'label'>, taken: readonly string[]): string =>
  key ?? (label.trim() === '' ? '' : suggestKey(label, taken, 'field'));

function keyError(key: string, taken: readonly string[]): string | undefined {
  if (!customFieldKey.test(key)) return t('settings.fields.invalid_key');
  return taken.includes(key) ? t('settings.fields.key_taken') : undefined;
}

function optionErrors(rows: readonly OptionRow[]): FieldErrors {
  const filled = filledOptions(rows);
  if (filled.length === 0) return { options: t('settings.fields.add_at_least_one_option') };
  return Object.fromEntries(
    filled.map(({ id, label }, index) => [
      optionPath(id),
      label === ''
        ? t('settings.fields.enter_label')
        : filled.findIndex((other) => other.label === label) < index
          ? t('settings.fields.label_repeated')
          : undefined,
    ]),
  );
}

/** @param taken the keys of the other fields, for a new one */
export function fieldErrors(draft: FieldDraft, taken: readonly string[] | undefined): FieldErrors {
  const translations = Object.entries(settingsOf(draft).translations).map(([language, { label }]) => [
    translationPath(language, 'label'),
    label === '' ? t('settings.fields.translate_label') : undefined,
  ]);
  const hasLabel = draft.label.trim() !== '';
  const found: FieldErrors = {
    label: hasLabel ? undefined : t('settings.fields.enter_label'),
    // Without a label there is no suggestion either.
    key: taken && (hasLabel || draft.key !== null) ? keyError(keyOf(draft, taken), taken) : undefined,
    ...(hasOptions(draft.type) ? optionErrors(draft.options) : {}),
    ...(Object.fromEntries(translations) as FieldErrors),
  };
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined));
}

const inputs = new Set(['label', 'key', 'type', 'hint', 'options', 'categories', 'form']);

/** The server's problems at the inputs of the form: `options.1.label` belongs to the second option. The others are at `other`. */
export function errorsAt(draft: FieldDraft, problems: readonly { path: string; message: string }[]): FieldErrors {
  const sent = filledOptions(draft.options);
  return Object.fromEntries(
    problems.map(({ path, message }) => {
      const [input = '', second = '', third = '', value] = path.split('.');
      const option = input === 'options' && sent[Number(second || NaN)];
      if (option) return [optionPath(option.id), message];
      if (input === 'translations' && third) {
        const id = sent.find((each) => each.value === value)?.id;
        return [translationPath(second, id ? optionPath(id) : third), message];
      }
      return [inputs.has(input) ? input : 'other', message];
    }),
  );
}
