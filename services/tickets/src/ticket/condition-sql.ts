import type { TicketPriority } from '@tandem/contracts';
import { foldCase, isCustomFieldName, keyOfName, type FieldFor, type ViewCondition } from '@tandem/contracts/values';
import { isStoredApart, type Condition } from './ticket-condition';
import { priorityRank } from './ticket-order';

type ViewField = FieldFor<'view'>;
type FieldCondition = Extract<ViewCondition, { field: unknown }>;
/** The value of a condition is of the type that its field requires: contracts have checked it. */
interface Compared {
  op: FieldCondition['op'];
  text: string;
  list: string[];
  number: number;
  isTrue: boolean;
  now_ms: number;
}
type ToCondition = (compared: Compared) => Condition;

const group = (is: 'all' | 'any', of: readonly Condition[]): Condition => ({ column: 'condition', is, of });
const not = (condition: Condition): Condition => ({ column: 'condition', is: 'not', of: [condition] });
const nothing = group('any', []);

type TextColumn = 'category' | 'subject' | 'customer_email' | 'customer_domain' | 'customer_name';
const isEmptyText = (column: TextColumn): Condition =>
  group(
    'any',
    column === 'customer_domain'
      ? []
      : [
          { column, is: 'null' },
          { column, is: 'equal', value: '' },
        ],
  );
const textOf =
  (column: TextColumn): ToCondition =>
  ({ op, text }) => {
    const compare = (is: 'same_text' | 'contains_text' | 'starts_with_text' | 'ends_with_text'): Condition => ({
      column,
      is,
      value: foldCase(text),
    });
    switch (op) {
      case 'is':
        return compare('same_text');
      case 'is_not':
        return not(compare('same_text'));
      case 'contains':
        return compare('contains_text');
      case 'does_not_contain':
        return not(compare('contains_text'));
      case 'starts_with':
        return compare('starts_with_text');
      case 'ends_with':
        return compare('ends_with_text');
      case 'is_empty':
        return isEmptyText(column);
      default:
        return not(isEmptyText(column));
    }
  };

type ChoiceColumn = 'status' | 'priority_rank' | 'channel' | 'language' | 'assigned_to';
const choiceOf =
  (column: ChoiceColumn, valueOf: (value: string) => string | number = (value) => value): ToCondition =>
  ({ op, list }) => {
    if (op === 'is_empty') return { column, is: 'null' };
    if (op === 'is_not_empty') return { column, is: 'not_null' };
    const values = [...new Set(list.map(valueOf))];
    const [only] = values;
    // An equality finds one member's tickets in the order of the list.
    const isAnyOf: Condition =
      column === 'assigned_to' && values.length === 1 ? { column, is: 'equal', value: String(only) } : { column, is: 'any_of', values };
    return op === 'is_none_of' ? not(isAnyOf) : isAnyOf;
  };

const tags: ToCondition = ({ op, list }) => {
  const values = list.map(foldCase);
  const hasNone = { column: 'tags', is: 'equal', value: '{}' } as const;
  if (op === 'is_empty') return hasNone;
  if (op === 'is_not_empty') return not(hasNone);
  if (op === 'contains_all_of')
    return group(
      'all',
      [...new Set(values)].map((value) => ({ column: 'tags', is: 'tagged', values: [value] })),
    );
  const hasAny = { column: 'tags', is: 'tagged', values } as const;
  return op === 'contains_none_of' ? not(hasAny) : hasAny;
};

/** The value's type in the condition decides how it is compared. A field without a value, or with one of another type, is like an empty one. */
const ofCustomField =
  (key: string, value: FieldCondition['value']): ToCondition =>
  ({ op, text, list }) => {
    const field = { column: 'custom_fields', key } as const;
    const values = list.map(foldCase);
    const same: Condition =
      typeof value === 'number' ? { ...field, is: 'number_equal', value: text } : { ...field, is: 'same_text', value: foldCase(text) };
    switch (op) {
      case 'is':
        return same;
      case 'is_not':
        return not(same);
      case 'contains':
        return { ...field, is: 'contains_text', value: foldCase(text) };
      case 'does_not_contain':
        return not({ ...field, is: 'contains_text', value: foldCase(text) });
      case 'starts_with':
        return { ...field, is: 'starts_with_text', value: foldCase(text) };
      case 'ends_with':
        return { ...field, is: 'ends_with_text', value: foldCase(text) };
      case 'is_empty':
        return { ...field, is: 'null' };
      case 'is_not_empty':
        return { ...field, is: 'not_null' };
      case 'is_any_of':
      case 'contains_any_of':
        return { ...field, is: 'includes_any_of', values };
      case 'is_none_of':
      case 'contains_none_of':
        return not({ ...field, is: 'includes_any_of', values });
      case 'contains_all_of':
        return { ...field, is: 'includes_all_of', values };
      case 'at_least':
        return { ...field, is: typeof value === 'number' ? 'number_at_least' : 'date_at_least', value: text };
      case 'at_most':
        return { ...field, is: typeof value === 'number' ? 'number_at_most' : 'date_at_most', value: text };
    }
  };

type SetColumn = 'sla_breached_at' | 'escalated_at' | 'task' | 'first_response_at' | 'snoozed_at';
const isSet =
  (column: SetColumn): ToCondition =>
  ({ isTrue }) => ({ column, is: isTrue ? 'not_null' : 'null' });

const maxInteger = 2 ** 31 - 1;
const bounded = (value: number) => String(Math.min(Math.max(value, -1), maxInteger));
const countOf =
  (column: 'reopen_count' | 'public_reply_count'): ToCondition =>
  ({ op, number }) => {
    if (op === 'at_least') return { column, is: 'at_least', value: bounded(Math.ceil(number)) };
    if (op === 'at_most') return { column, is: 'below', value: bounded(Math.floor(number) + 1) };
    return Number.isInteger(number) ? { column, is: 'equal', value: bounded(number) } : nothing;
  };

const hoursSince =
  (column: 'created_at' | 'updated_at' | 'last_comment_at'): ToCondition =>
  ({ op, number, now_ms }) => ({
    column,
    is: op === 'at_least' ? 'at_most' : 'at_least',
    value: new Date(now_ms - number * 3_600_000).toISOString(),
  });

/** The rule of each field as a condition on columns. `matches` of contracts is the same rule for a ticket in memory. */
const rules: Record<ViewField, ToCondition> = {
  status: choiceOf('status'),
  priority: choiceOf('priority_rank', (value) => priorityRank(value as TicketPriority)),
  channel: choiceOf('channel'),
  category: textOf('category'),
  subject: textOf('subject'),
  customer_email: textOf('customer_email'),
  customer_domain: textOf('customer_domain'),
  customer_name: textOf('customer_name'),
  language: choiceOf('language'),
  tags,
  assigned_to: choiceOf('assigned_to'),
  is_breached: isSet('sla_breached_at'),
  is_escalated: isSet('escalated_at'),
  has_task: isSet('task'),
  has_response: isSet('first_response_at'),
  customer_replied_last: ({ isTrue }) => ({ column: 'customer_replied_last', is: 'equal', value: String(isTrue) }),
  reopen_count: countOf('reopen_count'),
  public_reply_count: countOf('public_reply_count'),
  is_snoozed: isSet('snoozed_at'),
  hours_since_created: hoursSince('created_at'),
  hours_since_updated: hoursSince('updated_at'),
  hours_since_comment: hoursSince('last_comment_at'),
};

function conditionOf(condition: ViewCondition, now_ms: number): Condition {
  if ('all' in condition)
    return group(
      'all',
      condition.all.map((each) => conditionOf(each, now_ms)),
    );
  if ('any' in condition)
    return group(
      'any',
      condition.any.map((each) => conditionOf(each, now_ms)),
    );
  const { field, op, value } = condition;
  const list = Array.isArray(value) ? value.map((each) => (field === 'assigned_to' ? each.toLowerCase() : each)) : [];
  const compared = { op, text: String(value), list, number: Number(value), isTrue: value === true, now_ms };
  return isCustomFieldName(field) ? ofCustomField(keyOfName(field), value)(compared) : rules[field](compared);
}

/** Columns whose conditions the list can use to choose an index, or to stop early. */
const separable: readonly Condition['column'][] = ['status', 'priority_rank', 'assigned_to', 'task', 'snoozed_at', 'created_at'];
const isSeparable = (condition: Condition, taken: ReadonlySet<Condition['column']>): boolean =>
  !taken.has(condition.column) &&
  (isStoredApart(condition) ||
    separable.includes(condition.column) ||
    (condition.column === 'updated_at' && condition.is === 'at_least')) &&
  // The list has one branch per value of these.
  !((condition.column === 'status' || condition.column === 'priority_rank') && condition.is !== 'any_of');

/**
 * A condition of the contract as conditions on columns. Parts that every matching ticket must meet become conditions of their own, as if
 * they were simple filters, unless a simple filter has the same column: the list reads the index of such a column.
 */
export function toColumnConditions(condition: ViewCondition, now_ms: number, filters: readonly Condition[]): Condition[] {
  const whole = conditionOf(condition, now_ms);
  const parts = whole.is === 'all' ? whole.of : [whole];
  const taken = new Set(filters.map(({ column }) => column));
  const rest: Condition[] = [];
  const own = parts.filter((part) => {
    const isOwn = isSeparable(part, taken);
    if (isOwn) taken.add(part.column);
    else rest.push(part);
    return isOwn;
  });
  return [...own, ...(rest.length > 0 ? [group('all', rest)] : [])];
}
