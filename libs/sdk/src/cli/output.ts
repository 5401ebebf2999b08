/** Texts of customers must not control the terminal. */
const printable = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ');
};
const cut = (text: string, width: number) => (text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text);

export interface Column<T> {
  title: string;
  value: (row: T) => unknown;
}

/** Aligned columns; the last one is cut at the width of the terminal. */
export function table<T>(columns: Column<T>[], rows: readonly T[], width: number): string {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => printable(value(row))))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  return cells
    .map((line) => {
      const text = line.map((cell, i) => (i === line.length - 1 ? cell : cell.padEnd(widths[i]!))).join('  ');
      return `${cut(text, width).trimEnd()}\n`;
    })
    .join('');
}

const isTerminal = () => process.stdout.isTTY === true;

/** A table in a terminal, one line of JSON per row in a pipe. */
export function printRows<T>(rows: readonly T[], columns: Column<T>[], empty: string): void {
  if (!isTerminal()) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  else if (rows.length === 0) process.stdout.write(`${empty}\n`);
  else process.stdout.write(table(columns, rows, process.stdout.columns || 120));
}

/** Names and values in a terminal, one line of JSON in a pipe. */
export function printRecord(record: object): void {
  if (!isTerminal()) return void process.stdout.write(`${JSON.stringify(record)}\n`);
  const entries = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length));
  for (const [name, value] of entries) process.stdout.write(`${name.padEnd(width)}  ${printable(value)}\n`);
}

/** A message for people, not part of the result. */
export const note = (text: string): void => void process.stderr.write(`${printable(text)}\n`);
