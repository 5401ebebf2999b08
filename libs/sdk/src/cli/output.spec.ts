import { table } from './output';

const columns = [
  { title: 'NUMBER', value: (row: { number: string }) => row.number },
  { title: 'SUBJECT', value: (row: { subject?: string | null }) => row.subject },
];

it('a table is aligned, and its last column ends at the width of the terminal', () => {
  const rows = [
    { number: 'A-1', subject: 'Short' },
    { number: 'LONG-1234', subject: 'A subject that is too long for it' },
    { number: 'A-2', subject: null },
  ];
  expect(table(columns, rows, 30).split('\n')).toEqual([
    'NUMBER     SUBJECT',
    'A-1        Short',
    'LONG-1234  A subject that is …',
    'A-2',
    '',
  ]);
});

it('a text of a customer cannot control the terminal', () => {
  const text = table(columns, [{ number: 'A-1', subject: 'a\u001b[2Jb\u009b31m\nc\u202ed' }], 80);
  expect(text).toBe('NUMBER  SUBJECT\nA-1     a [2Jb 31m c d\n');
});
