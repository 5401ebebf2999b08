import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { recordSchemas, type ImportRecord } from '@tandem/contracts';
import { ZipFile } from 'yazl';
import type { ImportInput, ImportReader, SourceItem, UploadedFile } from '../import-reader';

/** Uploaded files of a test, in a folder of its own. */
export class TestUploads {
  private readonly folder = mkdtempSync(join(tmpdir(), 'import-'));
  private count = 0;

  write(content: string | Uint8Array, file_name: string, file: Partial<UploadedFile> = {}): UploadedFile {
    const path = join(this.folder, String(++this.count));
    writeFileSync(path, content);
    return { path, file_name, kind: null, mapping: null, ...file };
  }

  async zip(entries: Record<string, string | Uint8Array>, file_name = 'export.zip'): Promise<UploadedFile> {
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
    zip.end();
    const path = join(this.folder, String(++this.count));
    const file = createWriteStream(path);
    zip.outputStream.pipe(file);
    await finished(file);
    return { path, file_name, kind: null, mapping: null };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export const inputOf = (files: readonly UploadedFile[], input: Partial<ImportInput> = {}): ImportInput => ({
  files,
  api: null,
  statuses: new Map(),
  priorities: new Map(),
  custom_fields: new Map(),
  signal: new AbortController().signal,
  onProgress: () => undefined,
  ...input,
});

export interface ReadResult {
  items: SourceItem[];
  /** The data of records by kind; all of them match their schemas. */
  records: { [Kind in ImportRecord['kind']]: Extract<ImportRecord, { kind: Kind }>['data'][] };
  /** `code file:line kind key field value`, without what is null. */
  problems: string[];
  values: string[];
}

export async function readAll(reader: ImportReader, files: readonly UploadedFile[], input: Partial<ImportInput> = {}): Promise<ReadResult> {
  const items: SourceItem[] = [];
  for await (const item of reader.read(inputOf(files, input))) items.push(item);
  const records = Object.fromEntries(Object.keys(recordSchemas).map((kind) => [kind, [] as unknown[]])) as unknown as ReadResult['records'];
  for (const item of items) {
    if (item.type !== 'record') continue;
    const { kind, data } = item.record;
    (records[kind] as unknown[]).push(recordSchemas[kind].parse(data));
  }
  const problems = items.flatMap((item) => {
    if (item.type !== 'problem') return [];
    const { code, kind, key, field, value } = item.problem;
    return [[code, `${item.at.file}:${item.at.line ?? ''}`, kind, key, field, value].filter((each) => each !== null).join(' ')];
  });
  const values = items.flatMap((item) => (item.type === 'value' ? [`${item.field} ${item.value} → ${item.suggestion}`] : []));
  return { items, records, problems, values };
}
