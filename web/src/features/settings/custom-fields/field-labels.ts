import type { CustomField } from '@tandem/contracts';
import { customFieldLimits, customFieldTypes, type CustomFieldType } from '@tandem/contracts/values';
import { CalendarDays, Hash, Package, type LucideIcon } from 'lucide-react';
import { formatDay } from '../../../lib/dates';
import { lazyFormat } from '../../../lib/lazy-format';
import { t } from '../../../lib/staff-texts';
import { blankField, type FieldDefinition } from './field-form';

export const typeLabels: Record<CustomFieldType, string> = {
  text: t('settings.fields.type_text'),
  long_text: t('settings.fields.type_long_text'),
  number: t('settings.fields.type_number'),
  date: t('settings.fields.type_date'),
  yes_no: t('settings.fields.type_yes_no'),
  choice: t('settings.fields.type_choice'),
  choices: t('settings.fields.type_choices'),
};
export const typeOptions = customFieldTypes.map((value) => ({ value, label: typeLabels[value] }));

const and = lazyFormat(() => new Intl.ListFormat('en-US', { type: 'conjunction' }));

/** Where the field is used: 'Required on customer forms · Shown to customers'. */
export function usageText({ form, shown_to_customers, set_by_widget, required_to_resolve, categories }: CustomField): string {
  const isInternal = form === 'hidden' && !shown_to_customers && !set_by_widget;
  return [
    isInternal && t('settings.fields.team_only'),
    form === 'optional' && t('settings.fields.optional_on_forms'),
    form === 'required' && t('settings.fields.required_on_forms'),
    shown_to_customers && t('settings.fields.shown_to_customers'),
    set_by_widget && t('settings.fields.set_by_widget'),
    required_to_resolve && t('settings.fields.required_to_resolve'),
    categories.length > 0 && t('settings.fields.only_categories', { count: categories.length, names: and().format(categories) }),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** The day on which the values of a deleted field are deleted. */
export function lastDayText({ deleted_at }: CustomField): string {
  const end = new Date(deleted_at ?? 0);
  end.setDate(end.getDate() + customFieldLimits.daysToRestore);
  return formatDay(end.toISOString());
}

export const suggestionNames = ['order_number', 'product', 'due_date'] as const;
export type SuggestionName = (typeof suggestionNames)[number];
export const isSuggestionName = (name: string | null): name is SuggestionName => suggestionNames.some((each) => each === name);

interface Suggestion {
  icon: LucideIcon;
  description: string;
  field: FieldDefinition;
}

/** Fields that many organizations need. */
export const suggestions: Record<SuggestionName, Suggestion> = {
  order_number: {
    icon: Hash,
    description: t('settings.fields.about_order_number'),
    field: {
      ...blankField,
      label: t('settings.fields.order_number'),
      hint: t('settings.fields.order_number_hint'),
      form: 'optional',
      shown_to_customers: true,
    },
  },
  product: {
    icon: Package,
    description: t('settings.fields.about_product'),
    field: { ...blankField, type: 'choice', label: t('settings.fields.product'), form: 'required', shown_to_customers: true },
  },
  due_date: {
    icon: CalendarDays,
    description: t('settings.fields.about_due_date'),
    field: { ...blankField, type: 'date', label: t('settings.fields.due_date') },
  },
};
