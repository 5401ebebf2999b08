import { ParsedDays } from './parsed-days';

const [figures, breakdown] = ['{"total":1}', '{"hours":[]}'];

it('returns a day as it was parsed, with its breakdown only if that has been read', () => {
  const days = new ParsedDays(1_000);
  expect(days.get('a', false)).toBeUndefined();
  const parsed = days.parse('a', figures, null);
  expect([days.get('a', false), days.get('a', true)]).toEqual([parsed, undefined]);
  const whole = days.parse('a', figures, breakdown);
  expect([days.get('a', false), days.get('a', true)]).toEqual([whole, whole]);
  expect(whole).toMatchObject({ figures: { total: 1 }, breakdown: { hours: [] } });
});

it('drops the least recently used days when the limit is reached, and even a day that exceeds it alone', () => {
  const days = new ParsedDays(figures.length * 2);
  days.parse('a', figures, null);
  days.parse('b', figures, null);
  days.get('a', false);
  days.parse('c', figures, null);
  expect(['a', 'b', 'c'].filter((revision) => days.get(revision, false))).toEqual(['a', 'c']);
  expect(days.parse('d', figures, breakdown.padEnd(100))).toMatchObject({ figures: { total: 1 } });
  expect(['a', 'c', 'd'].filter((revision) => days.get(revision, false))).toEqual([]);
});
