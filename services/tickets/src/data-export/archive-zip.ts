import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished, pipeline } from 'node:stream/promises';
import type { FileRecord } from '@tandem/contracts';
import { ZipFile } from 'yazl';
import * as z from 'zod';
import { storageKey } from '../attachment/file.controller';
import type { Storage } from '../storage/storage-interface';
import type { ExportFile } from './export-files';

export const schemaPath = (name: string): string => `schemas/${name.replace(/\.jsonl$/, '')}.schema.json`;

interface ArchiveOptions {
  organization_id: string;
  /** Of the files with lines. */
  folder: string;
  /** Of the archive. */
  path: string;
  files: readonly ExportFile[];
  /** A page for people, in the folder, that the archive also contains. */
  page: string | null;
  storage: Storage;
  /** Called before each entry; throws if the run must stop. */
  checkpoint: () => Promise<void>;
  /** The manifest, with the number of files whose bytes are not in the storage. */
  manifestOf(missing: number): object;
}

/**
 * Writes the ZIP: the files with lines, their JSON schemas, the bytes of the files that `files.jsonl` names, and the manifest. One file is
 * open at a time, and none is in memory; yazl uses ZIP64 where the size requires it.
 */
export async function writeZip(options: ArchiveOptions): Promise<void> {
  const zip = new ZipFile();
  const failed = Promise.withResolvers<never>();
  zip.on('error', failed.reject);
  const written = pipeline(zip.outputStream, createWriteStream(options.path, { flags: 'wx', mode: 0o600 }));
  written.catch(failed.reject);
  // An error that comes while no entry is awaited is reported by `written` or by the next entry.
  failed.promise.catch(() => undefined);
  try {
    const missing = await Promise.race([addEntries(zip, options, failed.promise), failed.promise]);
    zip.addBuffer(Buffer.from(`${JSON.stringify(options.manifestOf(missing), null, 2)}\n`), 'manifest.json');
    zip.end();
    await Promise.race([written, failed.promise]);
  } catch (error) {
    // Ends the pipeline, so that the folder can be removed.
    (zip.outputStream as unknown as { destroy(): void }).destroy();
    await written.catch(() => undefined);
    throw error;
  }
}

/** Returns the number of files whose bytes are missing. */
async function addEntries(
  zip: ZipFile,
  { organization_id, folder, storage, files, page, checkpoint }: ArchiveOptions,
  failed: Promise<never>,
): Promise<number> {
  const add = async (name: string) => {
    const bytes = createReadStream(join(folder, name));
    zip.addReadStream(bytes, name);
    await Promise.race([finished(bytes), failed]);
  };
  if (page !== null) await add(page);
  for (const { name, schema } of files) {
    await checkpoint();
    await add(name);
    zip.addBuffer(Buffer.from(JSON.stringify(schemaOf(schema), null, 2)), schemaPath(name));
  }
  let missing = 0;
  for await (const { key, entry } of storedFiles(join(folder, 'files.jsonl'))) {
    await checkpoint();
    const bytes = await storage.get(storageKey(organization_id, key));
    if (!bytes) {
      missing += 1;
      continue;
    }
    // Most files are pictures and documents that are compressed already.
    zip.addReadStream(bytes, entry, { compress: false });
    await Promise.race([finished(bytes), failed]);
  }
  return missing;
}

/** `any`: some values, such as the changes of an audit entry, can be anything. */
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any' });

/** The records that name an entry. Read from the file, because an organization can have millions of them. */
async function* storedFiles(path: string): AsyncGenerator<{ key: string; entry: string }> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const { key, entry } = JSON.parse(line) as FileRecord;
    if (entry !== null) yield { key, entry };
  }
}
