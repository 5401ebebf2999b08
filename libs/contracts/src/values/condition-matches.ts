import type { ChangedField, Condition, ConditionField, ConditionOperator, RuleCondition, ViewCondition } from './conditions';
import type { TicketChannel } from './customers';
import { isCustomFieldName, keyOfName, type CustomFieldName } from './ticket-custom-fields';
import type { CustomFieldValues } from './custom-fields';
import type { Language } from './languages';
import type { TicketPriority, TicketStatus } from './tickets';

/** The members of a `Ticket` that the conditions of webhook filters read. */
export interface ConditionSubject {
  status: TicketStatus;
  priority: TicketPriority;
  channel: TicketChannel | null;
  category: string | null;
  subject: string;
  customer_email: string;
  customer_name: string | null;
  language: Language | null;
  tags: readonly string[];
  assigned_to: string | null;
  sla_breached_at: string | null;
  escalated_at: string | null;
  task: object | null;
  first_response_at: string | null;
  customer_replied_last: boolean;
  reopen_count: number;
  public_reply_count: number;
  custom_fields: Readonly<CustomFieldValues>;
}
/** What the conditions of views read: the ticket, and the time to which its hours count. */
export interface ViewSubject extends ConditionSubject {
  created_at: string;
  updated_at: string;
  last_comment_at: string | null;
  snoozed_at: string | null;
  /** Milliseconds since 1970. */
  now_ms: number;
}
/** What the conditions of rules read: the ticket after the change, and the change that caused the evaluation. */
export interface RuleSubject extends ViewSubject {
  /** Subject, description and the new comment, in separate lines. */
  text: string;
  /** Null if the cause is not a comment. */
  comment_text: string | null;
  /** Whether `now_ms` is in the organization's business hours. */
  in_business_hours: boolean;
  changed_fields: readonly ChangedField[];
  /** Null if the cause did not change the status. */
  previous_status: TicketStatus | null;
  previous_priority: TicketPriority | null;
}

const hoursSince = (time: string | null, now_ms: number): number | null => (time === null ? null : (now_ms - Date.parse(time)) / 3_600_000);

type Value = string | readonly string[] | number | boolean | null;
const readers: { [Field in ConditionField]: (subject: RuleSubject) => Value } = {
  status: (ticket) => ticket.status,
  priority: (ticket) => ticket.priority,
  channel: (ticket) => ticket.channel,
  category: (ticket) => ticket.category,
  subject: (ticket) => ticket.subject,
  customer_email: (ticket) => ticket.customer_email,
  customer_domain: ({ customer_email }) => customer_email.slice(customer_email.lastIndexOf('@') + 1),
  customer_name: (ticket) => ticket.customer_name,
  language: (ticket) => ticket.language,
  tags: (ticket) => ticket.tags,
  assigned_to: (ticket) => ticket.assigned_to,
  is_breached: (ticket) => ticket.sla_breached_at !== null,
  is_escalated: (ticket) => ticket.escalated_at !== null,
  has_task: (ticket) => ticket.task !== null,
  has_response: (ticket) => ticket.first_response_at !== null,
  customer_replied_last: (ticket) => ticket.customer_replied_last,
  reopen_count: (ticket) => ticket.reopen_count,
  public_reply_count: (ticket) => ticket.public_reply_count,
  is_snoozed: (ticket) => ticket.snoozed_at !== null,
  hours_since_created: (ticket) => hoursSince(ticket.created_at, ticket.now_ms),
  hours_since_updated: (ticket) => hoursSince(ticket.updated_at, ticket.now_ms),
  hours_since_comment: (ticket) => hoursSince(ticket.last_comment_at, ticket.now_ms),
  text: (subject) => subject.text,
  comment_text: (subject) => subject.comment_text,
  in_business_hours: (subject) => subject.in_business_hours,
  changed_fields: (subject) => subject.changed_fields,
  previous_status: (subject) => subject.previous_status,
  previous_priority: (subject) => subject.previous_priority,
};

/**
 * Text without regard to case. JavaScript writes a sigma at the end of a word in another way, which depends on the text around it; the
 * SQL function of the same name (services/tickets/migrations/repeatable/fold_case.sql) has the same results.
 */
export const foldCase = (value: string): string => value.toLowerCase().replaceAll('ς', 'σ');
/** Many rules compare the same long text, one after the other. */
let latest = { text: '', folded: '' };
const longText = 200;
function lower(value: unknown): string {
  const text = String(value);
  if (text.length < longText) return foldCase(text);
  if (text !== latest.text) latest = { text, folded: foldCase(text) };
  return latest.folded;
}
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(lower);

/** Numbers are compared with numbers, and dates (`YYYY-MM-DD`) with dates. */
const order = (actual: unknown, expected: unknown): number | undefined =>
  actual === null || typeof actual !== typeof expected ? undefined : Number(actual! > expected!) - Number(actual! < expected!);

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
  is_any_of: (actual, expected) => actual !== null && comparisons.contains_any_of(actual, expected),
  is_none_of: (actual, expected) => !comparisons.is_any_of(actual, expected),
  contains_any_of: (actual, expected) => listOf(expected).some((each) => listOf(actual).includes(each)),
  contains_all_of: (actual, expected) => listOf(expected).every((each) => listOf(actual).includes(each)),
  contains_none_of: (actual, expected) => !comparisons.contains_any_of(actual, expected),
  at_least: (actual, expected) => (order(actual, expected) ?? -1) >= 0,
  at_most: (actual, expected) => (order(actual, expected) ?? 1) <= 0,
};

function valueOf(field: ConditionField | CustomFieldName, subject: RuleSubject): Value {
  if (!isCustomFieldName(field)) return readers[field](subject);
  const key = keyOfName(field);
  return Object.hasOwn(subject.custom_fields, key) ? subject.custom_fields[key]! : null;
}

/**
 * Whether a ticket meets a condition. Pure: the same subject and condition always have the same result, so it can be evaluated in any process.
 * Text and tags are compared without regard to case. A negative operator (`is_not`, `is_none_of`, `contains_none_of`) also matches an
 * empty field; a number that is not known matches no comparison.
 */
export function matches(condition: Condition, subject: ConditionSubject): boolean;
export function matches(condition: ViewCondition, subject: ViewSubject): boolean;
export function matches(condition: RuleCondition, subject: RuleSubject): boolean;
export function matches(condition: RuleCondition, subject: ConditionSubject): boolean {
  // The overloads allow only fields that the subject has.
  return evaluate(condition, subject as RuleSubject);
}

function evaluate(condition: RuleCondition, subject: RuleSubject): boolean {
  if ('all' in condition) return condition.all.every((each) => evaluate(each, subject));
  if ('any' in condition) return condition.any.some((each) => evaluate(each, subject));
  return comparisons[condition.op](valueOf(condition.field, subject), condition.value);
}

/** The fields that a condition reads, each once. */
export function fieldsIn<Field extends ConditionField>(condition: Condition<Field>): (Field | CustomFieldName)[] {
  if ('field' in condition) return [condition.field];
  return [...new Set(('all' in condition ? condition.all : condition.any).flatMap((each) => fieldsIn(each)))];
}
