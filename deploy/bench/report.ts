import { line } from '../local/steps.ts';

/** One printed table. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}

/** A figure of a suite with its limit; `goals.ts` compares them. */
export interface Goal {
  id: string;
  work: string;
  measured: number;
  limit: number;
  unit: string;
}

/** The result of a suite: the printed tables, all figures for the JSON file, and those that have a goal. */
export interface Report {
  tables: Table[];
  figures: unknown;
  goals?: Goal[];
}

/** Prints the tables as Markdown with aligned columns: readable in a terminal and ready to quote. */
export function print({ tables }: Pick<Report, 'tables'>): void {
  for (const table of tables) line(`\n**${table.title}**\n\n${markdownOf(table)}`);
}

/** A column has at least three dashes, as `npm run format` writes them. */
const minWidth = 3;

export function markdownOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const width = columns.map((column, i) => Math.max(minWidth, column.length, ...rows.map((row) => (row[i] ?? '').length)));
  const text = (cells: string[]) => `| ${width.map((size, i) => (cells[i] ?? '').padEnd(size)).join(' | ')} |`;
  return [text(columns), `| ${width.map((size) => '-'.repeat(size)).join(' | ')} |`, ...rows.map(text)].join('\n');
}
