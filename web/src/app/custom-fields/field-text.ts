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
