import { Condition, conditionFor, fieldsIn, matches, type ConditionSubject, type RuleSubject, type ViewSubject } from './conditions';
import {
  conditionFields,
  conditionOperators,
  conditionUses,
  fieldsFor,
  type ConditionField,
  type RuleCondition,
  type ViewCondition,
} from './values/conditions';

const ada = '0192f0c1-0000-7000-8000-00000000000a';
const ticket: ConditionSubject = {
  status: 'open',
  priority: 'high',
  channel: 'email',
  category: 'Delivery',
  subject: 'Parcel arrived damaged',
  customer_email: 'ada@example.com',
  customer_name: 'Ada Lovelace',
  language: 'de',
  tags: ['VIP', 'parcel'],
  assigned_to: ada,
  sla_breached_at: null,
  escalated_at: '2026-11-20T10:00:00.000Z',
  task: null,
  first_response_at: '2026-11-20T09:30:00.000Z',
  customer_replied_last: true,
  reopen_count: 2,
  custom_fields: {},
  public_reply_count: 0,
};
const empty: ConditionSubject = { ...ticket, channel: null, category: null, tags: [], assigned_to: null, customer_name: null };
const listed: ViewSubject = {
  ...ticket,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  last_comment_at: null,
  snoozed_at: '2026-11-20T10:00:00.000Z',
  now_ms: Date.parse('2026-11-20T11:30:00.000Z'),
};
const replied: RuleSubject = {
  ...listed,
  text: 'Parcel arrived damaged\nThe box was open.\nPlease REFUND me',
  comment_text: 'Please REFUND me',
  in_business_hours: false,
  changed_fields: ['status'],
  previous_status: 'waiting_for_customer',
  previous_priority: null,
};

describe('a condition', () => {
  it.each<[Condition, boolean]>([
    [{ field: 'status', op: 'is_any_of', value: ['open', 'closed'] }, true],
    [{ field: 'status', op: 'is_none_of', value: ['open'] }, false],
    [{ field: 'category', op: 'is', value: 'delivery' }, true],
    [{ field: 'category', op: 'is_not', value: 'Billing' }, true],
    [{ field: 'subject', op: 'contains', value: 'ARRIVED' }, true],
    [{ field: 'subject', op: 'does_not_contain', value: 'arrived' }, false],
    [{ field: 'subject', op: 'starts_with', value: 'parcel' }, true],
    [{ field: 'customer_email', op: 'ends_with', value: '@Example.com' }, true],
    [{ field: 'tags', op: 'contains_any_of', value: ['vip', 'other'] }, true],
    [{ field: 'tags', op: 'contains_all_of', value: ['vip', 'other'] }, false],
    [{ field: 'tags', op: 'contains_none_of', value: ['other'] }, true],
    [{ field: 'assigned_to', op: 'is_any_of', value: [ada.toUpperCase()] }, true],
    [{ field: 'assigned_to', op: 'is_not_empty' }, true],
    [{ field: 'is_breached', op: 'is', value: false }, true],
    [{ field: 'is_escalated', op: 'is', value: true }, true],
    [{ field: 'has_task', op: 'is', value: true }, false],
    [{ field: 'reopen_count', op: 'at_least', value: 2 }, true],
    [{ field: 'reopen_count', op: 'at_most', value: 1 }, false],
    [{ field: 'public_reply_count', op: 'is', value: 0 }, true],
    [{ field: 'customer_domain', op: 'is', value: 'Example.com' }, true],
    [{ field: 'customer_domain', op: 'contains', value: 'ada' }, false],
    [{ field: 'customer_name', op: 'starts_with', value: 'ada ' }, true],
    [{ field: 'language', op: 'is_any_of', value: ['de', 'fr'] }, true],
    [{ field: 'has_response', op: 'is', value: true }, true],
    [{ field: 'customer_replied_last', op: 'is', value: false }, false],
  ])('%j is %s for the ticket', (condition, expected) => {
    expect(Condition.parse(condition)).toEqual(condition);
    expect(matches(condition, ticket)).toBe(expected);
  });

  it.each<[Condition, boolean]>([
    [{ field: 'category', op: 'is_empty' }, true],
    [{ field: 'tags', op: 'is_empty' }, true],
    [{ field: 'channel', op: 'is_not_empty' }, false],
    [{ field: 'category', op: 'is', value: 'null' }, false],
    [{ field: 'category', op: 'contains', value: 'null' }, false],
    [{ field: 'category', op: 'is_not', value: 'Delivery' }, true],
    [{ field: 'assigned_to', op: 'is_none_of', value: [ada] }, true],
    [{ field: 'tags', op: 'contains_none_of', value: ['vip'] }, true],
    [{ field: 'customer_name', op: 'does_not_contain', value: 'ada' }, true],
  ])('%j is %s for empty fields', (condition, expected) => {
    expect(matches(Condition.parse(condition), empty)).toBe(expected);
  });

  it.each<[ViewCondition, boolean]>([
    [{ field: 'hours_since_created', op: 'at_least', value: 2.5 }, true],
    [{ field: 'hours_since_created', op: 'at_most', value: 2.4 }, false],
    [{ field: 'hours_since_updated', op: 'at_most', value: 2 }, true],
    [{ field: 'hours_since_comment', op: 'at_least', value: 0 }, false],
    [{ field: 'hours_since_comment', op: 'at_most', value: 0 }, false],
    [{ field: 'is_snoozed', op: 'is', value: true }, true],
  ])('of a view, %j, is %s for the ticket at that time', (condition, expected) => {
    expect(conditionFor('view').parse(condition)).toEqual(condition);
    expect(matches(condition, listed)).toBe(expected);
  });

  it.each<[RuleCondition, boolean]>([
    [{ field: 'text', op: 'contains', value: 'refund' }, true],
    [{ field: 'comment_text', op: 'contains', value: 'parcel' }, false],
    [{ field: 'in_business_hours', op: 'is', value: false }, true],
    [{ field: 'changed_fields', op: 'contains_any_of', value: ['status', 'priority'] }, true],
    [{ field: 'changed_fields', op: 'contains_all_of', value: ['status', 'priority'] }, false],
    [{ field: 'previous_status', op: 'is_any_of', value: ['waiting_for_customer'] }, true],
    [{ field: 'previous_priority', op: 'is_empty' }, true],
  ])('of a rule, %j, is %s for the cause', (condition, expected) => {
    expect(conditionFor('rule').parse(condition)).toEqual(condition);
    expect(matches(condition, replied)).toBe(expected);
  });

  it('names the fields that it reads, each once', () => {
    const leaf: Condition = { field: 'subject', op: 'is_not_empty' };
    expect(fieldsIn({ all: [leaf, { any: [leaf, { field: 'has_task', op: 'is', value: true }] }] })).toEqual(['subject', 'has_task']);
  });

  it('combines conditions with all and any', () => {
    const open: Condition = { field: 'status', op: 'is_any_of', value: ['open'] };
    const closed: Condition = { field: 'status', op: 'is_any_of', value: ['closed'] };
    expect(matches({ all: [open, { any: [closed, open] }] }, ticket)).toBe(true);
    expect(matches({ all: [open, closed] }, ticket)).toBe(false);
    expect(matches({ any: [closed] }, ticket)).toBe(false);
    expect([matches({ all: [] }, ticket), matches({ any: [] }, ticket)]).toEqual([true, false]);
  });
});

describe('the schema', () => {
  const problemOf = (value: unknown) => {
    const { error } = Condition.safeParse(value);
    return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };
  const leaf = { field: 'status', op: 'is_any_of', value: ['open'] };

  it('accepts every operator of every field and no other', () => {
    const samples: Record<string, unknown> = { choice: [], text: 'x', set: ['x'], member: [ada], yes_no: true, number: 1, hours: 1 };
    for (const [field, definition] of Object.entries(conditionFields)) {
      const sample = 'values' in definition ? [definition.values[0]] : samples[definition.type];
      for (const op of Object.values(conditionOperators).flat()) {
        const value = op === 'is_empty' || op === 'is_not_empty' ? {} : { value: sample };
        const suits = (conditionOperators[definition.type] as readonly string[]).includes(op);
        expect([field, op, conditionFor('rule').safeParse({ field, op, ...value }).success]).toEqual([field, op, suits]);
      }
    }
  });

  it.each(conditionUses)('of a %s accepts exactly its own fields', (use) => {
    const accepted = (Object.keys(conditionFields) as ConditionField[]).filter((field) => {
      const { error } = conditionFor(use).safeParse({ field, op: 'none' });
      return error?.issues[0]?.path[0] === 'op';
    });
    expect(accepted).toEqual(fieldsFor(use));
    expect([fieldsFor('webhook').includes('text' as never), fieldsFor('rule').length]).toEqual([
      false,
      Object.keys(conditionFields).length,
    ]);
  });

  it.each([-1, 87_601, '5', undefined])('rejects %j as a number of hours', (value) => {
    expect(conditionFor('view').safeParse({ field: 'hours_since_created', op: 'at_least', value }).success).toBe(false);
  });

  it.each(['a\u0000b', '\ud83d'])('rejects text that cannot be stored: %j', (value) => {
    expect(Condition.safeParse({ field: 'subject', op: 'is', value }).success).toBe(false);
    expect(Condition.safeParse({ field: 'tags', op: 'contains_any_of', value: [value] }).success).toBe(false);
  });

  it.each<[unknown, string]>([
    [{ all: [leaf, { field: 'colour', op: 'is', value: 'red' }] }, 'all.1.field: Must be one of: status, priority'],
    [{ any: [{ all: [{ ...leaf, op: 'contains' }] }] }, 'any.0.all.0.op: Status can be compared with: is_any_of, is_none_of'],
    [{ ...leaf, value: ['opened'] }, 'value: Status has no value "opened": use open, in_progress'],
    [{ ...leaf, value: [] }, 'value: Send a list with at least one value'],
    [{ field: 'subject', op: 'contains' }, 'value: Send text'],
    [{ field: 'subject', op: 'is_empty', value: 'x' }, 'value: is_empty takes no value'],
    [{ field: 'reopen_count', op: 'is', value: '2' }, 'value: Send a number'],
    [{ field: 'has_task', op: 'is', value: 'true' }, 'value: Send true or false'],
    [{ field: 'assigned_to', op: 'is_any_of', value: ['ada'] }, 'value: Send the ids of members'],
    [{ all: [{ any: [{ all: [{ any: [leaf] }] }] }] }, 'all.0.any.0.all.0: At most 3 levels'],
    [{ all: [{ any: [{ all: [{ field: 'colour', op: 'is' }] }] }] }, 'all.0.any.0.all.0.field: Must be one of: status, priority'],
    [{ all: [{ any: [{ all: [{}] }] }] }, 'all.0.any.0.all.0.field: '],
    [{ all: Array(51).fill({ any: [] }) }, ': At most 50 conditions'],
    [{ all: [{ any: Array(30).fill(leaf) }, { any: Array(30).fill(leaf) }] }, ': At most 50 conditions'],
  ])('rejects %j with %s', (value, expected) => {
    expect(problemOf(value)?.[0]).toContain(expected);
  });

  it('rejects a body that is nested 5,000 times without exhausting the stack', () => {
    const deep = JSON.parse(`${'{"all":['.repeat(5_000)}${']}'.repeat(5_000)}`) as unknown;
    expect(Condition.safeParse(deep).success).toBe(false);
  });

  it.each([null, 'open', 5, [], { all: 5 }, { all: [], any: [] }, { ...leaf, extra: 1 }])('rejects %j', (value) => {
    expect(Condition.safeParse(value).success).toBe(false);
  });
});
