import {
  channelLabels,
  conditionFields,
  conditionOperators,
  fieldsFor,
  languageNames,
  priorityLabels,
  statusLabels,
  type ConditionField,
  type ConditionOperator,
  type ConditionUse,
} from '@tandem/contracts/values';
import { t } from '../../lib/staff-texts';

const operatorLabels: Record<ConditionOperator, string> = {
  is_any_of: t('app.conditions.is_any_of'),
  is_none_of: t('app.conditions.is_none_of'),
  is_empty: t('app.conditions.is_empty'),
  is_not_empty: t('app.conditions.is_not_empty'),
  is: t('app.conditions.is'),
  is_not: t('app.conditions.is_not'),
  contains: t('app.conditions.contains'),
  does_not_contain: t('app.conditions.does_not_contain'),
  starts_with: t('app.conditions.starts_with'),
  ends_with: t('app.conditions.ends_with'),
  contains_any_of: t('app.conditions.contains_any_of'),
  contains_all_of: t('app.conditions.contains_all_of'),
  contains_none_of: t('app.conditions.contains_none_of'),
  at_least: t('app.conditions.is_at_least'),
  at_most: t('app.conditions.is_at_most'),
};

export const fieldOptions = (use: ConditionUse) =>
  fieldsFor(use).map((value: ConditionField) => ({ value, label: conditionFields[value].label }));
export const operatorOptions = (field: ConditionField) =>
  conditionOperators[conditionFields[field].type].map((value) => ({ value, label: operatorLabels[value] }));

const valueLabels: Partial<Record<ConditionField, Record<string, string>>> = {
  status: statusLabels,
  priority: priorityLabels,
  channel: channelLabels,
  language: languageNames,
  previous_status: statusLabels,
  previous_priority: priorityLabels,
};
/** The name of a fixed value. The values of `changed_fields` are themselves fields. */
export const valueLabel = (field: ConditionField, value: string): string =>
  valueLabels[field]?.[value] ?? (field === 'changed_fields' ? conditionFields[value as ConditionField].label : value);

/** The choices of a field with fixed values. */
export function choicesOf(field: ConditionField): { value: string; label: string }[] | undefined {
  const definition = conditionFields[field];
  return 'values' in definition ? definition.values.map((value) => ({ value, label: valueLabel(field, value) })) : undefined;
}
