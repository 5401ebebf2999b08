import type { CustomFieldType, FieldCondition, FieldFor, ViewCondition } from '@tandem/contracts/values';
import { changedRow, conditionFrom, draftFrom, newCustomFieldRow, newRow, rowError, type ConditionRow } from './condition-form';
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

  it.each<FieldCondition<FieldFor<'view'>>>([
    { field: 'custom_fields.order_number', op: 'contains', value: 'A1' },
    { field: 'custom_fields.seats', op: 'at_least', value: -2.5 },
    { field: 'custom_fields.due_date', op: 'at_most', value: '2026-03-31' },
    { field: 'custom_fields.is_gift', op: 'is', value: false },
    { field: 'custom_fields.product', op: 'is_any_of', value: ['pro', 'removed'] },
    { field: 'custom_fields.product', op: 'is', value: 'pro' },
    { field: 'custom_fields.purged', op: 'is_empty' },
  ])('keeps %j without the definition of the field', (condition) => {
    const draft = draftFrom({ any: [condition, open] })!;
    expect(conditionFrom(draft, 'view')).toEqual({ any: [condition, open] });
    expect(draft.rows.map(rowError)).toEqual([undefined, undefined]);
  });

  it('gives a changed row the type of its field, and a comparison of that type', () => {
    const change = (condition: FieldCondition, type: CustomFieldType, part: Partial<ConditionRow> = {}) => {
      const rows = [changedRow({ ...draftFrom(condition)!.rows[0]!, ...part }, { type })];
      return conditionFrom({ match: 'all', rows }, 'view');
    };
    expect(change({ field: 'custom_fields.seats', op: 'is_empty' }, 'number', { op: 'at_least', text: '1,500' })).toEqual({
      all: [{ field: 'custom_fields.seats', op: 'at_least', value: 1500 }],
    });
    expect(change({ field: 'custom_fields.is_gift', op: 'is_empty' }, 'yes_no', { op: 'is' })).toEqual({
      all: [{ field: 'custom_fields.is_gift', op: 'is', value: true }],
    });
    expect(change({ field: 'custom_fields.product', op: 'is', value: 'pro' }, 'choice')).toEqual({
      all: [{ field: 'custom_fields.product', op: 'is_any_of', value: ['pro'] }],
    });
  });

  it.each<[CustomFieldType, Partial<ConditionRow>, string | undefined]>([
    ['number', { text: 'many' }, 'Enter a number'],
    ['number', { text: '' }, 'Enter a number'],
    ['number', { text: '1e99' }, 'Enter a number'],
    ['number', { text: '-0.5' }, undefined],
    ['date', { text: '2026-02-30' }, 'Enter a date'],
    ['date', { text: '2026-02-28' }, undefined],
    ['long_text', { text: ' ' }, 'Enter a value'],
    ['choice', { values: [] }, 'Choose at least one value'],
    ['choices', { values: Array.from({ length: 51 }, String) }, 'Choose at most 50 values'],
    ['choices', { op: 'is_empty', values: [] }, undefined],
  ])('of a custom field of the type %s with %j has the error: %s', (type, part, error) => {
    expect(rowError({ ...newCustomFieldRow({ key: 'field', type }), ...part })).toBe(error);
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
    [{ field: 'custom_fields.product', op: 'contains_any_of', value: ['x'] }, true],
    [{ field: 'custom_fields.product', op: 'was', value: 'x' }, false],
    [{ field: 'custom_fields.Not a key', op: 'is', value: 'x' }, false],
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
