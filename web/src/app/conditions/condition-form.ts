import {
  conditionFields,
  conditionLimits,
  conditionOperators,
  type Condition,
  type ConditionByUse,
  type ConditionField,
  type ConditionOperator,
  type ConditionUse,
  type FieldCondition,
} from '@tandem/contracts/values';
import { t } from '../../lib/staff-texts';

/** One row of the editor. `text`: as typed; `values`: as chosen, for operators that take several. */
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

export const needsValue = ({ op }: Pick<ConditionRow, 'op'>): boolean => op !== 'is_empty' && op !== 'is_not_empty';
const takesList = (field: ConditionField): boolean => ['choice', 'member', 'set'].includes(conditionFields[field].type);
const takesNumber = (field: ConditionField): boolean => ['number', 'hours'].includes(conditionFields[field].type);

function conditionOf({ field, op, text, values }: ConditionRow): FieldCondition<ConditionField> {
  if (!needsValue({ op })) return { field, op };
  if (takesList(field)) return { field, op, value: values };
  if (conditionFields[field].type === 'yes_no') return { field, op, value: text === 'true' };
  return { field, op, value: takesNumber(field) ? Number(text) : text.trim() };
}

/** The condition of a draft, whose rows have only fields of the use; null for every ticket. */
export function conditionFrom<Use extends ConditionUse>({ match, rows }: ConditionDraft, _use: Use): ConditionByUse[Use] | null {
  if (match === 'none' || rows.length === 0) return null;
  const conditions = rows.map(conditionOf);
  return (match === 'all' ? { all: conditions } : { any: conditions }) as ConditionByUse[Use];
}

function rowFrom({ field, op, value }: FieldCondition<ConditionField>): ConditionRow {
  const values = Array.isArray(value) ? value : [];
  return { ...newRow(field), op, values, text: value === undefined || Array.isArray(value) ? '' : String(value) };
}

/** Null for a condition with groups inside groups, which the API accepts and the editor does not show. */
export function draftFrom(condition: Condition<ConditionField> | null): ConditionDraft | null {
  if (condition === null) return { match: 'none', rows: [] };
  if ('field' in condition) return { match: 'all', rows: [rowFrom(condition)] };
  const [match, list] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
  const rows = list.filter((each): each is FieldCondition<ConditionField> => 'field' in each);
  return rows.length === list.length ? { match, rows: rows.map(rowFrom) } : null;
}

/** Why a row cannot be saved; undefined if it can. */
export function rowError(row: ConditionRow): string | undefined {
  if (!needsValue(row)) return undefined;
  if (takesList(row.field)) return row.values.length === 0 ? t('app.conditions.choose_at_least_one_value') : undefined;
  const text = row.text.trim();
  const { type } = conditionFields[row.field];
  if (type === 'number') return /^\d{1,6}$/.test(text) ? undefined : t('app.conditions.enter_whole_number');
  if (type === 'hours') {
    const isValid = /^\d{1,5}(\.\d{1,2})?$/.test(text) && Number(text) <= conditionLimits.hours;
    return isValid ? undefined : t('app.conditions.enter_number_of_hours');
  }
  if (text === '') return t('app.conditions.enter_value');
  return text.length > conditionLimits.valueLength
    ? t('app.conditions.at_most_value_length_characters', { valueLength: conditionLimits.valueLength })
    : undefined;
}

/** Whether a row of the draft cannot be saved; the row shows its error itself. */
export const hasErrors = ({ match, rows }: ConditionDraft): boolean => match !== 'none' && rows.some((row) => rowError(row) !== undefined);
