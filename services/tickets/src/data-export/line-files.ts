import { join } from 'node:path';
import { exportFiles, type ExportFileName } from './export-files';
import { LineFile, type FileSummary } from './line-file';

/** All files of an archive with lines, in a folder. A file without lines is empty. */
export class LineFiles {
  #lines = 0;

  private constructor(private readonly files: ReadonlyMap<ExportFileName, LineFile>) {}

  static async create(folder: string): Promise<LineFiles> {
    const files = new Map<ExportFileName, LineFile>();
    for (const { name } of exportFiles) files.set(name, await LineFile.create(join(folder, name)));
    return new LineFiles(files);
  }

  /** Lines so far. */
  get lines(): number {
    return this.#lines;
  }

  async write(name: ExportFileName, line: string): Promise<void> {
    this.#lines += 1;
    await this.files.get(name)!.write(line);
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
