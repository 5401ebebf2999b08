import { pipeline, Readable } from 'node:stream';
import { importLimits, type CsvKind } from '@tandem/contracts';
import { parse, type Info } from 'csv-parse';
import { ImportFailed } from '../import-reader';
import { openArchive } from './archive';
import { suggestKind, suggestMapping, type CsvMapping } from './csv-headers';
import { cleanText } from './json-values';
import { decodeText, detectEncoding, type DetectedEncoding } from './text-encoding';

const delimiters = [',', ';', '\t', '|'] as const;
/** How much of a file is read to find its delimiter, in UTF-16 units. */
const headLength = 256 * 1024;
const headRows = 20;

export interface CsvFormat extends DetectedEncoding {
  delimiter: string;
  /** `sep=;` of Excel is in the first line. */
  hasSeparatorLine: boolean;
}
export interface CsvRow {
  cells: string[];
  /** Where the row begins, from 1. */
  line: number;
}
export type CsvLine = CsvRow | { error: 'line.unreadable' | 'line.too_long'; line: number };

/** Opens the only file of an upload: it may be compressed, alone in a ZIP archive. */
export async function openCsv(path: string, fileName: string): Promise<() => Promise<Readable>> {
  const archive = await openArchive({ path, file_name: fileName });
  const names = [...archive.entries()].map(({ name }) => name).filter((name) => !/(^|\/)(__MACOSX\/|\.)/.test(name));
  const [name] = names.filter((each) => names.length === 1 || /\.(csv|tsv|txt)$/i.test(each));
  if (name === undefined) throw new ImportFailed('source.unreadable');
  return async () => (await archive.open(name))!;
}

/** Reads the whole file to detect its encoding. Throws `ImportFailed`. */
export async function detectCsv(open: () => Promise<Readable>): Promise<CsvFormat> {
  const detected = await detectEncoding(open);
  let head = '';
  const stream = await open();
  for await (const text of decodeText(stream as AsyncIterable<Buffer>, detected.encoding)) {
    head += text;
    if (head.length >= headLength) break;
  }
  stream.destroy();
  if (head.trim() === '') throw new ImportFailed('source.empty');
  const separator = /^sep=([,;\t|])\r?\n/i.exec(head)?.[1];
  return { ...detected, delimiter: separator ?? bestDelimiter(head), hasSeparatorLine: separator !== undefined };
}

/** The delimiter with which most of the first rows have the same number of columns, and more than one. */
function bestDelimiter(head: string): string {
  const scores = delimiters.map((delimiter) => {
    const counts = countColumns(head, delimiter);
    const [first = 1] = counts;
    const same = counts.filter((count) => count === first).length;
    return { delimiter, score: first > 1 ? (same / counts.length) * 1_000 + first : 0 };
  });
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

function countColumns(head: string, delimiter: string): number[] {
  const counts: number[] = [];
  let columns = 1;
  let inQuotes = false;
  for (const character of head) {
    if (character === '"') inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (character === delimiter) columns++;
    else if (character === '\n') {
      counts.push(columns);
      columns = 1;
      if (counts.length === headRows) return counts;
    }
  }
  return counts.length > 0 ? counts : [columns];
}

/**
 * Yields the rows, the names of the columns first. A row with an error does not end the file. Rows follow RFC 4180; a quote inside of a
 * value that does not begin with one is a character of the value.
 */
export async function* csvRows(
  bytes: AsyncIterable<Buffer>,
  { encoding, delimiter, hasSeparatorLine }: CsvFormat,
  maxLength: number = importLimits.lineBytes,
): AsyncGenerator<CsvLine> {
  const tooLong: CsvLine[] = [];
  let isCutOff = false;
  let line = 1;
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    from_line: hasSeparatorLine ? 2 : 1,
    // A quote that is not closed: the last row contains the rest of the file.
    on_skip: () => {
      isCutOff = true;
      return undefined;
    },
  });
  const text = limitedRecords(decodeText(bytes, encoding), maxLength, (start) => tooLong.push({ error: 'line.too_long', line: start }));
  pipeline(Readable.from(text), parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield* tooLong.splice(0);
      yield { cells: record.map(cleanText), line: info.lines - record.reduce((sum, cell) => sum + (cell.split('\n').length - 1), 0) };
      line = info.lines + 1;
    }
  } finally {
    parser.destroy();
  }
  yield* tooLong;
  if (isCutOff) yield { error: 'line.unreadable', line };
}

/**
 * Passes complete records on, and empty lines in place of a record that is longer than the limit, in UTF-16 units: the parser would call
 * back for each of its characters. A record ends at a line break after an even number of quotes.
 */
async function* limitedRecords(text: AsyncIterable<string>, maxLength: number, onTooLong: (line: number) => void): AsyncGenerator<string> {
  let pending = '';
  let line = 1;
  let start = 1;
  let inQuotes = false;
  let isSkipped = false;
  for await (const chunk of text) {
    // The position after the last record of this chunk, and the text before it that is passed on.
    let from = 0;
    let whole = '';
    for (const { 0: character, index } of chunk.matchAll(/["\n]/g)) {
      if (character === '"') inQuotes = !inQuotes;
      else line++;
      if (character === '"' || inQuotes) continue;
      if (!isSkipped && pending.length + index - from > maxLength) onTooLong(start);
      if (isSkipped || pending.length + index - from > maxLength) whole += '\n'.repeat(line - start);
      else whole += pending + chunk.slice(from, index + 1);
      [pending, from, start, isSkipped] = ['', index + 1, line, false];
    }
    if (!isSkipped && pending.length + chunk.length - from > maxLength) {
      onTooLong(start);
      [pending, isSkipped] = ['', true];
    }
    if (!isSkipped) pending += chunk.slice(from);
    if (whole) yield whole;
  }
  if (pending) yield pending;
}

/** The names of the first line, each once: `Name`, `Name (2)`. Columns after the 200th are not read. */
export function columnNames(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.slice(0, importLimits.columns).map((cell, index) => {
    const name = cell.trim().slice(0, importLimits.sampleLength - 10) || `Column ${index + 1}`;
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name} (${count})`;
    taken.add(unique);
    return unique;
  });
}

export interface CsvDescription {
  columns: string[];
  /** The first three rows. */
  sample: string[][];
  kind: CsvKind | null;
  /** Empty if the kind is not recognized. */
  mapping: CsvMapping;
}

/**
 * Describes an uploaded CSV file for the mapping screen. `kind` is set if an admin has chosen what the rows are. Throws `ImportFailed` if it
 * is empty or no text.
 */
export async function describeCsv(
  path: string,
  fileName: string,
  { kind: chosen = null, customFields = [] }: { kind?: CsvKind | null; customFields?: Iterable<string> } = {},
): Promise<CsvDescription> {
  const open = await openCsv(path, fileName);
  const format = await detectCsv(open);
  const stream = await open();
  const rows: string[][] = [];
  for await (const row of csvRows(stream as AsyncIterable<Buffer>, format)) {
    if ('cells' in row) rows.push(row.cells);
    if (rows.length > 3) break;
  }
  stream.destroy();
  const [first, ...sample] = rows;
  if (!first) throw new ImportFailed('source.empty');
  const columns = columnNames(first);
  const kind = chosen ?? suggestKind(columns, fileName);
  const cut = (row: string[]) => columns.map((_, index) => (row[index] ?? '').slice(0, importLimits.sampleLength).toWellFormed());
  return { columns, sample: sample.map(cut), kind, mapping: kind ? suggestMapping(kind, columns, customFields) : {} };
}
