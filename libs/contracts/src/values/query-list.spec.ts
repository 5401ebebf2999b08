import { decodeList, encodeList } from './query-list';

it.each<[string[], string]>([
  [['open', 'in_progress'], 'open,in_progress'],
  [['a, b'], 'a\\, b'],
  [['a, b', 'c'], 'a\\, b,c'],
  [['back\\slash', ','], 'back\\\\slash,\\,'],
  [['\\,', '\\'], '\\\\\\,,\\\\'],
  [['👍,\n👎'], '👍\\,\n👎'],
  [[], ''],
])('writes %j as %j and reads it back', (values, text) => {
  expect(encodeList(values)).toBe(text);
  expect(decodeList(text)).toEqual(values);
});

it('omits empty values, and reads a backslash before another character literally', () => {
  expect(decodeList(',a,,b,')).toEqual(['a', 'b']);
  expect(decodeList('\\a,b\\')).toEqual(['\\a', 'b\\']);
});
