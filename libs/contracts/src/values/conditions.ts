import { ticketChannels } from './customers';
import type { CustomFieldName } from './ticket-custom-fields';
import type { CustomFieldType } from './custom-fields';
import { languages } from './languages';
import { ticketPriorities, ticketStatuses } from './tickets';

/** What a condition is used for: filtering the events of a webhook, filtering a list, or deciding whether a rule runs. */
export const conditionUses = ['webhook', 'view', 'rule'] as const;
export type ConditionUse = (typeof conditionUses)[number];

/** The fields of a ticket whose changes a rule can react to. */
export const changedFields = ['status', 'priority', 'assigned_to', 'category', 'tags', 'subject'] as const;
export type ChangedField = (typeof changedFields)[number];

const everywhere = conditionUses;
/** Webhook filters have none of these: nothing happens to a ticket at the moment when an hour has passed. */
const overTime = ['view', 'rule'] as const;
/** Values that only the cause of a rule has. */
const ofCause = ['rule'] as const;

/** The type of a field decides its operators and the type of the value; `uses` are the features that have the field. */
export const conditionFields = {
  status: { label: 'Status', type: 'choice', values: ticketStatuses, uses: everywhere },
  priority: { label: 'Priority', type: 'choice', values: ticketPriorities, uses: everywhere },
  channel: { label: 'Channel', type: 'choice', values: ticketChannels, uses: everywhere },
  category: { label: 'Category', type: 'text', uses: everywhere },
  subject: { label: 'Subject', type: 'text', uses: everywhere },
  customer_email: { label: 'Customer’s email', type: 'text', uses: everywhere },
  customer_domain: { label: 'Customer’s email domain', type: 'text', uses: everywhere },
  customer_name: { label: 'Customer’s name', type: 'text', uses: everywhere },
  language: { label: 'Customer’s language', type: 'choice', values: languages, uses: everywhere },
  tags: { label: 'Tags', type: 'set', uses: everywhere },
  assigned_to: { label: 'Assignee', type: 'member', uses: everywhere },
  is_breached: { label: 'Missed a due time', type: 'yes_no', uses: everywhere },
  is_escalated: { label: 'Escalated', type: 'yes_no', uses: everywhere },
  has_task: { label: 'Has a task', type: 'yes_no', uses: everywhere },
  has_response: { label: 'Staff have replied', type: 'yes_no', uses: everywhere },
  customer_replied_last: { label: 'Customer replied last', type: 'yes_no', uses: everywhere },
  reopen_count: { label: 'Times reopened', type: 'number', uses: everywhere },
  public_reply_count: { label: 'Public replies', type: 'number', uses: everywhere },
  is_snoozed: { label: 'Snoozed', type: 'yes_no', uses: overTime },
  hours_since_created: { label: 'Hours since it was created', type: 'hours', uses: overTime },
  hours_since_updated: { label: 'Hours since the last change', type: 'hours', uses: overTime },
  hours_since_comment: { label: 'Hours since the last comment', type: 'hours', uses: overTime },
  text: { label: 'Subject or message', type: 'text', uses: ofCause },
  comment_text: { label: 'New comment', type: 'text', uses: ofCause },
  in_business_hours: { label: 'During business hours', type: 'yes_no', uses: ofCause },
  changed_fields: { label: 'Changed fields', type: 'set', values: changedFields, uses: ofCause },
  previous_status: { label: 'Previous status', type: 'choice', values: ticketStatuses, uses: ofCause },
  previous_priority: { label: 'Previous priority', type: 'choice', values: ticketPriorities, uses: ofCause },
} as const satisfies Record<string, ConditionFieldDefinition>;
interface ConditionFieldDefinition {
  label: string;
  type: keyof typeof conditionOperators;
  values?: readonly string[];
  uses: readonly ConditionUse[];
}
export type ConditionField = keyof typeof conditionFields;
/** The fields that conditions of one use can read. */
export type FieldFor<Use extends ConditionUse> = {
  [Field in ConditionField]: Use extends (typeof conditionFields)[Field]['uses'][number] ? Field : never;
}[ConditionField];

const allFields = Object.keys(conditionFields) as ConditionField[];
/** The fields that conditions of one use can read, in the order in which an editor lists them. */
export const fieldsFor = <Use extends ConditionUse>(use: Use): FieldFor<Use>[] =>
  allFields.filter((field): field is FieldFor<Use> => (conditionFields[field].uses as readonly ConditionUse[]).includes(use));

/**
 * The operators of each type of field. Text is compared without regard to case. `is_empty` takes no value; `is_any_of` and `is_none_of` take
 * a list; `is` on `yes_no` takes a boolean. `hours` count to now, with fractions, so that no operator compares them with an exact value.
 */
export const conditionOperators = {
  choice: ['is_any_of', 'is_none_of', 'is_empty', 'is_not_empty'],
  text: ['is', 'is_not', 'contains', 'does_not_contain', 'starts_with', 'ends_with', 'is_empty', 'is_not_empty'],
  set: ['contains_any_of', 'contains_all_of', 'contains_none_of', 'is_empty', 'is_not_empty'],
  member: ['is_any_of', 'is_none_of', 'is_empty', 'is_not_empty'],
  yes_no: ['is'],
  number: ['is', 'at_least', 'at_most'],
  hours: ['at_least', 'at_most'],
} as const;
export type ConditionOperator = (typeof conditionOperators)[keyof typeof conditionOperators][number];

const isEmptyOrNot = ['is_empty', 'is_not_empty'] as const;
/** The operators of each type of custom field. Dates are compared as `YYYY-MM-DD`. */
export const customFieldOperators = {
  text: conditionOperators.text,
  long_text: conditionOperators.text,
  number: [...conditionOperators.number, ...isEmptyOrNot],
  date: ['is', 'at_least', 'at_most', ...isEmptyOrNot],
  yes_no: ['is', ...isEmptyOrNot],
  choice: conditionOperators.choice,
  choices: conditionOperators.set,
} as const satisfies Record<CustomFieldType, readonly ConditionOperator[]>;

export const conditionLimits = {
  depth: 3,
  conditions: 50,
  values: 50,
  valueLength: 255,
  /** Of a view's condition as JSON in UTF-8, because the list has it in its URL. */
  viewBytes: 2_500,
  /** Ten years. */
  hours: 87_600,
} as const;

/** Compares one field, or a custom field, with a value. Without a parameter, the fields of webhook filters. */
export interface FieldCondition<Field extends ConditionField = FieldFor<'webhook'>> {
  field: Field | CustomFieldName;
  op: ConditionOperator;
  value?: string | number | boolean | string[] | undefined;
}
/** `{ all: [] }` matches every ticket, `{ any: [] }` none. */
export type Condition<Field extends ConditionField = FieldFor<'webhook'>> =
  | FieldCondition<Field>
  | { all: Condition<Field>[] }
  | { any: Condition<Field>[] };
export type ViewCondition = Condition<FieldFor<'view'>>;
/** Rules have all fields, so this is also the type of a condition of any use. */
export type RuleCondition = Condition<FieldFor<'rule'>>;
export interface ConditionByUse {
  webhook: Condition;
  view: ViewCondition;
  rule: RuleCondition;
}
