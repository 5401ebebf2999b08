import { isoTimestamp, types } from './values';

describe('isoTimestamp', () => {
  it.each([
    ['2026-11-28 09:05:07+00', '2026-11-28T09:05:07.000Z'],
    ['2026-11-28 09:05:07.2+00', '2026-11-28T09:05:07.200Z'],
    ['2026-11-28 09:05:07.25+00', '2026-11-28T09:05:07.250Z'],
    ['2026-11-28 09:05:07.250+00', '2026-11-28T09:05:07.250Z'],
    ['2026-11-28 09:05:07.250999+00', '2026-11-28T09:05:07.250Z'],
    ['2026-11-28 09:05:07.25+05:30', '2026-11-28T03:35:07.250Z'],
    ['2026-11-28 09:05:07-03', '2026-11-28T12:05:07.000Z'],
    ['12026-11-28 09:05:07+00', '+012026-11-28T09:05:07.000Z'],
    ['0044-03-15 09:05:07+00 BC', '-000043-03-15T09:05:07.000Z'],
    ['infinity', 'infinity'],
    ['-infinity', '-infinity'],
  ])('%s is %s', (text, expected) => {
    expect(isoTimestamp(text)).toBe(expected);
  });
});

it.each([1009, 2951])('an array of type %i becomes an array of strings', (oid) => {
  const parse = types.getTypeParser(oid) as (text: string) => unknown;
  expect(['{}', '{a}', '{a,"b c","d\\"e",""}'].map((text) => parse(text))).toEqual([[], ['a'], ['a', 'b c', 'd"e', '']]);
});
