import { csvOf } from './csv';

it('quotes special characters, and never starts a formula', () => {
  const lines = [
    ['Tag', 'Tickets'],
    ['=HYPERLINK("http://x")', 3],
    ['a, "b"\nc', null],
    ['-1+1', -2],
    ['עברית', 0],
  ];
  expect(csvOf(lines)).toBe('\uFEFFTag,Tickets\r\n"\'=HYPERLINK(""http://x"")",3\r\n"a, ""b""\nc",\r\n\'-1+1,-2\r\nעברית,0\r\n');
});
