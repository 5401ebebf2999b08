import { DayCache } from './day-cache';
import { SizedCache } from './sized-cache';

const [figures, breakdown] = ['{"total":1}', '{"hours":[]}'];

it('returns a day as it was parsed, with its breakdown only if that has been read', () => {
  const days = new DayCache(1_000, 0);
  expect(days.parsed('a', false)).toBeUndefined();
  const parsed = days.parse('a', figures, null);
  expect([days.parsed('a', false), days.parsed('a', true)]).toEqual([parsed, undefined]);
  const whole = days.parse('a', figures, breakdown);
  expect([days.parsed('a', false), days.parsed('a', true)]).toEqual([whole, whole]);
  expect(whole).toMatchObject({ figures: { total: 1 }, breakdown: { hours: [] } });
});

it('knows which days are not packed, and which are damaged', () => {
  const days = new DayCache(0, 1_000);
  expect([days.packed('a'), days.unpack('a', null), days.packed('a')]).toEqual([undefined, 'not packed', 'not packed']);
  expect([days.unpack('b', Buffer.from('nonsense')), days.packed('b')]).toEqual(['damaged', 'damaged']);
});

it('drops the least recently used values when the limit is reached, and even a value that exceeds it alone', () => {
  const cache = new SizedCache<string>(20);
  cache.set('a', 'A', 10);
  cache.set('b', 'B', 10);
  cache.get('a');
  cache.set('c', 'C', 10);
  expect(['a', 'b', 'c'].filter((key) => cache.get(key))).toEqual(['a', 'c']);
  // A value that is set again counts once.
  cache.set('a', 'A', 10);
  expect(['a', 'c'].filter((key) => cache.get(key))).toEqual(['a', 'c']);
  expect(cache.set('d', 'D', 21)).toBe('D');
  expect(['a', 'c', 'd'].filter((key) => cache.get(key))).toEqual([]);
});
