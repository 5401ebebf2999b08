import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * Lets stack traces refer to our sources instead of the bundles in `folder`. A bundle's map is read when an error's stack is read for the first
 * time. Node's own support (`setSourceMapsSupport`) reads it when the bundle is loaded: 50 ms of the start of a process, and its text stays in memory.
 */
export function installSourceMaps(folder: string): void {
  const maps = new Map<string, SourceMap | undefined>();
  const position = /(\/[^():]+\.js):(\d+):(\d+)/;
  const sourceOf = (text: string, file: string, line: number, column: number): string => {
    if (!file.startsWith(`${folder}/`)) return text;
    if (!maps.has(file)) maps.set(file, readMap(file));
    const entry = maps.get(file)?.findEntry(line - 1, column - 1);
    if (!entry || !('originalSource' in entry)) return text;
    return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
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
