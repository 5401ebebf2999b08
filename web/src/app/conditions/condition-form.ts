import type { CustomField } from '@tandem/contracts';
import {
  conditionFields,
  conditionLimits,
  conditionOperators,
  customFieldName,
  customFieldOperators,
  fieldValueProblem,
  isCalendarDate,
  isCustomFieldName,
  type Condition,
  type ConditionByUse,
  type ConditionField,
  type ConditionOperator,
  type ConditionUse,
  type CustomFieldName,
  type CustomFieldType,
  type FieldCondition,
} from '@tandem/contracts/values';
import { t } from '../../lib/staff-texts';
import { parseNumber } from '../custom-fields/field-text';

type ValueType = keyof typeof conditionOperators | CustomFieldType;

/** One row of the editor. `text`: as typed; `values`: as chosen, for operators that take several. */
export interface ConditionRow {
  id: number;
  field: ConditionField | CustomFieldName;
  /** Decides the form of the value. For a custom field in a stored condition, that of the value, until the user changes the row. */
  type: ValueType;
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
const emptyText = (type: ValueType): string => (type === 'yes_no' ? 'true' : '');
export function newRow(field: ConditionField = 'priority'): ConditionRow {
  const { type } = conditionFields[field];
  return { id: (counter += 1), field, type, op: conditionOperators[type][0], text: emptyText(type), values: [] };
}
export const newCustomFieldRow = ({ key, type }: Pick<CustomField, 'key' | 'type'>): ConditionRow => ({
  id: (counter += 1),
  field: customFieldName(key),
  type,
  op: customFieldOperators[type][0],
  text: emptyText(type),
  values: [],
});

/** A changed row on a custom field. A comparison that the field does not have, which only the API can send, becomes one that it has. */
export function changedRow(row: ConditionRow, { type }: Pick<CustomField, 'type'>): ConditionRow {
  const operators: readonly ConditionOperator[] = customFieldOperators[type];
  return { ...row, type, op: operators.includes(row.op) ? row.op : operators[0]!, text: row.text || emptyText(type) };
}

export const needsValue = ({ op }: Pick<ConditionRow, 'op'>): boolean => op !== 'is_empty' && op !== 'is_not_empty';
const takesList = ({ type }: ConditionRow): boolean => ['choice', 'choices', 'member', 'set'].includes(type);

/** The value of a row in the form of a condition. */
export function valueOf(row: ConditionRow): FieldCondition['value'] {
  const { type, text, values } = row;
  if (takesList(row)) return values;
  if (type === 'yes_no') return text === 'true';
  if (type === 'number' && isCustomFieldName(row.field)) return parseNumber(text) ?? '';
  return type === 'number' || type === 'hours' ? Number(text) : text.trim();
}
const conditionOf = (row: ConditionRow): FieldCondition<ConditionField> => {
  const { field, op } = row;
  return needsValue(row) ? { field, op, value: valueOf(row) } : { field, op };
};

/** The condition of a draft, whose rows have only fields of the use; null for every ticket. */
export function conditionFrom<Use extends ConditionUse>({ match, rows }: ConditionDraft, _use: Use): ConditionByUse[Use] | null {
  if (match === 'none' || rows.length === 0) return null;
  const conditions = rows.map(conditionOf);
  return (match === 'all' ? { all: conditions } : { any: conditions }) as ConditionByUse[Use];
}

const typeOfValue = (value: FieldCondition['value']): ValueType =>
  Array.isArray(value) ? 'choices' : typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'yes_no' : 'text';

function rowFrom({ field, op, value }: FieldCondition<ConditionField>): ConditionRow {
  const values = Array.isArray(value) ? value : [];
  if (!isCustomFieldName(field))
    return { ...newRow(field), op, values, text: value === undefined || values === value ? '' : String(value) };
  return {
    id: (counter += 1),
    field,
    type: typeOfValue(value),
    op,
    text: values.join(', ') || String(value ?? ''),
    values: typeof value === 'string' ? [value] : values,
  };
}

/** Null for a condition with groups inside groups, which the API accepts and the editor does not show. */
export function draftFrom(condition: Condition<ConditionField> | null): ConditionDraft | null {
  if (condition === null) return { match: 'none', rows: [] };
  if ('field' in condition) return { match: 'all', rows: [rowFrom(condition)] };
  const [match, list] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
  const rows = list.filter((each): each is FieldCondition<ConditionField> => 'field' in each);
  return rows.length === list.length ? { match, rows: rows.map(rowFrom) } : null;
}

function listError({ values }: ConditionRow): string | undefined {
  if (values.length === 0) return t('app.conditions.choose_at_least_one_value');
  return values.length > conditionLimits.values ? t('app.conditions.choose_at_most_values', { count: conditionLimits.values }) : undefined;
}
function numberError({ field, type, text }: ConditionRow): string | undefined {
  if (isCustomFieldName(field))
    return fieldValueProblem({ type: 'number', options: [] }, parseNumber(text) ?? '') && t('app.conditions.enter_number');
  if (type === 'number') return /^\d{1,6}$/.test(text.trim()) ? undefined : t('app.conditions.enter_whole_number');
  const isValid = /^\d{1,5}(\.\d{1,2})?$/.test(text.trim()) && Number(text) <= conditionLimits.hours;
  return isValid ? undefined : t('app.conditions.enter_number_of_hours');
}

/** Why a row cannot be saved; undefined if it can. */
export function rowError(row: ConditionRow): string | undefined {
  if (!needsValue(row)) return undefined;
  if (takesList(row)) return listError(row);
  if (row.type === 'number' || row.type === 'hours') return numberError(row);
  const text = row.text.trim();
  if (row.type === 'date') return isCalendarDate(text) ? undefined : t('app.conditions.enter_date');
  if (text === '') return t('app.conditions.enter_value');
  return text.length > conditionLimits.valueLength
    ? t('app.conditions.at_most_value_length_characters', { valueLength: conditionLimits.valueLength })
    : undefined;
}

/** Whether a row of the draft cannot be saved; the row shows its error itself. */
export const hasErrors = ({ match, rows }: ConditionDraft): boolean => match !== 'none' && rows.some((row) => rowError(row) !== undefined);
