/**
 * A CSV cell (RFC 4180). A value that a spreadsheet would run as a formula is prefixed with an apostrophe: addresses, user agents and what
 * customers type are untrusted input.
 */
export function csvCell(value: string | null): string {
  if (value === null || value === '') return '';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The columns of a file: the name in its first line, and the value of a row. */
export type CsvColumn<Row> = [name: string, value: (row: Row) => string | null];

const line = (cells: (string | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export function csvOf<Row>(columns: CsvColumn<Row>[]): { header: string; line: (row: Row) => string } {
  return { header: line(columns.map(([name]) => name)), line: (row) => line(columns.map(([, value]) => value(row))) };
}
