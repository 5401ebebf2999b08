import { importLimits } from '@tandem/contracts';
import { ImportFailed, type ImportInput, type SourceItem, type SourcePlace } from '../import-reader';
import { archivesOf, EntryUnreadable, type Archive } from './archive';
import { isObject, type JsonObject } from './json-values';
import { jsonElements } from './lines';
import { problem, Progress } from './source-items';
import { decodeJson } from './text-encoding';

export interface JsonItem {
  json: JsonObject;
  /** The path of the list that has the element. */
  list: string;
  at: SourcePlace;
}

interface JsonFile {
  archive: Archive;
  name: string;
}

/** The JSON files of an import, of all of its archives. */
export class JsonFiles {
  private elements = 0;
  private readonly progress: Progress;

  private constructor(
    private readonly files: readonly JsonFile[],
    private readonly lists: readonly string[],
    input: ImportInput,
    total: number | null,
  ) {
    this.progress = new Progress(input, total);
  }

  /** `passes`: how often the files are read. Throws `ImportFailed`. */
  static async open(input: ImportInput, lists: readonly string[], passes: number): Promise<JsonFiles> {
    if (input.files.length === 0) throw new ImportFailed('source.empty');
    const files: JsonFile[] = [];
    let total: number | null = 0;
    for (const archive of await archivesOf(input)) {
      const entries = [...archive.entries()];
      for (const { name, size } of entries) {
        if (!isJson(name) && entries.length > 1) continue;
        files.push({ archive, name });
        total = total === null || size === null ? null : total + size * passes;
      }
    }
    if (files.length === 0) throw new ImportFailed('source.unreadable');
    return new JsonFiles(files, lists, input, total);
  }

  /**
   * Yields the elements of all files whose name matches. With `report: false`, which is for a first pass, problems are left out. The names
   * are those in the archive, without folders.
   */
  async *read(matches: (name: string) => boolean, { report = true } = {}): AsyncGenerator<JsonItem | SourceItem> {
    for (const { archive, name } of this.files) {
      if (!matches(name.slice(name.lastIndexOf('/') + 1))) continue;
      for await (const item of this.readFile(archive, name)) if (report || 'json' in item) yield item;
    }
  }

  /** Throws if a source that was read completely had nothing that could be read. */
  assertNotEmpty(): void {
    if (this.elements === 0) throw new ImportFailed('source.unreadable');
  }

  private async *readFile(archive: Archive, name: string): AsyncGenerator<JsonItem | SourceItem> {
    const stream = await archive.open(name);
    if (!stream) return;
    const text = decodeJson(this.progress.count(stream as AsyncIterable<Buffer>));
    try {
      for await (const piece of jsonElements(text, { lists: this.lists, maxLength: importLimits.lineBytes })) {
        const at = { file: name, line: piece.line };
        if ('error' in piece) yield problem(piece.error, at);
        else if (!isObject(piece.value)) yield problem('line.unreadable', at);
        else {
          this.elements++;
          yield { json: piece.value, list: piece.list, at };
        }
      }
    } catch (error) {
      if (!(error instanceof EntryUnreadable)) throw error;
      yield problem('entry.unreadable', { file: name, line: null });
    } finally {
      stream.destroy();
    }
  }
}

/** Not the hidden files that macOS adds to archives. */
const isJson = (name: string): boolean => /\.(json|jsonl|ndjson)$/i.test(name) && !/(^|\/)(__MACOSX\/|\.)/.test(name);
