import * as z from 'zod';
import { draftText, Id } from './scalars';
import {
  conditionFields,
  conditionLimits,
  conditionOperators,
  fieldsFor,
  type Condition as ConditionOn,
  type ConditionByUse,
  type ConditionField,
  type ConditionUse,
  type FieldCondition as FieldConditionOn,
  type FieldFor,
} from './values/conditions';
import { isCustomFieldName, keyOfName, type CustomFieldName } from './values/ticket-custom-fields';
import { customFieldKey, customFieldLimits, isCalendarDate } from './values/custom-fields';

/**
 * The condition language: one registry of fields, and `{ all | any: [{ field, op, value }] }` over it. Webhook filters, views and rules use
 * it, each with the fields that it can evaluate (`conditionFor`); every later feature that asks "which tickets" uses it too.
 */

const text = draftText(conditionLimits.valueLength);
const Value = z.union([text, z.number(), z.boolean(), z.array(text).max(conditionLimits.values)]);

const operators = [...new Set(Object.values(conditionOperators).flat())];
const operatorsOf = (field: ConditionField): readonly string[] => conditionOperators[conditionFields[field].type];

const unknownField = (fields: readonly string[]) => ({
  path: 'field',
  message: `Must be one of: ${fields.join(', ')}, or custom_fields. with the key of a custom field`,
});
const isCustomField = (name: string): name is CustomFieldName =>
  isCustomFieldName(name) && keyOfName(name).length <= customFieldLimits.key && customFieldKey.test(keyOfName(name));
/** The organization's fields are not known here, so this only rules out what no type of field allows. A field that does not exist is empty. */
function customFieldProblem(op: string, value: unknown) {
  const wrong = (message: string) => ({ path: 'value', message });
  if (!(operators as readonly string[]).includes(op)) return { path: 'op', message: `Must be one of: ${operators.join(', ')}` };
  switch (op) {
    case 'is_empty':
    case 'is_not_empty':
      return value === undefined ? undefined : wrong(`${op} takes no value`);
    case 'at_least':
    case 'at_most':
      return typeof value === 'number' || (typeof value === 'string' && isCalendarDate(value))
        ? undefined
        : wrong('Send a number, or a date like 2026-03-31');
    case 'is':
      return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')
        ? undefined
        : wrong('Send text, a number, true or false');
    case 'is_any_of':
    case 'is_none_of':
    case 'contains_any_of':
    case 'contains_all_of':
    case 'contains_none_of':
      return Array.isArray(value) && value.length > 0 ? undefined : wrong('Send a list with at least one value');
    default:
      return typeof value === 'string' && value !== '' ? undefined : wrong('Send text');
  }
}

const isHours = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= conditionLimits.hours;

/** The problem of a condition on one field, with the member that has it; undefined if it is valid. */
function problemOf({ field, op, value }: { field: ConditionField; op: string; value?: unknown }) {
  const { label, type, ...definition } = conditionFields[field];
  if (!operatorsOf(field).includes(op)) return { path: 'op', message: `${label} can be compared with: ${operatorsOf(field).join(', ')}` };
  const wrong = (message: string) => ({ path: 'value', message });
  if (op === 'is_empty' || op === 'is_not_empty') return value === undefined ? undefined : wrong(`${op} takes no value`);
  if (type === 'yes_no') return typeof value === 'boolean' ? undefined : wrong('Send true or false');
  if (type === 'number') return typeof value === 'number' ? undefined : wrong('Send a number');
  if (type === 'hours') return isHours(value) ? undefined : wrong(`Send a number of hours from 0 to ${conditionLimits.hours}`);
  if (type === 'text') return typeof value === 'string' && value !== '' ? undefined : wrong('Send text');
  if (!Array.isArray(value) || value.length === 0) return wrong('Send a list with at least one value');
  if (type === 'member' && !value.every((id) => Id.safeParse(id).success)) return wrong('Send the ids of members');
  const values: readonly string[] | undefined = 'values' in definition ? definition.values : undefined;
  const unknown = values && (value as string[]).find((each) => !values.includes(each));
  return unknown === undefined ? undefined : wrong(`${label} has no value ${JSON.stringify(unknown)}: use ${values?.join(', ')}`);
}

type Schema<Field extends ConditionField> = z.ZodType<ConditionOn<Field>, ConditionOn<Field>>;
type FieldSchema<Field extends ConditionField> = z.ZodType<FieldConditionOn<Field>, FieldConditionOn<Field>>;

// `field` and `op` are checked together with `value` and not by enums: a failed enum inside a union would hide its own message and path.
function fieldConditionFor<Use extends ConditionUse>(use: Use): FieldSchema<FieldFor<Use>> {
  const fields = fieldsFor(use);
  const isField = (name: string): name is FieldFor<Use> => (fields as string[]).includes(name);
  return z
    .strictObject({
      // No enum: the organization's custom fields are not known here.
      field: z.string().meta({ examples: [...fields, 'custom_fields.product'] }),
      op: z.string().meta({ enum: operators }),
      value: Value.optional(),
    })
    .superRefine(({ field, ...condition }, issues) => {
      const problem = isCustomField(field)
        ? customFieldProblem(condition.op, condition.value)
        : isField(field)
          ? problemOf({ field, ...condition })
          : unknownField(fields);
      if (problem) issues.addIssue({ code: 'custom', path: [problem.path], message: problem.message });
    }) as unknown as FieldSchema<FieldFor<Use>>;
}
/** Compares one field of the ticket with a value. */
export const FieldCondition = fieldConditionFor('webhook');
/** Compares one field of the ticket with a value. Hours count to the time of the request. */
export const ViewFieldCondition = fieldConditionFor('view');
/** Compares one field of the ticket, or of the change that caused the rule, with a value. */
export const RuleFieldCondition = fieldConditionFor('rule');

/** The members of the deepest group: no groups, only conditions on one field. */
const deepest = <Field extends ConditionField>(fieldCondition: FieldSchema<Field>) =>
  z.looseObject({}).superRefine((value, issues) => {
    if ('all' in value || 'any' in value)
      issues.addIssue({ code: 'custom', message: `At most ${conditionLimits.depth} levels of all and any` });
    else
      for (const { path, message } of fieldCondition.safeParse(value).error?.issues ?? [])
        issues.addIssue({ code: 'custom', path, message });
  }) as unknown as Schema<Field>;

/** Stops at the maximum depth: deeper conditions are rejected anyway, and the count must not exhaust the stack. */
const countFields = <Field extends ConditionField>(condition: ConditionOn<Field>, depth = 0): number => {
  if ('field' in condition || depth === conditionLimits.depth) return 1;
  const group = 'all' in condition ? condition.all : condition.any;
  const sum = group.reduce((count, each) => count + countFields(each, depth + 1), 0);
  // An empty group counts too: otherwise a body could contain any number of them.
  return Math.max(sum, 1);
};

/** Written out level by level: a recursive schema would exhaust the stack on a deeply nested body. */
function schemaOf<Field extends ConditionField>(fieldCondition: FieldSchema<Field>): Schema<Field> {
  const groupsOf = (inner: Schema<Field>): Schema<Field> => {
    const list = z.array(inner);
    return z.union([fieldCondition, z.strictObject({ all: list }), z.strictObject({ any: list })]);
  };
  const levels = Array.from({ length: conditionLimits.depth }).reduce<Schema<Field>>(groupsOf, deepest(fieldCondition));
  return levels.refine(
    (condition) => countFields(condition) <= conditionLimits.conditions,
    `At most ${conditionLimits.conditions} conditions`,
  );
}

/** `{ all: [] }` matches every ticket, `{ any: [] }` none. Operator and value must suit the field; at most 50 conditions, 3 levels deep. */
export const Condition = schemaOf(FieldCondition);
const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
/** Like the condition of a webhook endpoint, with fields that change as time passes. At most 2,500 bytes as JSON. */
export const ViewCondition = schemaOf(ViewFieldCondition).refine(
  (condition) => bytes(condition) <= conditionLimits.viewBytes,
  `At most ${conditionLimits.viewBytes} bytes`,
);
/** Like the condition of a view, with fields of the change that caused the rule. */
export const RuleCondition = schemaOf(RuleFieldCondition);

const schemas = { webhook: Condition, view: ViewCondition, rule: RuleCondition };
/** The schema of conditions for one use: it accepts only the fields of that use. */
export const conditionFor = <Use extends ConditionUse>(use: Use) =>
  schemas[use] as unknown as z.ZodType<ConditionByUse[Use], ConditionByUse[Use]>;

export type { ConditionByUse, ConditionOperator, ConditionUse } from './values/conditions';
export type Condition = z.infer<typeof Condition>;
export type FieldCondition = z.infer<typeof FieldCondition>;
export type ViewCondition = z.infer<typeof ViewCondition>;
export type RuleCondition = z.infer<typeof RuleCondition>;
export { matches, fieldsIn, type ConditionSubject, type RuleSubject, type ViewSubject } from './values/condition-matches';
