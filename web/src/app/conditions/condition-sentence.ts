import {
  conditionFields,
  isCustomFieldName,
  type Condition,
  type ConditionField,
  type ConditionOperator,
  type CustomFieldName,
  type FieldCondition,
} from '@tandem/contracts/values';
import { lazyFormat } from '../../lib/lazy-format';
import { t } from '../../lib/staff-texts';
import { fieldValueText } from '../custom-fields/field-text';
import { definitionOf, fieldLabel, valueLabel, type Definitions } from './condition-labels';

/** What the ids and keys in conditions refer to. */
export interface ConditionNames {
  /** The name of a member who is compared with the assignee. */
  member: (user_id: string) => string;
  fields: Definitions;
}

const and = lazyFormat(() => new Intl.ListFormat('en', { type: 'conjunction' }));
const or = lazyFormat(() => new Intl.ListFormat('en', { type: 'disjunction' }));

/** Each field as the subject of a sentence; most of those in `whole` are sentences of their own. */
const subjects: Partial<Record<ConditionField, string>> = {
  status: t('app.conditions.subject_status'),
  priority: t('app.conditions.subject_priority'),
  channel: t('app.conditions.subject_channel'),
  category: t('app.conditions.subject_category'),
  subject: t('app.conditions.subject_subject'),
  customer_email: t('app.conditions.subject_customer_email'),
  customer_domain: t('app.conditions.subject_customer_domain'),
  customer_name: t('app.conditions.subject_customer_name'),
  language: t('app.conditions.subject_language'),
  tags: t('app.conditions.subject_tags'),
  assigned_to: t('app.conditions.subject_assigned_to'),
  text: t('app.conditions.subject_text'),
  comment_text: t('app.conditions.subject_comment_text'),
  previous_status: t('app.conditions.subject_previous_status'),
  previous_priority: t('app.conditions.subject_previous_priority'),
};

type Values = (values: { subject: string; value: string }) => string;
const predicates: Partial<Record<ConditionOperator, Values>> = {
  is: ({ subject, value }) => t('app.conditions.sentence_is', { subject, value }),
  is_not: ({ subject, value }) => t('app.conditions.sentence_is_not', { subject, value }),
  is_any_of: ({ subject, value }) => t('app.conditions.sentence_is', { subject, value }),
  is_none_of: ({ subject, value }) => t('app.conditions.sentence_is_not', { subject, value }),
  is_empty: ({ subject }) => t('app.conditions.sentence_is_empty', { subject }),
  is_not_empty: ({ subject }) => t('app.conditions.sentence_is_not_empty', { subject }),
  contains: ({ subject, value }) => t('app.conditions.sentence_contains', { subject, value }),
  does_not_contain: ({ subject, value }) => t('app.conditions.sentence_does_not_contain', { subject, value }),
  starts_with: ({ subject, value }) => t('app.conditions.sentence_starts_with', { subject, value }),
  ends_with: ({ subject, value }) => t('app.conditions.sentence_ends_with', { subject, value }),
};

type Whole = (op: ConditionOperator, value: string) => string | undefined;
/** The sentence of a yes/no field, for true and false. */
const yesNo =
  (yes: string, no: string): Whole =>
  (_, value) =>
    value === 'true' ? yes : no;
const either =
  (atLeast: (value: string) => string, atMost: (value: string) => string, is?: (value: string) => string): Whole =>
  (op, value) =>
    op === 'at_least' ? atLeast(value) : op === 'at_most' ? atMost(value) : is?.(value);

/** The fields whose sentence is not "subject, comparison, value". Undefined for an operator that follows that form. */
const whole: Partial<Record<ConditionField, Whole>> = {
  tags: (op, value) => {
    if (op === 'is_empty') return t('app.conditions.has_no_tags');
    if (op === 'is_not_empty') return t('app.conditions.has_tags');
    return op === 'contains_none_of' ? t('app.conditions.tags_do_not_include', { value }) : t('app.conditions.tags_include', { value });
  },
  assigned_to: (op) =>
    op === 'is_empty' ? t('app.conditions.is_unassigned') : op === 'is_not_empty' ? t('app.conditions.is_assigned') : undefined,
  is_breached: yesNo(t('app.conditions.missed_due_time'), t('app.conditions.missed_no_due_time')),
  is_escalated: yesNo(t('app.conditions.is_escalated'), t('app.conditions.is_not_escalated')),
  has_task: yesNo(t('app.conditions.has_task'), t('app.conditions.has_no_task')),
  has_response: yesNo(t('app.conditions.staff_have_replied'), t('app.conditions.staff_have_not_replied')),
  customer_replied_last: yesNo(t('app.conditions.customer_replied_last'), t('app.conditions.customer_did_not_reply_last')),
  is_snoozed: yesNo(t('app.conditions.is_snoozed'), t('app.conditions.is_not_snoozed')),
  in_business_hours: yesNo(t('app.conditions.in_business_hours'), t('app.conditions.outside_business_hours')),
  reopen_count: either(
    (count) => t('app.conditions.reopened_at_least', { count }),
    (count) => t('app.conditions.reopened_at_most', { count }),
    (count) => t('app.conditions.reopened', { count }),
  ),
  public_reply_count: either(
    (count) => t('app.conditions.replies_at_least', { count }),
    (count) => t('app.conditions.replies_at_most', { count }),
    (count) => t('app.conditions.replies', { count }),
  ),
  hours_since_created: either(
    (hours) => t('app.conditions.created_at_least', { hours }),
    (hours) => t('app.conditions.created_at_most', { hours }),
  ),
  hours_since_updated: either(
    (hours) => t('app.conditions.updated_at_least', { hours }),
    (hours) => t('app.conditions.updated_at_most', { hours }),
  ),
  hours_since_comment: either(
    (hours) => t('app.conditions.commented_at_least', { hours }),
    (hours) => t('app.conditions.commented_at_most', { hours }),
  ),
  changed_fields: (op, value) => {
    if (op === 'is_empty') return t('app.conditions.nothing_changed');
    if (op === 'is_not_empty') return t('app.conditions.something_changed');
    return op === 'contains_none_of' ? t('app.conditions.did_not_change', { value }) : t('app.conditions.changed', { value });
  },
};

/** Values that stand for themselves; other text is in quotation marks. */
const plain: readonly ConditionField[] = ['category', 'customer_email', 'customer_domain'];

function nameOfValue(field: ConditionField, value: string, { member }: ConditionNames): string {
  if (field === 'assigned_to') return member(value);
  return (field === 'changed_fields' && subjects[value as ConditionField]) || valueLabel(field, value);
}

const quoted = (text: string): string => t('app.conditions.quoted', { text });
const list = (op: ConditionOperator, texts: readonly string[]): string => (op === 'contains_all_of' ? and() : or()).format(texts);

function valueText(field: ConditionField, { op, value }: FieldCondition<ConditionField>, names: ConditionNames): string {
  const isQuoted = conditionFields[field].type === 'text' && !(plain.includes(field) && (op === 'is' || op === 'is_not'));
  const format = (text: string) => (isQuoted ? quoted(text) : text);
  return Array.isArray(value)
    ? list(
        op,
        value.map((each) => format(nameOfValue(field, each, names))),
      )
    : format(String(value ?? ''));
}

const isText = (field: ConditionField | CustomFieldName, { fields }: ConditionNames): boolean => {
  const type = isCustomFieldName(field) ? definitionOf(field, fields)?.type : conditionFields[field].type;
  return type === 'text' || type === 'long_text';
};

/** The comparisons of custom fields that read otherwise than those of the other fields. */
function customPredicate(op: ConditionOperator, isDate: boolean): Values | undefined {
  switch (op) {
    case 'at_least':
      return ({ subject, value }) =>
        isDate ? t('app.conditions.sentence_on_or_after', { subject, value }) : t('app.conditions.sentence_at_least', { subject, value });
    case 'at_most':
      return ({ subject, value }) =>
        isDate ? t('app.conditions.sentence_on_or_before', { subject, value }) : t('app.conditions.sentence_at_most', { subject, value });
    case 'contains_any_of':
    case 'contains_all_of':
      return predicates.contains;
    case 'contains_none_of':
      return predicates.does_not_contain;
    default:
      return predicates[op];
  }
}
function customFieldSentence(field: CustomFieldName, { op, value = '' }: FieldCondition<ConditionField>, names: ConditionNames): string {
  const definition = definitionOf(field, names.fields);
  const subject = fieldLabel(field, names.fields);
  const text = (each: string | number | boolean) => {
    const shown = fieldValueText(definition ?? { type: 'text', options: [] }, each);
    return isText(field, names) ? quoted(shown) : shown;
  };
  const shown = Array.isArray(value) ? list(op, value.map(text)) : text(value);
  return customPredicate(op, definition?.type === 'date')?.({ subject, value: shown }) ?? subject;
}

function fieldSentence(condition: FieldCondition<ConditionField>, names: ConditionNames): string {
  const { field, op } = condition;
  if (isCustomFieldName(field)) return customFieldSentence(field, condition, names);
  const value = valueText(field, condition, names);
  const subject = subjects[field] ?? conditionFields[field].label;
  return whole[field]?.(op, value) ?? predicates[op]?.({ subject, value }) ?? subject;
}

/** "subject contains “a” or subject contains “b”" as one comparison with both values. */
const joinable: Partial<Record<ConditionOperator, 'all' | 'any'>> = {
  is: 'any',
  contains: 'any',
  starts_with: 'any',
  ends_with: 'any',
  does_not_contain: 'all',
};
function joined(members: readonly Condition<ConditionField>[], group: 'all' | 'any', names: ConditionNames): Condition<ConditionField>[] {
  const result: Condition<ConditionField>[] = [];
  for (const member of members) {
    const last = result.at(-1);
    const isSame =
      last && 'field' in last && 'field' in member && last.field === member.field && last.op === member.op && joinable[member.op] === group;
    if (isSame && isText(member.field, names))
      result.splice(-1, 1, { ...last, value: [last.value ?? [], member.value ?? []].flat().map(String) });
    else result.push(member);
  }
  return result;
}

/**
 * A condition as the part of a sentence that follows "if" or "and": "category is Billing and (priority is High or it has no task)".
 */
export function conditionSentence(condition: Condition<ConditionField>, names: ConditionNames, isInner = false): string {
  if ('field' in condition) return fieldSentence(condition, names);
  const isAll = 'all' in condition;
  const members = joined(isAll ? condition.all : condition.any, isAll ? 'all' : 'any', names);
  if (members.length === 0) return isAll ? t('app.conditions.any_ticket') : t('app.conditions.no_ticket');
  if (members.length === 1) return conditionSentence(members[0]!, names, isInner);
  const text = (isAll ? and() : or()).format(members.map((each) => conditionSentence(each, names, true)));
  return isInner ? t('app.conditions.in_parentheses', { text }) : text;
}
