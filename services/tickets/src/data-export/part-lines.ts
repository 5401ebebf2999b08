import type { StoredPart } from '../schema';
import { findPartsOfFile } from './export-part.store';
import type { ExportFileName } from './export-files';
import { readPages, type ExportRun } from './lines';

/** Parts per page: each has up to 400 KB. */
const pageSize = 10;

/** Writes the lines of a file that other services have sent. */
export async function writeParts(run: ExportRun, export_id: string, file: ExportFileName): Promise<void> {
  type Part = Pick<StoredPart, 'service' | 'index' | 'lines'>;
  for await (const parts of readPages<Part>(run, pageSize, (tx, after, limit) => findPartsOfFile(tx, export_id, file, after, limit)))
    for (const { lines } of parts) for (const line of lines.split('\n')) await run.writeJson(file, line);
}
