import type { Readable } from 'node:stream';
import { csvColumns, type CsvKind } from '@tandem/contracts';
import { ImportFailed, type ImportInput, type SourceItem, type SourcePlace, type UploadedFile } from '../import-reader';
import { columnNames, csvRows, detectCsv, openCsv, type CsvFormat } from './csv-head';
import { suggestKind, suggestMapping, type CsvMapping } from './csv-headers';
import { DateOrderCount } from './times';
import { problem, type Progress } from './source-items';

/** A row by our columns. An empty cell, and a column that is not mapped, is null. */
export interface MappedRow {
  get(column: string): string | null;
  cells: readonly string[];
  at: SourcePlace;
}
export type TableItem = MappedRow | Extract<SourceItem, { type: 'problem' }>;

export const dateColumns = ['created_at', 'updated_at', 'resolved_at'] as const;

/** An uploaded CSV file with its mapping. It can be read several times. */
export class CsvTable {
  private constructor(
    private readonly file: UploadedFile,
    private readonly open: () => Promise<Readable>,
    private readonly format: CsvFormat,
    readonly columns: readonly string[],
    readonly kind: CsvKind,
    private readonly mapping: CsvMapping,
    private readonly positions: ReadonlyMap<string, number>,
  ) {}

  /** Throws `ImportFailed` if the file is not CSV, or a column that is required is neither mapped nor recognized. */
  static async open(file: UploadedFile, customFields: ImportInput['custom_fields']): Promise<CsvTable> {
    const open = await openCsv(file.path, file.file_name);
    const format = await detectCsv(open);
    const columns = columnNames(await firstRow(open, format));
    const kind = file.kind ?? suggestKind(columns, file.file_name);
    if (!kind) throw new ImportFailed('source.unreadable');
    const mapping = { ...(file.mapping ?? suggestMapping(kind, columns, customFields.keys())) };
    const positions = new Map(
      Object.entries(mapping).flatMap(([ours, theirs]) => (theirs === null ? [] : [[ours, columns.indexOf(theirs)]])),
    );
    const isComplete = csvColumns[kind].required.every((column) => (positions.get(column) ?? -1) >= 0);
    if (!isComplete) throw new ImportFailed('source.unreadable');
    return new CsvTable(file, open, format, columns, kind, mapping, positions);
  }

  has(column: string): boolean {
    return (this.positions.get(column) ?? -1) >= 0;
  }

  /** Columns of ours that are custom fields: their keys, with the names of the columns. */
  get customFields(): { key: string; column: string }[] {
    return Object.entries(this.mapping).flatMap(([ours, theirs]) =>
      ours.startsWith('custom_fields.') && theirs !== null ? [{ key: ours.slice('custom_fields.'.length), column: ours }] : [],
    );
  }

  place(line: number | null): SourcePlace {
    return { file: this.file.file_name, line };
  }

  /** The problem of a file with bytes that its encoding does not have, if there are any. */
  *encodingProblem(): Generator<SourceItem, void> {
    if (this.format.isDamaged) yield problem('value.replaced', this.place(null), { field: this.format.encoding });
  }

  async *rows(progress: Progress): AsyncGenerator<TableItem> {
    const stream = await this.open();
    let width: number | undefined;
    for await (const row of csvRows(progress.count(stream as AsyncIterable<Buffer>), this.format)) {
      if ('error' in row) yield problem(row.error, this.place(row.line), { kind: recordKind[this.kind] }) as TableItem;
      else if (width === undefined) width = row.cells.length;
      else if (!fits(row.cells, width)) yield problem('line.ragged', this.place(row.line), { kind: recordKind[this.kind] }) as TableItem;
      else if (row.cells.some((cell) => cell.trim() !== '')) yield this.mapped(row.cells, row.line);
    }
  }

  private mapped(cells: readonly string[], line: number): MappedRow {
    const { positions } = this;
    return { get: (column) => cells[positions.get(column) ?? -1]?.trim() || null, cells, at: this.place(line) };
  }
}

/** Spreadsheets add empty cells at the end of rows. */
const fits = (cells: readonly string[], width: number): boolean =>
  cells.length === width || (cells.length > width && cells.slice(width).every((cell) => cell.trim() === ''));

export const recordKind = { tickets: 'ticket', comments: 'comment', customers: 'customer', articles: 'article' } as const;

async function firstRow(open: () => Promise<Readable>, format: CsvFormat): Promise<string[]> {
  const stream = await open();
  try {
    for await (const row of csvRows(stream as AsyncIterable<Buffer>, format)) if ('cells' in row) return row.cells;
  } finally {
    stream.destroy();
  }
  throw new ImportFailed('source.empty');
}

/** What all rows of a file decide together. */
export interface TableFacts {
  orders: ReadonlyMap<string, DateOrderCount>;
}

/** The first pass. `onRow` collects what else the caller needs of all rows. */
export async function surveyTable(table: CsvTable, progress: Progress, onRow: (row: MappedRow) => void): Promise<TableFacts> {
  const orders = new Map<string, DateOrderCount>();
  for (const column of dateColumns) if (table.has(column)) orders.set(column, new DateOrderCount());
  for await (const row of table.rows(progress)) {
    if (!('get' in row)) continue;
    for (const [column, count] of orders) count.add(row.get(column) ?? '');
    onRow(row);
  }
  return { orders };
}
