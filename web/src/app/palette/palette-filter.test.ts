import { paletteScore } from './palette-filter';

const sorted = (values: string[], typed: string) =>
  values.filter((value) => paletteScore(value, typed) > 0).sort((one, other) => paletteScore(other, typed) - paletteScore(one, typed));

it('sorts matching commands before tickets, and places and the full search after them', () => {
  const values = ['search urgent', 'settings: SLA and hours urgent', 'customer a@b.c', 'ticket 1', 'priority: Urgent', 'status: Open'];
  expect(sorted(values, 'urg')).toEqual([
    'priority: Urgent',
    'ticket 1',
    'customer a@b.c',
    'settings: SLA and hours urgent',
    'search urgent',
  ]);
});

it('matches the beginnings of words in any order, not letters within words', () => {
  expect(paletteScore('this ticket: Set priority…', 'pri set')).toBe(1);
  expect(paletteScore('this ticket: Set priority…', 'riority')).toBe(0);
});
