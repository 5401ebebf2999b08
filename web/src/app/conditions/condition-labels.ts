import type { CustomField } from '@tandem/contracts';
import {
  channelLabels,
  conditionFields,
  conditionOperators,
  customFieldName,
  customFieldOperators,
  fieldsFor,
  isCustomFieldName,
  keyOfName,
  languageNames,
  priorityLabels,
  statusLabels,
  type ConditionField,
  type ConditionOperator,
  type ConditionUse,
  type CustomFieldName,
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
const dateOperatorLabels = {
  ...operatorLabels,
  at_least: t('app.conditions.is_on_or_after'),
  at_most: t('app.conditions.is_on_or_before'),
};

/** The organization's fields, also the deleted ones. Undefined until they are loaded. */
export type Definitions = readonly CustomField[] | undefined;

export const definitionOf = (name: CustomFieldName, definitions: Definitions): CustomField | undefined =>
  definitions?.find(({ key }) => key === keyOfName(name));
/** A field that is unknown, or not loaded yet, has its key as its label. */
export const fieldLabel = (field: ConditionField | CustomFieldName, definitions: Definitions): string =>
  isCustomFieldName(field) ? (definitionOf(field, definitions)?.label ?? keyOfName(field)) : conditionFields[field].label;

/** The fields for the use, and the organization's own. A deleted or unknown field is only there if it is the current one. */
export function fieldOptions(use: ConditionUse, definitions: Definitions, current: ConditionField | CustomFieldName) {
  const group = t('app.conditions.custom_fields');
  const custom = (definitions ?? [])
    .filter(({ deleted_at }) => deleted_at === null)
    .map(({ key, label }) => ({ value: customFieldName(key), label, group }));
  const isOffered = !isCustomFieldName(current) || custom.some(({ value }) => value === current);
  return [
    ...fieldsFor(use).map((value: ConditionField) => ({ value, label: conditionFields[value].label })),
    ...custom,
    ...(isOffered ? [] : [{ value: current, label: fieldLabel(current, definitions), group }]),
  ];
}

/** The comparisons of the field. One that it does not have is only there if it is the current one. */
export function operatorOptions(field: ConditionField | CustomFieldName, definition: CustomField | undefined, current: ConditionOperator) {
  const operators: readonly ConditionOperator[] = isCustomFieldName(field)
    ? definition
      ? customFieldOperators[definition.type]
      : []
    : conditionOperators[conditionFields[field].type];
  const labels = definition?.type === 'date' ? dateOperatorLabels : operatorLabels;
  return [...operators, ...(operators.includes(current) ? [] : [current])].map((value) => ({ value, label: labels[value] }));
}

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
export function choicesOf(field: ConditionField | CustomFieldName): { value: string; label: string }[] | undefined {
  if (isCustomFieldName(field)) return undefined;
  const definition = conditionFields[field];
  return 'values' in definition ? definition.values.map((value) => ({ value, label: valueLabel(field, value) })) : undefined;
}
