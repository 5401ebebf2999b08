import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';

/** More than a process has in its errors: a stack has ten positions, most of them the same as in other stacks. */
const maxPositions = 5_000;

/**
 * Lets stack traces refer to our sources instead of the bundles in `folder`. A bundle's map is read when a position is read for the first
 * time. It is not kept, because it takes 46 MB of the gateway, but the positions are. Node's own support (`setSourceMapsSupport`) reads it when the
 * bundle is loaded: 50 ms of the start of a process, and its text stays in memory.
 */
export function installSourceMaps(folder: string): void {
  const positions = new Map<string, string>();
  // Until the next garbage collection: the other positions of a stack need it, too.
  const maps = new Map<string, WeakRef<SourceMap>>();
  const mapOf = (file: string): SourceMap | undefined => {
    const map = maps.get(file)?.deref() ?? readMap(file);
    if (map) maps.set(file, new WeakRef(map));
    return map;
  };
  const position = /(\/[^():]+\.js):(\d+):(\d+)/;
  const sourceOf = (text: string, file: string, line: number, column: number): string => {
    if (!file.startsWith(`${folder}/`)) return text;
    const known = positions.get(text);
    if (known !== undefined) return known;
    const entry = mapOf(file)?.findEntry(line - 1, column - 1);
    const source =
      entry && 'originalSource' in entry
        ? `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        : text;
    if (positions.size === maxPositions) positions.clear();
    positions.set(text, source);
    return source;
  };
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames
      .map(String)
      .map((frame) =>
        frame.replace(position, (text, file: string, line: string, column: string) => sourceOf(text, file, Number(line), Number(column))),
      );
    return [Error.prototype.toString.call(error), ...lines.map((line) => `    at ${line}`)].join('\n');
  };
}

/** Undefined if the bundle was delivered without its map. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
