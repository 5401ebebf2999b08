import type { Condition, ConditionOperator, FieldCondition } from '@tandem/contracts';
import {
  conditionFields,
  conditionLimits,
  conditionOperators,
  channelLabels,
  fieldsFor,
  languageNames,
  priorityLabels,
  statusLabels,
  type FieldFor,
} from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';

type ConditionField = FieldFor<'webhook'>;

/** One row of the editor. `value`: as typed; several values are separated by commas or chosen. */
export interface ConditionRow {
  id: number;
  field: ConditionField;
  op: ConditionOperator;
  text: string;
  values: string[];
}
/** `none`: every ticket. */
export interface ConditionDraft {
  match: 'none' | 'all' | 'any';
  rows: ConditionRow[];
}

let counter = 0;
export const newRow = (field: ConditionField = 'priority'): ConditionRow => ({
  id: (counter += 1),
  field,
  op: conditionOperators[conditionFields[field].type][0],
  text: conditionFields[field].type === 'yes_no' ? 'true' : '',
  values: [],
});

const operatorLabels: Record<ConditionOperator, string> = {
  is_any_of: 'is any of',
  is_none_of: 'is none of',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  does_not_contain: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  contains_any_of: 'contains any of',
  contains_all_of: 'contains all of',
  contains_none_of: 'contains none of',
  at_least: 'is at least',
  at_most: 'is at most',
};
export const fieldOptions = fieldsFor('webhook').map((value) => ({
  value,
  label: conditionFields[value].label,
}));
export const operatorOptions = (field: ConditionField) =>
  conditionOperators[conditionFields[field].type].map((value) => ({ value, label: operatorLabels[value] }));

const valueLabels: Partial<Record<ConditionField, Record<string, string>>> = {
  status: statusLabels,
  priority: priorityLabels,
  channel: channelLabels,
  language: languageNames,
};
/** The choices of a field with fixed values. */
export const choicesOf = (field: ConditionField) => {
  const definition = conditionFields[field];
  return 'values' in definition
    ? definition.values.map((value: string) => ({ value, label: valueLabels[field]?.[value] ?? value }))
    : undefined;
};

export const needsValue = ({ op }: Pick<ConditionRow, 'op'>): boolean => op !== 'is_empty' && op !== 'is_not_empty';
const takesList = (field: ConditionField): boolean => ['choice', 'member', 'set'].includes(conditionFields[field].type);

function conditionOf({ field, op, text, values }: ConditionRow): FieldCondition {
  if (!needsValue({ op })) return { field, op };
  if (takesList(field)) return { field, op, value: values };
  const { type } = conditionFields[field];
  if (type === 'yes_no') return { field, op, value: text === 'true' };
  return { field, op, value: type === 'number' ? Number(text) : text.trim() };
}

export const conditionFrom = ({ match, rows }: ConditionDraft): Condition | null => {
  if (match === 'none' || rows.length === 0) return null;
  const conditions = rows.map(conditionOf);
  return match === 'all' ? { all: conditions } : { any: conditions };
};

function rowFrom({ field, op, value }: FieldCondition): ConditionRow {
  const values = Array.isArray(value) ? value : [];
  return { ...newRow(field), op, values, text: value === undefined || Array.isArray(value) ? '' : String(value) };
}

/** Null for a condition with groups inside groups, which the API accepts and the editor does not show. */
export function draftFrom(condition: Condition | null): ConditionDraft | null {
  if (condition === null) return { match: 'none', rows: [] };
  if ('field' in condition) return { match: 'all', rows: [rowFrom(condition)] };
  const [match, list] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
  const rows = list.filter((each): each is FieldCondition => 'field' in each);
  return rows.length === list.length ? { match, rows: rows.map(rowFrom) } : null;
}

/** Why a row cannot be saved; undefined if it can. */
export function rowError(row: ConditionRow): string | undefined {
  if (!needsValue(row)) return undefined;
  if (takesList(row.field)) return row.values.length === 0 ? t('settings.webhooks.choose_at_least_one_value') : undefined;
  const { type } = conditionFields[row.field];
  if (type === 'number') return /^\d{1,6}$/.test(row.text.trim()) ? undefined : t('settings.webhooks.enter_whole_number');
  if (row.text.trim() === '') return t('settings.webhooks.enter_value');
  return row.text.length > conditionLimits.valueLength
    ? t('settings.webhooks.at_most_value_length_characters', { valueLength: conditionLimits.valueLength })
    : undefined;
}
