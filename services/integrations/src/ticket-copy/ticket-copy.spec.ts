import type { Comment, TaskRules } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { commentOf, ticketOf } from '@tandem/testing';
import { commentForTask, copyOf, isForTask, isLater, isUnresolved, matches, hasSyncedChange } from './ticket-copy';

const rules = (overrides: Partial<TaskRules> = {}): TaskRules => ({
  create: 'matching',
  categories: [],
  tags: [],
  priorities: [],
  ...overrides,
});
const copy = { category: 'Billing', tags: ['refund', 'vip'], priority: 'high' as const };

describe('the rules of an integration', () => {
  it.each([
    ['all tickets', rules({ create: 'all', categories: ['Other'] }), true],
    ['no ticket', rules({ create: 'none' }), false],
    ['without rules', rules(), true],
    ['one of the categories', rules({ categories: ['Other', 'Billing'] }), true],
    ['another category', rules({ categories: ['Other'] }), false],
    ['one of the tags', rules({ tags: ['none', 'vip'] }), true],
    ['another tag', rules({ tags: ['none'] }), false],
    ['one of the priorities', rules({ priorities: ['urgent', 'high'] }), true],
    ['another priority', rules({ priorities: ['low'] }), false],
    ['a category and a tag that it has', rules({ categories: ['Billing'], tags: ['vip'] }), true],
    ['a category that it has and a tag that it lacks', rules({ categories: ['Billing'], tags: ['none'] }), false],
  ])('match: %s', (_case, rule, isTaken) => expect(matches(rule, copy)).toBe(isTaken));

  it('with categories do not match a ticket without one', () =>
    expect(matches(rules({ categories: ['Billing'] }), { ...copy, category: null })).toBe(false));
});

describe('a copy', () => {
  const ticket = ticketOf(newId());
  it('is replaced by a later event only', () => {
    expect(isLater(undefined, 1)).toBe(true);
    expect(isLater({ sequence: 1 }, 2)).toBe(true);
    expect(isLater({ sequence: 2 }, 2)).toBe(false);
    expect(isLater({ sequence: 3 }, 2)).toBe(false);
  });

  it('makes its link due only if a synced field changed', () => {
    const before = copyOf(ticket, 1);
    expect(hasSyncedChange(undefined, before)).toBe(true);
    expect(hasSyncedChange(before, copyOf({ ...ticket, category: 'Other', updated_at: '2027-01-01T00:00:00.000Z' }, 2))).toBe(false);
    for (const change of [
      { subject: 'x' },
      { status: 'closed' as const },
      { tags: ['x'] },
      { resolution_due_at: '2027-01-01T00:00:00.000Z' },
    ])
      expect(hasSyncedChange(before, copyOf({ ...ticket, ...change }, 2))).toBe(true);
  });

  it('identifies the assignee by the email address', () => {
    const assignee = { user_id: newId(), first_name: 'Ada', last_name: null, email: 'ada@acme.test' };
    expect(copyOf({ ...ticket, assigned_to: assignee.user_id, assignee }, 1).assignee_email).toBe('ada@acme.test');
  });

  it('of a resolved or closed ticket gets no task', () => {
    expect(
      ['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'].map((status) => isUnresolved({ status: status as 'open' })),
    ).toEqual([true, true, true, false, false]);
  });
});

describe('a comment', () => {
  const ticket = { customer_name: 'Carla', customer_email: 'carla@example.com' };
  const comment = (overrides: Partial<Comment>): Comment =>
    commentOf(newId(), { content: 'It burns again.', author: { first_name: 'Ada', last_name: 'Agent' }, ...overrides });

  it('names its author: staff by name, a customer as such', () => {
    expect(commentForTask(comment({}), ticket)).toBe('Ada Agent: It burns again.');
    expect(commentForTask(comment({ author: null }), ticket)).toBe('Support: It burns again.');
    const theirs = { is_from_customer: true, author: null, customer_email: 'Carla@example.com' };
    expect(commentForTask(comment(theirs), ticket)).toBe('Carla (customer): It burns again.');
    expect(commentForTask(comment({ ...theirs, customer_email: 'dan@example.com' }), ticket)).toBe(
      'dan@example.com (customer): It burns again.',
    );
    expect(commentForTask(comment(theirs), { ...ticket, customer_name: null })).toBe('carla@example.com (customer): It burns again.');
  });

  it('that is internal, or came from the task tool, is not sent to the task', () => {
    expect(isForTask(comment({}))).toBe(true);
    expect(isForTask(comment({ is_internal: true }))).toBe(false);
    expect(isForTask(comment({ tool_author: { name: 'Grace', tool_name: 'ClickUp' } }))).toBe(false);
  });
});
