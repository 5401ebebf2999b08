import type { ViewCondition } from '@tandem/contracts/values';
import { conditionFrom, draftFrom, newRow, rowError } from './condition-form';
import { conditionFromText, conditionText, isCondition } from './condition-text';

const open: ViewCondition = { field: 'status', op: 'is_any_of', value: ['open'] };

describe('the form of a condition', () => {
  it.each<ViewCondition>([
    { all: [open, { field: 'subject', op: 'contains', value: 'refund' }] },
    {
      any: [
        { field: 'has_task', op: 'is', value: false },
        { field: 'reopen_count', op: 'at_most', value: 2 },
      ],
    },
    {
      all: [
        { field: 'hours_since_created', op: 'at_least', value: 1.5 },
        { field: 'tags', op: 'is_empty' },
      ],
    },
  ])('keeps %j', (condition) => {
    expect(conditionFrom(draftFrom(condition)!, 'view')).toEqual(condition);
  });

  it('does not show groups inside groups', () => {
    expect(draftFrom({ all: [{ any: [open] }] })).toBeNull();
    expect(draftFrom(open)).toMatchObject({ match: 'all', rows: [{ field: 'status' }] });
  });

  it.each([
    ['', true],
    ['24', false],
    ['0.25', false],
    ['87601', true],
    ['-1', true],
  ])('of "%s" hours has an error: %s', (text, expected) => {
    expect(rowError({ ...newRow('hours_since_created'), text }) !== undefined).toBe(expected);
  });
});

describe('a condition from a URL', () => {
  it.each<[unknown, boolean]>([
    [open, true],
    [{ all: [open, { any: [open] }] }, true],
    [{ field: 'text', op: 'contains', value: 'x' }, false],
    [{ field: 'toString', op: 'is', value: 'x' }, false],
    [{ field: 'status', op: 'contains', value: 'x' }, false],
    [{ all: 'status' }, false],
    [{ all: [{ all: [{ all: [{ all: [open] }] }] }] }, false],
    [null, false],
    [[], false],
  ])('%j is valid: %s', (value, expected) => {
    expect(isCondition(value, 'view')).toBe(expected);
    expect(conditionFromText(JSON.stringify(value)) !== undefined).toBe(expected);
  });

  it('has the same text for every order of its members', () => {
    const stored = JSON.parse('{"all":[{"op":"is_any_of","field":"status","value":["open"]}]}') as ViewCondition;
    expect(conditionText(stored)).toBe(conditionText({ all: [open] }));
    expect(conditionFromText('{')).toBeUndefined();
  });
});
