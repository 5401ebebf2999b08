import { JsonSplitter, type JsonPiece } from './json-splitter';

export interface Line {
  /** From 1. */
  number: number;
  /** Without its line break; null if it is longer than the limit. */
  text: string | null;
}

/** Splits text at line breaks (LF, CRLF). `maxLength` is the limit of a line in UTF-16 units; a longer one is read, but not stored. */
export async function* linesOf(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<Line> {
  let number = 1;
  let pending: string | null = '';
  const take = (end: string): Line => {
    const whole = pending === null || pending.length + end.length > maxLength ? null : (pending + end).replace(/\r$/, '');
    pending = '';
    return { number: number++, text: whole };
  };
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      yield take(chunk.slice(from, end));
      from = end + 1;
    }
    if (pending !== null) pending = pending.length + chunk.length - from > maxLength ? null : pending + chunk.slice(from);
  }
  if (pending !== '') yield take('');
}

/** How much of a file is read to decide whether each of its lines is an object, in UTF-16 units. */
const lookAhead = 1024 ** 2;

export interface JsonFormat {
  /** Arrays whose elements are read one by one, as paths of keys from the outermost object: `tickets`, `_embedded.conversations`. */
  lists: readonly string[];
  /** The limit of one element in UTF-16 units. */
  maxLength: number;
}

/**
 * Reads JSON element by element, so that memory does not depend on the size of the file. Formats:
 * - one object per line (https://jsonlines.org); a damaged line does not affect the following lines
 * - an array of elements
 * - an object with arrays of elements at the paths of `lists`, or several such objects, such as the pages of an API
 */
export async function* jsonElements(text: AsyncIterable<string>, format: JsonFormat): AsyncGenerator<JsonPiece> {
  const iterator = text[Symbol.asyncIterator]();
  let head = '';
  let isDone = false;
  while (!isDone && head.length < lookAhead && !/\n\s*\S/.test(head)) {
    const next = await iterator.next();
    if (next.done) isDone = true;
    else head += next.value;
  }
  const whole = prepend(head, iterator);
  // An object that begins in the first line ends there, or is damaged, if the second line begins with another object.
  if (/^\s*\{[^\n]*[^\n\s[{,:]\s*\n\s*\{/.test(head)) yield* elementsOfLines(whole, format);
  else yield* elementsOfText(whole, format);
}

async function* prepend(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* elementsOfText(text: AsyncIterable<string>, { lists, maxLength }: JsonFormat): AsyncGenerator<JsonPiece> {
  const splitter = new JsonSplitter(lists, maxLength);
  for await (const chunk of text) {
    yield* splitter.push(chunk);
    if (splitter.hasFailed) return;
  }
  yield* splitter.end();
}

async function* elementsOfLines(text: AsyncIterable<string>, { lists, maxLength }: JsonFormat): AsyncGenerator<JsonPiece> {
  for await (const { number, text: line } of linesOf(text, maxLength)) {
    if (line === null) yield { error: 'line.too_long', line: number };
    else if (line.trim() !== '') yield* elementsOfLine(line, number, { lists, maxLength });
  }
}

function* elementsOfLine(text: string, line: number, { lists, maxLength }: JsonFormat): Generator<JsonPiece> {
  const splitter = new JsonSplitter(lists, maxLength, line);
  yield* splitter.push(text);
  yield* splitter.end();
}
