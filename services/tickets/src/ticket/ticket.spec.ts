import type { Ticket } from '@tandem/contracts';
import {
  specificEvents,
  fieldChanges,
  containsPattern,
  computeChange,
  monotonicNow,
  resolvedAt,
  statusAfterCustomerComment,
  mergeTags,
  ticketNumber,
  watcherChanges,
  mergeWatchers,
} from './ticket';

const now = '2026-05-01T10:00:00.000Z';
const earlier = '2026-04-30T10:00:00.000Z';
const ticket = {
  status: 'open',
  priority: 'medium',
  assigned_to: null,
  subject: 'Printer',
  description: 'It burns',
  category: null,
  tags: ['a', 'b'],
  customer_name: null,
  customer_email: 'c@example.com',
  resolved_at: null,
  task_finished_at: null,
} satisfies Partial<Ticket>;

describe('resolvedAt', () => {
  it('is the current time on resolved, also when it was resolved before', () => {
    expect(resolvedAt('resolved', null, now)).toBe(now);
    expect(resolvedAt('resolved', earlier, now)).toBe(now);
  });
  it.each(['open', 'in_progress'] as const)('is cleared on %s', (status) => expect(resolvedAt(status, earlier, now)).toBeNull());
  it.each(['waiting_for_customer', 'closed'] as const)('is left untouched on %s', (status) => {
    expect(resolvedAt(status, earlier, now)).toBe(earlier);
    expect(resolvedAt(status, null, now)).toBeNull();
  });
});

describe('ticketNumber', () => {
  it.each([
    [1, 'ORG-0001'],
    [9999, 'ORG-9999'],
    [10000, 'ORG-10000'],
    [1234567, 'ORG-1234567'],
  ])('writes %i with at least four digits and never cuts', (counter, number) => expect(ticketNumber('ORG', counter)).toBe(number));
});

describe('computeChange', () => {
  it('is nothing when each value is there already, also a list with the same members', () => {
    expect(computeChange(ticket, { status: 'open', tags: ['a', 'b'], description: 'It burns', assigned_to: null }, now)).toBeUndefined();
  });
  it('holds changed fields only', () =>
    expect(computeChange(ticket, { priority: 'high', subject: 'Printer' }, now)).toEqual({ priority: 'high' }));
  it('distinguishes clearing a field from leaving it out', () => {
    expect(computeChange(ticket, { description: null }, now)).toEqual({ description: null });
    expect(computeChange(ticket, { description: undefined }, now)).toBeUndefined();
  });
  it('sees the order of tags', () => expect(computeChange(ticket, { tags: ['b', 'a'] }, now)).toEqual({ tags: ['b', 'a'] }));
  it('moves resolved_at with the status', () => {
    expect(computeChange(ticket, { status: 'resolved' }, now)).toEqual({ status: 'resolved', resolved_at: now });
    expect(computeChange({ ...ticket, status: 'closed', resolved_at: earlier }, { status: 'open' }, now)).toEqual({
      status: 'open',
      resolved_at: null,
    });
    expect(computeChange({ ...ticket, status: 'resolved', resolved_at: earlier }, { status: 'closed' }, now)).toEqual({
      status: 'closed',
      resolved_at: earlier,
    });
  });
});

describe('a finished task', () => {
  const finished = { ...ticket, task_finished_at: earlier };
  it.each(['resolved', 'closed'] as const)('waits for no answer once its ticket is %s', (status) =>
    expect(computeChange(finished, { status }, now)).toMatchObject({ status, task_finished_at: null }),
  );
  it('stays finished whatever else changes', () => {
    expect(computeChange(finished, { status: 'waiting_for_customer' }, now)).not.toHaveProperty('task_finished_at');
    expect(computeChange(finished, { priority: 'high' }, now)).toEqual({ priority: 'high' });
  });
});

describe('fieldChanges', () => {
  it('names each changed field with both values, and the description without', () => {
    const after = { ...ticket, status: 'closed' as const, description: 'Something else', tags: [] };
    expect(fieldChanges(ticket, after)).toEqual({
      status: { from: 'open', to: 'closed' },
      description: { from: null, to: null },
      tags: { from: ['a', 'b'], to: [] },
    });
  });
  it('is empty between equals', () => expect(fieldChanges(ticket, { ...ticket, tags: ['a', 'b'] })).toEqual({}));
});

describe('specificEvents', () => {
  const somebody = '00000000-0000-7000-8000-000000000001';
  it.each([
    ['open', 'resolved', ['resolved']],
    ['open', 'closed', ['closed']],
    ['resolved', 'closed', ['closed']],
    ['closed', 'resolved', ['resolved']],
    ['resolved', 'open', ['reopened']],
    ['closed', 'in_progress', ['reopened']],
    ['closed', 'waiting_for_customer', ['reopened']],
    ['open', 'in_progress', []],
    ['waiting_for_customer', 'open', []],
  ] as const)('from %s to %s: %j', (before, after, expected) =>
    expect(specificEvents({ status: before, assigned_to: null }, { status: after, assigned_to: null })).toEqual(expected),
  );
  it('announces an assignment to somebody, not the loss of one', () => {
    expect(specificEvents({ status: 'open', assigned_to: null }, { status: 'open', assigned_to: somebody })).toEqual(['assigned']);
    expect(specificEvents({ status: 'open', assigned_to: somebody }, { status: 'open', assigned_to: null })).toEqual([]);
  });
  it('announces both when both happen at once', () => {
    expect(specificEvents({ status: 'closed', assigned_to: null }, { status: 'open', assigned_to: somebody })).toEqual([
      'assigned',
      'reopened',
    ]);
  });
});

describe('statusAfterCustomerComment', () => {
  it('takes a waiting ticket back to open and leaves all others', () => {
    expect(statusAfterCustomerComment('waiting_for_customer')).toBe('open');
    expect(statusAfterCustomerComment('open')).toBe('open');
    expect(statusAfterCustomerComment('in_progress')).toBe('in_progress');
  });
});

describe('containsPattern', () => {
  it('escapes what LIKE would read as a wildcard', () => expect(containsPattern('100%_\\')).toBe('%100\\%\\_\\\\%'));
});

describe('the moment of a change', () => {
  it('is now, or just after the last change where the clock is behind', () => {
    expect(monotonicNow('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z')).toBe('2026-01-01T00:00:00.001Z');
    for (const now of ['2026-01-01T00:00:00.999Z', '2025-12-31T23:50:00.000Z'])
      expect(monotonicNow('2026-01-01T00:00:00.999Z', now)).toBe('2026-01-01T00:00:01.000Z');
  });
});

describe('uniting', () => {
  it('keeps those who were there first, names nobody twice and stops where it is full', () => {
    expect(mergeWatchers(['a', 'b'], ['b', 'c', 'c'])).toEqual(['a', 'b', 'c']);
    expect(mergeTags(['x'], ['y', 'x'])).toEqual(['x', 'y']);
    const many = Array.from({ length: 60 }, (_, i) => `${i}`);
    expect([mergeWatchers(['a'], many).length, mergeTags(['a'], many).length]).toEqual([50, 20]);
    expect(mergeWatchers(['a'], many)[0]).toBe('a');
  });
  it('is a change only when somebody came or went', () => {
    expect(watcherChanges({ watchers: ['a'] }, { watchers: ['a'] })).toEqual({});
    expect(watcherChanges({ watchers: ['a'] }, { watchers: [] })).toEqual({ watchers: { from: ['a'], to: [] } });
  });
});
