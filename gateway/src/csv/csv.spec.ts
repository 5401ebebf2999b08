import { csvCell } from './csv';

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['müller@example.com', 'müller@example.com'],
    ['שלום, עולם', '"שלום, עולם"'],
  ])('of %j is quoted where RFC 4180 requires it: %s', (value, cell) => expect(csvCell(value)).toBe(cell));

  it.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('that begins as a formula stays text: %j', (value, cell) => expect(csvCell(value)).toBe(cell));

  it('is unchanged if such a character comes later', () => expect(csvCell('a=b')).toBe('a=b'));
});
