import {
  conditionFields,
  type Condition,
  type ConditionField,
  type ConditionOperator,
  type FieldCondition,
} from '@tandem/contracts/values';
import { lazyFormat } from '../../lib/lazy-format';
import { t } from '../../lib/staff-texts';
import { valueLabel } from './condition-labels';

/** The name of a member by id, for conditions on the assignee. */
export type MemberName = (user_id: string) => string;

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

function nameOfValue(field: ConditionField, value: string, memberName: MemberName): string {
  if (field === 'assigned_to') return memberName(value);
  return (field === 'changed_fields' && subjects[value as ConditionField]) || valueLabel(field, value);
}

function valueText({ field, op, value }: FieldCondition<ConditionField>, memberName: MemberName): string {
  const isQuoted = conditionFields[field].type === 'text' && !(plain.includes(field) && (op === 'is' || op === 'is_not'));
  if (Array.isArray(value)) {
    const names = value.map((each) => {
      const name = nameOfValue(field, each, memberName);
      return isQuoted ? t('app.conditions.quoted', { text: name }) : name;
    });
    return (op === 'contains_all_of' ? and() : or()).format(names);
  }
  const text = String(value ?? '');
  return isQuoted ? t('app.conditions.quoted', { text }) : text;
}

function fieldSentence(condition: FieldCondition<ConditionField>, memberName: MemberName): string {
  const { field, op } = condition;
  const value = valueText(condition, memberName);
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
function joined(members: readonly Condition<ConditionField>[], group: 'all' | 'any'): Condition<ConditionField>[] {
  const result: Condition<ConditionField>[] = [];
  for (const member of members) {
    const last = result.at(-1);
    const isSame =
      last && 'field' in last && 'field' in member && last.field === member.field && last.op === member.op && joinable[member.op] === group;
    if (isSame && conditionFields[member.field].type === 'text')
      result.splice(-1, 1, { ...last, value: [last.value ?? [], member.value ?? []].flat().map(String) });
    else result.push(member);
  }
  return result;
}

/**
 * A condition as the part of a sentence that follows "if" or "and": "category is Billing and (priority is High or it has no task)".
 *
 * @param memberName the name of a member who is compared with the assignee
 */
export function conditionSentence(condition: Condition<ConditionField>, memberName: MemberName, isInner = false): string {
  if ('field' in condition) return fieldSentence(condition, memberName);
  const isAll = 'all' in condition;
  const members = joined(isAll ? condition.all : condition.any, isAll ? 'all' : 'any');
  if (members.length === 0) return isAll ? t('app.conditions.any_ticket') : t('app.conditions.no_ticket');
  if (members.length === 1) return conditionSentence(members[0]!, memberName, isInner);
  const text = (isAll ? and() : or()).format(members.map((each) => conditionSentence(each, memberName, true)));
  return isInner ? t('app.conditions.in_parentheses', { text }) : text;
}
