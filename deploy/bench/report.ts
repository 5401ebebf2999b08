import { line } from '../local/steps.ts';

/** One printed table. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

/** The result of a suite: the printed tables, and all figures for the JSON file. */
export interface Report {
  tables: Table[];
  figures: unknown;
}

/** Prints the tables as Markdown with aligned columns: readable in a terminal and ready to quote. */
export function print({ tables }: Report): void {
  for (const { title, columns, rows } of tables) {
    const width = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => (row[i] ?? '').length)));
    const text = (cells: string[]) => `| ${width.map((size, i) => (cells[i] ?? '').padEnd(size)).join(' | ')} |`;
    line(`\n**${title}**\n`);
    line(text(columns));
    line(`|${width.map((size) => '-'.repeat(size + 2)).join('|')}|`);
    for (const row of rows) line(text(row));
  }
}
