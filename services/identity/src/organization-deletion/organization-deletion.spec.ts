import { dueStep, isSameName } from './organization-deletion';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();

describe('the deletion of an organization', () => {
  it.each([
    ['is not requested', null, null, null],
    ['was requested just now', inDays(14), null, null],
    ['is due in a little more than three days', inDays(3.001), null, null],
    ['is due in three days', inDays(3), null, 'remind'],
    ['is due in three days, and the admins were reminded', inDays(3), inDays(0), null],
    ['is due in a moment', inDays(0.0001), inDays(-3), null],
    ['is due', inDays(0), inDays(-3), 'delete'],
    ['has been due for days', inDays(-5), inDays(-8), 'delete'],
    ['is due, and the admins were not reminded', inDays(0), null, 'postpone'],
  ])('that %s', (_what, deletion_at, deletion_reminded_at, step) => {
    expect(dueStep({ deletion_at, deletion_reminded_at }, now)).toBe(step);
  });
});

it.each([
  ['Acme', 'Acme', true],
  [' Acme ', 'Acme', true],
  ['Cafe\u0301', 'Caf\u00e9', true],
  ['acme', 'Acme', false],
  ['Acme Inc', 'Acme', false],
])('compares the typed name %j with %j', (typed, name, same) => expect(isSameName(typed, name)).toBe(same));
