import { reasonOf } from './reason';

it.each([
  [['body is too long'], 'GitHub: body is too long'],
  [['one', 'one', '', null, undefined, 'two'], 'GitHub: one, two'],
  [['<b>bold</b> <script>alert(1)</script>'], 'GitHub: bold alert(1)'],
  [['two\nlines\u0000 and\t\u202esdrawkcab'], 'GitHub: two lines and sdrawkcab'],
  [['the token ghp_0123456789abcdef is bad'], 'GitHub: the token … is bad'],
  [['Bearer abc.def not taken, nor pk_123_ABCDEF'], 'GitHub: … not taken, nor …'],
  [['half \ud83d'], 'GitHub: half \ufffd'],
  [['', null], undefined],
  [['<>'], undefined],
])('an error of a tool, %j, is displayed as %j', (words, expected) => expect(reasonOf('GitHub', ...words)).toBe(expected));

it('has a maximum length', () => {
  expect(reasonOf('GitHub', 'x'.repeat(1_000_000))).toHaveLength(200);
  expect(reasonOf('GitHub', '<'.repeat(1_000_000))).toBeUndefined();
  expect(reasonOf('GitHub', '😀'.repeat(1_000))!.isWellFormed()).toBe(true);
});
