import { stat } from 'node:fs/promises';
import { ImportFailed, type ImportInput, type ImportReader, type SourceItem } from '../import-reader';
import { CsvRecords } from './csv-records';
import { CsvTable, surveyTable } from './csv-table';
import { emailOf } from './json-values';
import { problem, Progress } from './source-items';
import { yesOrNo } from './custom-field-values';

/**
 * Spreadsheets of any tool, with a mapping of their columns. Each file is read twice: all of its rows decide together whether `03/04/2024`
 * is in March or in April, and who is a teammate.
 */
export const csvReader: ImportReader = {
  source: 'csv',
  async *read(input: ImportInput): AsyncGenerator<SourceItem> {
    if (input.files.length === 0) throw new ImportFailed('source.empty');
    const tables: CsvTable[] = [];
    for (const file of input.files) tables.push(await CsvTable.open(file, input.custom_fields));
    const sizes = await Promise.all(input.files.map(async ({ path }) => (await stat(path)).size));
    const progress = new Progress(input, 2 * sizes.reduce((sum, size) => sum + size, 0));
    const teammates = new Set<string>();
    const surveyed = [];
    for (const table of tables) surveyed.push({ table, facts: await surveyTable(table, progress, collectTeammates(table, teammates)) });
    const records = new CsvRecords(input, teammates);
    for (const { table, facts } of surveyed) {
      yield* table.encodingProblem();
      for (const [field, order] of facts.orders) if (order.isAmbiguous) yield problem('value.replaced', table.place(null), { field });
      for await (const row of table.rows(progress)) yield* 'get' in row ? records.fromRow(table, facts, row) : [row];
    }
  },
};

/** More than an import can map; further names are not recognized as teammates in comments. */
const maxTeammates = 2_000;

/** Assignees, and authors of internal comments. A comment has no other sign of which side its author is on. */
const collectTeammates =
  (table: CsvTable, teammates: Set<string>) =>
  (row: { get(column: string): string | null }): void => {
    if (teammates.size >= maxTeammates) return;
    if (table.kind === 'tickets') add(teammates, row.get('assignee'));
    if (table.kind !== 'comments' || !yesOrNo(row.get('is_internal'))) return;
    add(teammates, emailOf(row.get('author_email')) ?? row.get('author_name'));
  };

const add = (teammates: Set<string>, name: string | null): void => void (name && teammates.add(emailOf(name) ?? name));
