import * as z from 'zod';
import { Id } from './scalars';
import type { Ticket } from './tickets';
import { conditionFields, conditionLimits, conditionOperators, type ConditionField } from './values/conditions';

/**
 * The condition language: one registry of fields, and `{ all | any: [{ field, op, value }] }` over it. Webhook filters use it; every later
 * feature that asks "which tickets" uses it too.
 */

const Value = z.union([
  z.string().max(conditionLimits.valueLength),
  z.number(),
  z.boolean(),
  z.array(z.string().max(conditionLimits.valueLength)).max(conditionLimits.values),
]);

export interface FieldCondition {
  field: ConditionField;
  op: ConditionOperator;
  value?: string | number | boolean | string[] | undefined;
}
export type ConditionOperator = (typeof conditionOperators)[keyof typeof conditionOperators][number];
export type Condition = FieldCondition | { all: Condition[] } | { any: Condition[] };

const operators = [...new Set(Object.values(conditionOperators).flat())];
const isField = (name: string): name is ConditionField => Object.hasOwn(conditionFields, name);
const operatorsOf = (field: ConditionField): readonly string[] => conditionOperators[conditionFields[field].type];

/** The problem of a condition on one field, with the member that has it; undefined if it is valid. */
function problemOf({ field, op, value }: { field: string; op: string; value?: unknown }): { path: string; message: string } | undefined {
  if (!isField(field)) return { path: 'field', message: `Must be one of: ${Object.keys(conditionFields).join(', ')}` };
  const { label, type, ...definition } = conditionFields[field];
  if (!operatorsOf(field).includes(op)) return { path: 'op', message: `${label} can be compared with: ${operatorsOf(field).join(', ')}` };
  const wrong = (message: string) => ({ path: 'value', message });
  if (op === 'is_empty' || op === 'is_not_empty') return value === undefined ? undefined : wrong(`${op} takes no value`);
  if (type === 'yes_no') return typeof value === 'boolean' ? undefined : wrong('Send true or false');
  if (type === 'number') return typeof value === 'number' ? undefined : wrong('Send a number');
  if (type === 'text') return typeof value === 'string' && value !== '' ? undefined : wrong('Send text');
  if (!Array.isArray(value) || value.length === 0) return wrong('Send a list with at least one value');
  if (type === 'member' && !value.every((id) => Id.safeParse(id).success)) return wrong('Send the ids of members');
  const values: readonly string[] | undefined = 'values' in definition ? definition.values : undefined;
  const unknown = values && (value as string[]).find((each) => !values.includes(each));
  return unknown === undefined ? undefined : wrong(`${label} has no value ${JSON.stringify(unknown)}: use ${values?.join(', ')}`);
}

// `field` and `op` are checked together with `value` and not by enums: a failed enum inside a union would hide its own message and path.
/** Compares one field of the ticket with a value. */
export const FieldCondition: z.ZodType<FieldCondition, FieldCondition> = z
  .strictObject({
    field: z.string().meta({ enum: Object.keys(conditionFields) }),
    op: z.string().meta({ enum: operators }),
    value: Value.optional(),
  })
  .superRefine((condition, issues) => {
    const problem = problemOf(condition);
    if (problem) issues.addIssue({ code: 'custom', path: [problem.path], message: problem.message });
  }) as unknown as z.ZodType<FieldCondition, FieldCondition>;

/** The members of the deepest group: no groups, only conditions on one field. */
const DeepestSchema = z.looseObject({}).superRefine((value, issues) => {
  if ('all' in value || 'any' in value)
    issues.addIssue({ code: 'custom', message: `At most ${conditionLimits.depth} levels of all and any` });
  else
    for (const { path, message } of FieldCondition.safeParse(value).error?.issues ?? []) issues.addIssue({ code: 'custom', path, message });
}) as unknown as z.ZodType<Condition, Condition>;
const groupsOf = (inner: z.ZodType<Condition, Condition>): z.ZodType<Condition, Condition> => {
  const list = z.array(inner);
  return z.union([FieldCondition, z.strictObject({ all: list }), z.strictObject({ any: list })]);
};

/** Written out level by level: a recursive schema would exhaust the stack on a deeply nested body. */
const levels = Array.from({ length: conditionLimits.depth }).reduce<z.ZodType<Condition, Condition>>(groupsOf, DeepestSchema);

/** Stops at the maximum depth: deeper conditions are rejected anyway, and the count must not exhaust the stack. */
const countFields = (condition: Condition, depth = 0): number => {
  if ('field' in condition || depth === conditionLimits.depth) return 1;
  const sum = groupOf(condition).reduce((count, each) => count + countFields(each, depth + 1), 0);
  // An empty group counts too: otherwise a body could contain any number of them.
  return Math.max(sum, 1);
};
const groupOf = (condition: { all: Condition[] } | { any: Condition[] }): Condition[] =>
  'all' in condition ? condition.all : condition.any;

/** `{ all: [] }` matches every ticket, `{ any: [] }` none. Operator and value must suit the field; at most 50 conditions, 3 levels deep. */
export const Condition: z.ZodType<Condition, Condition> = levels.refine(
  (condition) => countFields(condition) <= conditionLimits.conditions,
  `At most ${conditionLimits.conditions} conditions`,
);

/** The members of a ticket that conditions read. */
export type ConditionSubject = Pick<
  Ticket,
  | 'status'
  | 'priority'
  | 'channel'
  | 'category'
  | 'subject'
  | 'customer_email'
  | 'tags'
  | 'assigned_to'
  | 'sla_breached_at'
  | 'escalated_at'
  | 'task'
  | 'reopen_count'
  | 'public_reply_count'
>;

const readers: { [Field in ConditionField]: (ticket: ConditionSubject) => string | string[] | number | boolean | null } = {
  status: (ticket) => ticket.status,
  priority: (ticket) => ticket.priority,
  channel: (ticket) => ticket.channel,
  category: (ticket) => ticket.category,
  subject: (ticket) => ticket.subject,
  customer_email: (ticket) => ticket.customer_email,
  tags: (ticket) => ticket.tags,
  assigned_to: (ticket) => ticket.assigned_to,
  is_breached: (ticket) => ticket.sla_breached_at !== null,
  is_escalated: (ticket) => ticket.escalated_at !== null,
  has_task: (ticket) => ticket.task !== null,
  reopen_count: (ticket) => ticket.reopen_count,
  public_reply_count: (ticket) => ticket.public_reply_count,
};

const lower = (value: unknown): string => String(value).toLowerCase();
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(lower);

/** `actual` is the ticket's value, `expected` the condition's. An empty field (null, '', no tags) contains nothing and equals nothing. */
const comparisons: Record<ConditionOperator, (actual: unknown, expected: unknown) => boolean> = {
  is: (actual, expected) => actual !== null && lower(actual) === lower(expected),
  is_not: (actual, expected) => !comparisons.is(actual, expected),
  contains: (actual, expected) => lower(actual ?? '').includes(lower(expected)),
  does_not_contain: (actual, expected) => !comparisons.contains(actual, expected),
  starts_with: (actual, expected) => lower(actual ?? '').startsWith(lower(expected)),
  ends_with: (actual, expected) => lower(actual ?? '').endsWith(lower(expected)),
  is_empty: (actual) => actual === null || actual === '' || (Array.isArray(actual) && actual.length === 0),
  is_not_empty: (actual, expected) => !comparisons.is_empty(actual, expected),
  is_any_of: (actual, expected) => actual !== null && listOf(expected).includes(lower(actual)),
  is_none_of: (actual, expected) => !comparisons.is_any_of(actual, expected),
  contains_any_of: (actual, expected) => listOf(expected).some((each) => listOf(actual).includes(each)),
  contains_all_of: (actual, expected) => listOf(expected).every((each) => listOf(actual).includes(each)),
  contains_none_of: (actual, expected) => !comparisons.contains_any_of(actual, expected),
  at_least: (actual, expected) => Number(actual) >= Number(expected),
  at_most: (actual, expected) => Number(actual) <= Number(expected),
};

/**
 * Whether a ticket meets a condition. Pure: the same ticket and condition always have the same result, so it can be evaluated in any process.
 * Text and tags are compared without regard to case. A negative operator (`is_not`, `is_none_of`, `contains_none_of`) also matches an
 * empty field.
 */
export function matches(condition: Condition, ticket: ConditionSubject): boolean {
  if ('all' in condition) return condition.all.every((each) => matches(each, ticket));
  if ('any' in condition) return condition.any.some((each) => matches(each, ticket));
  return comparisons[condition.op](readers[condition.field](ticket), condition.value);
}
