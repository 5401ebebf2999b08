import { changesOf } from './changes';

it('contains the changed values, by key', () => {
  const before = { rules: { create: 'all', tags: ['a'] }, field_mappings: {}, status_mappings: { open: 'To Do' }, is_active: true };
  const after = {
    rules: { create: 'all', tags: ['a', 'b'] },
    field_mappings: { title: { direction: 'off' } },
    status_mappings: { open: null },
    is_active: true,
  };
  expect(changesOf(before, after)).toEqual({
    'rules.tags': { from: ['a'], to: ['a', 'b'] },
    'field_mappings.title.direction': { from: null, to: 'off' },
    'status_mappings.open': { from: 'To Do', to: null },
  });
});

it('is empty without changes, in any order of keys', () => {
  expect(changesOf({ a: { x: 1, y: [1] }, b: undefined }, { b: null, a: { y: [1], x: 1 } })).toEqual({});
});

it('shortens long texts', () => {
  expect(changesOf({ finished_reply: null }, { finished_reply: 'x'.repeat(5_000) })).toEqual({
    finished_reply: { from: null, to: `${'x'.repeat(200)}…` },
  });
  expect(changesOf({ finished_reply: null }, { finished_reply: `x${'😀'.repeat(200)}` })).toEqual({
    finished_reply: { from: null, to: `x${'😀'.repeat(99)}…` },
  });
});
