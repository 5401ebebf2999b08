/** An element of a JSON file, or the reason why it cannot be read. */
export type JsonPiece =
  /** `list` is the path of the array that has the element; empty for elements of the outermost array, and for outermost objects. */
  { value: unknown; list: string; line: number } | { error: 'line.unreadable' | 'line.too_long'; line: number };

/** Deeper elements are refused: code that follows a value by calling itself would run out of stack. No help desk nests deeper than ten. */
const maxDepth = 100;
/** Of keys that can be part of the path of a list. */
const maxKeyLength = 100;

const lineFeed = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const isSpace = (character: number): boolean => character === 0x20 || (character >= 0x09 && character <= 0x0d) || character === 0xfeff;

/**
 * Splits a JSON text into elements. It only follows brackets and strings: `JSON.parse` validates each element, and what is around the
 * elements is not parsed. Takes time proportional to the text, and memory of one element.
 */
export class JsonSplitter {
  /** `list`: between elements; `element`: inside one; `wrapper`: in an object whose lists are read, outside of its lists. */
  private mode: 'list' | 'element' | 'wrapper' = 'list';
  /** Open brackets; beyond `maxDepth` only their number is counted. */
  private readonly open: number[] = [];
  private depth = 0;
  /** The depth of the elements of the current list; of outermost objects and of the outermost array it is 0. */
  private base = 0;
  /** The depth of outermost objects, which can be wrappers: 1 in an array of pages. */
  private outer = 0;
  private list = '';

  private lastString = '';
  /** The last keys at the two levels inside an outermost object. */
  private readonly keys = ['', ''];
  private inString = false;
  private isEscaped = false;

  private chunk = '';
  /** Where the current element begins in the chunk. */
  private from = 0;
  private text = '';
  private problem: 'line.unreadable' | 'line.too_long' | undefined;
  private elementLine = 0;
  private pieces: JsonPiece[] = [];
  /** The brackets do not match: nothing after this position can be read. */
  hasFailed = false;

  constructor(
    private readonly lists: readonly string[],
    private readonly maxLength: number,
    private line = 1,
  ) {}

  /** Returns the elements that end in this chunk. */
  push(chunk: string): JsonPiece[] {
    this.chunk = chunk;
    this.from = 0;
    let at = this.inString ? this.skipString(0) : 0;
    while (at < chunk.length && !this.hasFailed) at = this.read(at, chunk.charCodeAt(at));
    if (this.mode === 'element') this.append(chunk.length);
    return this.takePieces();
  }

  /** Returns the last element, or the problem that the end of the text has cut it off. */
  end(): JsonPiece[] {
    if (this.hasFailed) return [];
    if (this.inString || this.depth > 0) this.fail();
    return this.takePieces();
  }

  private takePieces(): JsonPiece[] {
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }

  /** Reads a character, or a whole string; returns the next position. */
  private read(at: number, character: number): number {
    if (character === lineFeed) this.line++;
    if (this.mode === 'list') {
      if (isSpace(character) || character === comma) return at + 1;
      if (character === closeArray || (character === openArray && this.depth === 0)) {
        if (character === openArray) this.openList('');
        else this.closeList();
        return at + 1;
      }
      this.startElement(at, character);
      if (this.hasFailed) return at + 1;
    }
    if (character === quote) return this.skipString(at + 1);
    if (character === openObject || character === openArray) this.enter(character);
    else if (character === closeObject || character === closeArray) return this.leave(at, character);
    else if (character === colon) this.readKey();
    else if (this.depth === this.base && (character === comma || isSpace(character))) this.finishElement(at);
    return at + 1;
  }

  private startElement(at: number, character: number): void {
    // Only an object can be outside of an array; without this check, each word of another kind of file would be a problem.
    if (character === closeObject || (this.depth === 0 && character !== openObject)) return this.fail();
    this.mode = 'element';
    this.from = at;
    this.text = '';
    this.problem = undefined;
    this.elementLine = this.line;
    if (this.list === '') this.outer = this.base;
  }

  private enter(character: number): void {
    const path = character === openArray ? this.pathOfList() : undefined;
    if (path !== undefined) return this.openList(path);
    this.depth++;
    if (this.depth <= maxDepth) this.open.push(character);
    else this.problem = 'line.unreadable';
  }

  /** Returns the next position. */
  private leave(at: number, character: number): number {
    // A number or a literal that is the last element of a list.
    if (this.mode === 'element' && this.depth === this.base) {
      this.finishElement(at);
      return at;
    }
    const expected = character === closeObject ? openObject : openArray;
    const matches = this.depth > maxDepth || this.open.pop() === expected;
    this.depth--;
    if (!matches) this.fail();
    else if (this.mode === 'element' && this.depth === this.base) this.finishElement(at + 1);
    else if (this.mode === 'wrapper' && this.depth === this.outer) this.mode = 'list';
    return at + 1;
  }

  /** The path of the array that begins here, if its elements are read one by one. Undefined inside of such an element. */
  private pathOfList(): string | undefined {
    const level = this.depth - this.outer;
    if ((this.mode === 'element' && this.list !== '') || level < 1 || level > 2) return undefined;
    if (this.open.slice(this.outer, this.depth).includes(openArray)) return undefined;
    const path = this.keys.slice(0, level).join('.');
    return this.lists.includes(path) ? path : undefined;
  }

  /** The object around a list is not an element: what was read of it is dropped. */
  private openList(path: string): void {
    this.depth++;
    this.open.push(openArray);
    this.mode = 'list';
    this.list = path;
    this.base = this.depth;
    this.text = '';
  }

  private closeList(): void {
    if (this.depth === 0) return this.fail();
    this.mode = this.list === '' ? 'list' : 'wrapper';
    this.base = this.list === '' ? 0 : this.outer;
    this.list = '';
    this.open.pop();
    this.depth--;
  }

  private readKey(): void {
    const level = this.depth - this.outer;
    if (level === 1 || level === 2) this.keys[level - 1] = this.lastString;
  }

  /** Returns the position after the string, or the end of the chunk if the string continues in the next chunk. */
  private skipString(from: number): number {
    const { chunk } = this;
    const isKeyLevel = this.depth - this.outer <= 2;
    if (!this.inString) this.lastString = '';
    const start = this.isEscaped ? from + 1 : from;
    for (let search = start; ;) {
      const found = chunk.indexOf('"', search);
      const stop = found < 0 ? chunk.length : found;
      let slashes = 0;
      while (stop - slashes > start && chunk.charCodeAt(stop - slashes - 1) === backslash) slashes++;
      this.isEscaped = slashes % 2 === 1;
      if (found >= 0 && this.isEscaped) {
        search = found + 1;
        continue;
      }
      this.inString = found < 0;
      if (isKeyLevel) this.lastString = (this.lastString + chunk.slice(from, Math.min(stop, from + maxKeyLength))).slice(0, maxKeyLength);
      return found < 0 ? chunk.length : found + 1;
    }
  }

  private append(to: number): void {
    if (this.problem) return;
    if (this.text.length + to - this.from > this.maxLength) {
      this.problem = 'line.too_long';
      this.text = '';
    } else this.text += this.chunk.slice(this.from, to);
    this.from = to;
  }

  private finishElement(to: number): void {
    this.append(to);
    this.mode = 'list';
    if (this.problem) this.pieces.push({ error: this.problem, line: this.elementLine });
    else this.pieces.push(parsed(this.text, this.list, this.elementLine));
    this.text = '';
  }

  private fail(): void {
    this.hasFailed = true;
    this.pieces.push({ error: 'line.unreadable', line: this.mode === 'element' ? this.elementLine : this.line });
    this.mode = 'list';
    this.text = '';
  }
}

function parsed(text: string, list: string, line: number): JsonPiece {
  try {
    return { value: JSON.parse(text) as unknown, list, line };
  } catch {
    return { error: 'line.unreadable', line };
  }
}
