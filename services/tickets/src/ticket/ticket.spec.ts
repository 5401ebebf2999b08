import { ticketOf } from '@tandem/testing';
import {
  specificEvents,
  fieldChanges,
  containsPattern,
  computeChange,
  monotonicNow,
  resolvedAt,
  statusAfterCustomerComment,
  mergeCc,
  mergeTags,
  ticketNumber,
  watcherChanges,
  mergeWatchers,
} from './ticket';

const now = '2026-05-01T10:00:00.000Z';
const earlier = '2026-04-30T10:00:00.000Z';
const ticket = ticketOf('00000000-0000-7000-8000-000000000001', { subject: 'Printer', description: 'It burns', tags: ['a', 'b'] });

it('mergeCc adds each address once, never the customer’s, up to the maximum', () => {
  const target = { cc: ['bob@example.com'], customer_email: 'carla@example.com' };
  expect(mergeCc(target, ['carla@example.com', 'bob@example.com', 'eve@example.com'])).toEqual(['bob@example.com', 'eve@example.com']);
  const many = Array.from({ length: 30 }, (_, i) => `${i}@example.com`);
  expect(mergeCc(target, ['carla@example.com', ...many])).toEqual(['bob@example.com', ...many.slice(0, 19)]);
});

describe('resolvedAt', () => {
  it('is the current time on resolved, even if it was resolved before', () => {
    expect(resolvedAt('resolved', null, now)).toBe(now);
    expect(resolvedAt('resolved', earlier, now)).toBe(now);
  });
  it.each(['open', 'in_progress'] as const)('is cleared on %s', (status) => expect(resolvedAt(status, earlier, now)).toBeNull());
  it.each(['waiting_for_customer', 'closed'] as const)('is unchanged on %s', (status) => {
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
  ])('formats %i with at least four digits, never truncated', (counter, number) => expect(ticketNumber('ORG', counter)).toBe(number));
});

describe('computeChange', () => {
  it('is undefined if no value differs, including lists with equal members', () => {
    expect(computeChange(ticket, { status: 'open', tags: ['a', 'b'], description: 'It burns', assigned_to: null }, now)).toBeUndefined();
  });
  it('contains only changed fields', () =>
    expect(computeChange(ticket, { priority: 'high', subject: 'Printer' }, now)).toEqual({ priority: 'high' }));
  it('distinguishes clearing a field from omitting it', () => {
    expect(computeChange(ticket, { description: null }, now)).toEqual({ description: null });
    expect(computeChange(ticket, { description: undefined }, now)).toBeUndefined();
  });
  it('detects a different order of tags', () => expect(computeChange(ticket, { tags: ['b', 'a'] }, now)).toEqual({ tags: ['b', 'a'] }));
  it('changes resolved_at with the status', () => {
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

describe('the reminder of a finished task', () => {
  const finished = { ...ticket, task_finished_at: earlier };
  it.each(['resolved', 'closed'] as const)('is cleared when the ticket becomes %s', (status) =>
    expect(computeChange(finished, { status }, now)).toMatchObject({ status, task_finished_at: null }),
  );
  it('is unchanged by other changes', () => {
    expect(computeChange(finished, { status: 'waiting_for_customer' }, now)).not.toHaveProperty('task_finished_at');
    expect(computeChange(finished, { priority: 'high' }, now)).toEqual({ priority: 'high' });
  });
});

describe('fieldChanges', () => {
  it('contains each changed field with both values, but not those of the description', () => {
    const after = { ...ticket, status: 'closed' as const, description: 'Something else', tags: [] };
    expect(fieldChanges(ticket, after)).toEqual({
      status: { from: 'open', to: 'closed' },
      description: { from: null, to: null },
      tags: { from: ['a', 'b'], to: [] },
    });
  });
  it('is empty for equal tickets', () => expect(fieldChanges(ticket, { ...ticket, tags: ['a', 'b'] })).toEqual({}));
});

describe('specificEvents', () => {
  const agentId = '00000000-0000-7000-8000-000000000001';
  const awake = { snoozed_at: null, snoozed_until: null };
  const snoozed = { snoozed_at: earlier, snoozed_until: now };
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
    expect(specificEvents({ status: before, assigned_to: null, ...awake }, { status: after, assigned_to: null, ...awake })).toEqual(
      expected,
    ),
  );
  it.each([
    [awake, snoozed, 'open', ['snoozed']],
    [snoozed, { ...snoozed, snoozed_until: null }, 'open', ['snoozed']],
    [snoozed, awake, 'open', ['woken']],
    [snoozed, snoozed, 'open', []],
    [snoozed, awake, 'resolved', ['resolved']],
  ] as const)('from %j to %j with status %s: %j', (before, after, status, expected) =>
    expect(specificEvents({ status: 'open', assigned_to: null, ...before }, { status, assigned_to: null, ...after })).toEqual(expected),
  );
  it('contains an assignment, but not its removal', () => {
    expect(specificEvents({ status: 'open', assigned_to: null, ...awake }, { status: 'open', assigned_to: agentId, ...awake })).toEqual([
      'assigned',
    ]);
    expect(specificEvents({ status: 'open', assigned_to: agentId, ...awake }, { status: 'open', assigned_to: null, ...awake })).toEqual([]);
  });
  it('contains both for a combined change', () => {
    expect(specificEvents({ status: 'closed', assigned_to: null, ...awake }, { status: 'open', assigned_to: agentId, ...awake })).toEqual([
      'assigned',
      'reopened',
    ]);
  });
});

describe('statusAfterCustomerComment', () => {
  it('changes a waiting ticket to open and keeps all other statuses', () => {
    expect(statusAfterCustomerComment('waiting_for_customer')).toBe('open');
    expect(statusAfterCustomerComment('open')).toBe('open');
    expect(statusAfterCustomerComment('in_progress')).toBe('in_progress');
  });
});

describe('containsPattern', () => {
  it('escapes the wildcards of LIKE', () => expect(containsPattern('100%_\\')).toBe('%100\\%\\_\\\\%'));
});

describe('monotonicNow', () => {
  it('is now, or just after the last change if the clock is behind', () => {
    expect(monotonicNow('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z')).toBe('2026-01-01T00:00:00.001Z');
    for (const now of ['2026-01-01T00:00:00.999Z', '2025-12-31T23:50:00.000Z'])
      expect(monotonicNow('2026-01-01T00:00:00.999Z', now)).toBe('2026-01-01T00:00:01.000Z');
  });
});

describe('mergeTags and mergeWatchers', () => {
  it('keep existing entries first, without duplicates, up to the maximum', () => {
    expect(mergeWatchers(['a', 'b'], ['b', 'c', 'c'])).toEqual(['a', 'b', 'c']);
    expect(mergeTags(['x'], ['y', 'x'])).toEqual(['x', 'y']);
    const many = Array.from({ length: 60 }, (_, i) => `${i}`);
    expect([mergeWatchers(['a'], many).length, mergeTags(['a'], many).length]).toEqual([50, 20]);
    expect(mergeWatchers(['a'], many)[0]).toBe('a');
  });
  it('watcherChanges is empty unless a watcher was added or removed', () => {
    expect(watcherChanges({ watchers: ['a'] }, { watchers: ['a'] })).toEqual({});
    expect(watcherChanges({ watchers: ['a'] }, { watchers: [] })).toEqual({ watchers: { from: ['a'], to: [] } });
  });
});
