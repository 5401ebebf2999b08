import {
  conditionFields,
  conditionLimits,
  conditionOperators,
  customFieldKey,
  customFieldLimits,
  customFieldOperators,
  fieldsFor,
  isCustomFieldName,
  keyOfName,
  type ConditionByUse,
  type ConditionField,
  type CustomFieldName,
  type ConditionUse,
  type FieldCondition,
  type ViewCondition,
} from '@tandem/contracts/values';

const operatorsOfCustomFields: readonly unknown[] = Object.values(customFieldOperators).flat();
const isCustomField = (name: unknown): name is CustomFieldName =>
  typeof name === 'string' &&
  isCustomFieldName(name) &&
  keyOfName(name).length <= customFieldLimits.key &&
  customFieldKey.test(keyOfName(name));

const isGroup = (value: object): value is { all: unknown } | { any: unknown } => 'all' in value || 'any' in value;
/** Whether a value from a URL has the form of a condition whose fields and operators exist for the use. The server checks its values. */
export function isCondition<Use extends ConditionUse>(value: unknown, use: Use, depth = 0): value is ConditionByUse[Use] {
  if (typeof value !== 'object' || value === null || depth > conditionLimits.depth) return false;
  if (isGroup(value)) {
    const members = 'all' in value ? value.all : value.any;
    return Array.isArray(members) && members.every((each) => isCondition(each, use, depth + 1));
  }
  const { field, op } = value as Partial<FieldCondition<ConditionField>>;
  if (isCustomField(field)) return operatorsOfCustomFields.includes(op);
  if (field === undefined || !(fieldsFor(use) as ConditionField[]).includes(field)) return false;
  return (conditionOperators[conditionFields[field].type] as readonly unknown[]).includes(op);
}

/** The members in a fixed order: the database stores them in another one, and equal conditions must have equal URLs. */
function inOrder(condition: ViewCondition): ViewCondition {
  if ('all' in condition) return { all: condition.all.map(inOrder) };
  if ('any' in condition) return { any: condition.any.map(inOrder) };
  const { field, op, value } = condition;
  return { field, op, ...(value === undefined ? {} : { value }) };
}
/** A condition as the list has it in its URL. */
export const conditionText = (condition: ViewCondition): string => JSON.stringify(inOrder(condition));
/** Undefined for a text that is not a condition of a view. */
export function conditionFromText(text: string | null): ViewCondition | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isCondition(value, 'view') ? value : undefined;
  } catch {
    return undefined;
  }
}
