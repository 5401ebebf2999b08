import { join } from 'node:path';
import type { ExportFileName } from './export-files';
import { LineFile, type FileSummary } from './line-file';

/** All files of an archive with lines, in a folder. A file without lines is empty. */
export class LineFiles {
  #lines = 0;

  private constructor(private readonly files: ReadonlyMap<ExportFileName, LineFile>) {}

  static async create(folder: string, names: readonly ExportFileName[]): Promise<LineFiles> {
    const files = new Map<ExportFileName, LineFile>();
    for (const name of names) files.set(name, await LineFile.create(join(folder, name)));
    return new LineFiles(files);
  }

  /** Lines so far. */
  get lines(): number {
    return this.#lines;
  }

  /** Lines of a file that the archive does not have are left out. */
  async write(name: ExportFileName, line: string): Promise<void> {
    const file = this.files.get(name);
    if (!file) return;
    this.#lines += 1;
    await file.write(line);
  }

  async finish(): Promise<Map<ExportFileName, FileSummary>> {
    const summaries = new Map<ExportFileName, FileSummary>();
    for (const [name, file] of this.files) summaries.set(name, await file.finish());
    return summaries;
  }

  async abandon(): Promise<void> {
    for (const file of this.files.values()) await file.abandon();
  }
}
