import { createHash } from 'node:crypto';
import { ExportManifest, exportVersion, importLimits, type ImportRecord, type RecordKind } from '@tandem/contracts';
import { exportFiles } from '../../data-export/export-files';
import { ImportFailed, type ImportInput, type ImportReader, type SourceItem } from '../import-reader';
import { archivesOf, EntryUnreadable, openArchiveEntry, type Archive } from './archive';
import { isObject } from './json-values';
import { JsonSplitter } from './json-splitter';
import { linesOf } from './lines';
import { problem, Progress } from './source-items';
import { decodeText } from './text-encoding';

const manifestName = 'manifest.json';
/** Bytes; a manifest has a line per file. */
const maxManifestBytes = 1024 ** 2;

/** Reads our own exports. A file whose checksum differs from the manifest fails the import: what it contains is not what was exported. */
export const tandemReader: ImportReader = {
  source: 'tandem',
  async *read(input) {
    if (input.files.length === 0) throw new ImportFailed('source.empty');
    for (const archive of await archivesOf(input)) yield* readExport(archive, input);
  },
  openEntry: openArchiveEntry,
};

async function* readExport(archive: Archive, input: ImportInput): AsyncGenerator<SourceItem> {
  const manifest = await readManifest(archive);
  const kinds = new Map<string, RecordKind>(exportFiles.flatMap(({ name, kind }) => (kind === null ? [] : [[name, kind]])));
  const files = manifest.files.filter(({ name, imported }) => imported && kinds.has(name));
  if (files.every(({ lines }) => lines === 0)) throw new ImportFailed('source.empty');
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = new Progress(input, total);
  for (const file of files) yield* readFile(archive, file, kinds.get(file.name)!, progress);
}

async function readManifest(archive: Archive): Promise<ExportManifest> {
  const stream = await archive.open(manifestName);
  if (!stream) throw new ImportFailed('source.unreadable', { cause: new Error('The archive has no manifest') });
  let text = '';
  try {
    for await (const part of decodeText(stream as AsyncIterable<Buffer>, 'utf-8')) {
      text += part;
      if (text.length > maxManifestBytes) throw new Error('The manifest is too large');
    }
    const manifest = ExportManifest.parse(JSON.parse(text));
    if (manifest.version > exportVersion) throw new Error(`Version ${manifest.version} of the format is newer than ${exportVersion}`);
    return manifest;
  } catch (error) {
    throw new ImportFailed('source.unreadable', { cause: error });
  } finally {
    stream.destroy();
  }
}

type ManifestFile = ExportManifest['files'][number];

async function* readFile(
  archive: Archive,
  { name, sha256 }: ManifestFile,
  kind: RecordKind,
  progress: Progress,
): AsyncGenerator<SourceItem> {
  const stream = await archive.open(name);
  if (!stream) throw new ImportFailed('source.unreadable', { cause: new Error(`The archive does not have ${name}`) });
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of progress.count(stream as AsyncIterable<Buffer>)) {
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    for await (const { number, text } of linesOf(decodeText(hashed(), 'utf-8'), importLimits.lineBytes)) {
      const at = { file: name, line: number };
      if (text === null) yield problem('line.too_long', at, { kind });
      else if (text.trim() !== '') yield* recordOf(text, kind, at);
    }
  } catch (error) {
    throw error instanceof EntryUnreadable ? new ImportFailed('source.unreadable', { cause: error }) : error;
  } finally {
    stream.destroy();
  }
  if (hash.digest('hex') !== sha256.toLowerCase())
    throw new ImportFailed('source.unreadable', { cause: new Error(`The checksum of ${name} differs`) });
}

/** The caller parses the record by its schema. */
function* recordOf(text: string, kind: RecordKind, at: { file: string; line: number }): Generator<SourceItem, void> {
  const splitter = new JsonSplitter([], importLimits.lineBytes, at.line);
  const [piece, ...others] = [...splitter.push(text), ...splitter.end()];
  if (!piece || 'error' in piece || others.length > 0 || !isObject(piece.value)) yield problem('line.unreadable', at, { kind });
  else yield { type: 'record', record: { kind, data: piece.value } as unknown as ImportRecord, at };
}
