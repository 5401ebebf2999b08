import type { CustomField, CustomFieldValue } from '@tandem/contracts';
import { isCalendarDate } from '@tandem/contracts/values';
import { formatDay } from '../../lib/dates';
import { lazyFormat } from '../../lib/lazy-format';
import { t } from '../../lib/staff-texts';

const number = lazyFormat(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 15 }));

type FieldOptions = Pick<CustomField, 'type' | 'options'>;

/** The value as people read it. An option that was removed from the field has no label any more, so its value is shown. */
export function fieldValueText({ type, options }: FieldOptions, value: CustomFieldValue): string {
  const optionText = (each: string) => options.find((option) => option.value === each)?.label ?? each;
  if (Array.isArray(value)) return value.map(optionText).join(', ');
  if (typeof value === 'boolean') return value ? t('app.fields.yes') : t('app.fields.no');
  if (typeof value === 'number') return number().format(value);
  if (type === 'date' && isCalendarDate(value)) return formatDay(value);
  return type === 'choice' || type === 'choices' ? optionText(value) : value;
}

const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** The number in the text, with or without separators of thousands; other text as it is. */
export function parseNumber(text: string): number | string | null {
  const trimmed = text.trim();
  const plain = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  if (plain === '') return null;
  return isNumber.test(plain) ? Number(plain) : trimmed;
}

/** The field's options, then those of the values that were removed from the field. */
export function optionsWithRemoved({ options }: Pick<CustomField, 'options'>, values: readonly string[]): CustomField['options'] {
  const removed = values.filter((value) => !options.some((option) => option.value === value));
  return [...options, ...removed.map((value) => ({ value, label: value }))];
}
