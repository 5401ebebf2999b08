import { conditionFields, conditionOperators, type ConditionField, type RuleCondition } from '@tandem/contracts/values';
import { aCustomField } from '../../testing/backend';
import { conditionSentence } from './condition-sentence';

const ada = '0192f0c1-0000-7000-8000-00000000000a';
const options = ['Basic', 'Pro'].map((label) => ({ value: label.toLowerCase(), label }));
const fields = [
  aCustomField({ key: 'product', label: 'Product', type: 'choice', options }),
  aCustomField({ key: 'add_ons', label: 'Add-ons', type: 'choices', options }),
  aCustomField({ key: 'order_number', label: 'Order number' }),
  aCustomField({ key: 'notes', label: 'Notes', type: 'long_text' }),
  aCustomField({ key: 'seats', label: 'Seats', type: 'number' }),
  aCustomField({ key: 'due_date', label: 'Due date', type: 'date' }),
  aCustomField({ key: 'is_gift', label: 'Gift', type: 'yes_no', deleted_at: '2026-11-20T10:05:00.000Z' }),
];
const sentence = (condition: RuleCondition) =>
  conditionSentence(condition, { member: (id) => (id === ada ? 'Ada Lovelace' : 'Former member'), fields });

describe('a condition as a sentence', () => {
  it.each<[RuleCondition, string]>([
    [{ field: 'category', op: 'is', value: 'Billing' }, 'category is Billing'],
    [{ field: 'subject', op: 'contains', value: 'refund' }, 'subject contains “refund”'],
    [{ field: 'customer_domain', op: 'is_not', value: 'example.com' }, 'the customer’s email domain is not example.com'],
    [{ field: 'status', op: 'is_any_of', value: ['open', 'waiting_for_customer'] }, 'status is Open or Waiting for Customer'],
    [{ field: 'priority', op: 'is_none_of', value: ['low'] }, 'priority is not Low'],
    [{ field: 'assigned_to', op: 'is_any_of', value: [ada] }, 'assignee is Ada Lovelace'],
    [{ field: 'assigned_to', op: 'is_empty' }, 'it is unassigned'],
    [{ field: 'tags', op: 'contains_all_of', value: ['vip', 'refund'] }, 'tags include vip and refund'],
    [{ field: 'tags', op: 'contains_none_of', value: ['vip', 'refund'] }, 'tags do not include vip or refund'],
    [{ field: 'has_task', op: 'is', value: false }, 'it has no task'],
    [{ field: 'reopen_count', op: 'at_least', value: 2 }, 'it was reopened at least 2 times'],
    [{ field: 'public_reply_count', op: 'is', value: 0 }, 'it has no public replies'],
    [{ field: 'hours_since_created', op: 'at_least', value: 1 }, 'it was created at least 1 hour ago'],
    [{ field: 'changed_fields', op: 'contains_any_of', value: ['status', 'priority'] }, 'status or priority changed'],
    [{ field: 'in_business_hours', op: 'is', value: false }, 'it is outside business hours'],
  ])('%j reads "%s"', (condition, expected) => {
    expect(sentence(condition)).toBe(expected);
  });

  it.each<[RuleCondition, string]>([
    [{ field: 'custom_fields.product', op: 'is_any_of', value: ['pro', 'basic'] }, 'Product is Pro or Basic'],
    [{ field: 'custom_fields.product', op: 'is_none_of', value: ['legacy'] }, 'Product is not legacy'],
    [{ field: 'custom_fields.add_ons', op: 'contains_all_of', value: ['pro', 'basic'] }, 'Add-ons contains Pro and Basic'],
    [{ field: 'custom_fields.add_ons', op: 'contains_none_of', value: ['pro', 'basic'] }, 'Add-ons does not contain Pro or Basic'],
    [{ field: 'custom_fields.order_number', op: 'is_empty' }, 'Order number is empty'],
    [{ field: 'custom_fields.order_number', op: 'starts_with', value: 'A1' }, 'Order number starts with “A1”'],
    [{ field: 'custom_fields.seats', op: 'at_least', value: 1500 }, 'Seats is at least 1,500'],
    [{ field: 'custom_fields.due_date', op: 'at_most', value: '2026-03-31' }, 'Due date is on or before Mar 31, 2026'],
    [{ field: 'custom_fields.due_date', op: 'is', value: '2026-03-31' }, 'Due date is Mar 31, 2026'],
    [{ field: 'custom_fields.is_gift', op: 'is', value: true }, 'Gift is Yes'],
    [{ field: 'custom_fields.purged', op: 'is_any_of', value: ['pro'] }, 'purged is pro'],
  ])('on a custom field, %j, reads "%s"', (condition, expected) => {
    expect(sentence(condition)).toBe(expected);
  });

  it('joins comparisons of the same custom text, and no others', () => {
    const has = (field: 'notes' | 'product', value: string): RuleCondition => ({ field: `custom_fields.${field}`, op: 'contains', value });
    expect(sentence({ any: [has('notes', 'gift'), has('notes', 'card')] })).toBe('Notes contains “gift” or “card”');
    expect(sentence({ any: [has('notes', 'gift'), has('product', 'gift')] })).toBe('Notes contains “gift” or Product contains gift');
  });

  it('puts groups inside groups in parentheses', () => {
    const urgent: RuleCondition = { field: 'priority', op: 'is_any_of', value: ['urgent'] };
    const billing: RuleCondition = { field: 'category', op: 'is', value: 'Billing' };
    const snoozed: RuleCondition = { field: 'is_snoozed', op: 'is', value: false };
    expect(sentence({ all: [billing, { any: [urgent, snoozed] }] })).toBe(
      'category is Billing and (priority is Urgent or it is not snoozed)',
    );
    expect(sentence({ any: [{ all: [urgent] }, billing] })).toBe('priority is Urgent or category is Billing');
    expect([sentence({ all: [] }), sentence({ any: [] })]).toEqual(['it is any ticket', 'it is no ticket']);
  });

  it('joins comparisons of the same text', () => {
    const contains = (value: string): RuleCondition => ({ field: 'text', op: 'contains', value });
    const lacks = (value: string): RuleCondition => ({ field: 'subject', op: 'does_not_contain', value });
    const urgent: RuleCondition = { field: 'priority', op: 'is_any_of', value: ['urgent'] };
    expect(sentence({ any: [contains('refund'), contains('money back')] })).toBe(
      'the subject or message contains “refund” or “money back”',
    );
    expect(sentence({ all: [lacks('spam'), lacks('test'), urgent] })).toBe(
      'subject does not contain “spam” or “test” and priority is Urgent',
    );
    expect(sentence({ all: [contains('a'), contains('b')] })).toBe(
      'the subject or message contains “a” and the subject or message contains “b”',
    );
  });

  it('has words for every operator of every field', () => {
    const values = { text: 'x', set: ['x'], member: [ada], yes_no: true, number: 2, hours: 2 };
    for (const [field, definition] of Object.entries(conditionFields) as [ConditionField, (typeof conditionFields)[ConditionField]][])
      for (const op of conditionOperators[definition.type]) {
        const value = 'values' in definition ? [definition.values[0]] : values[definition.type];
        expect(sentence({ field, op, ...(op.endsWith('empty') ? {} : { value }) })).toMatch(/\S+ \S+/);
      }
  });
});
