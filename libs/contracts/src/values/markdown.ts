import { cleanLines, stripDirections } from './text';

/**
 * The Markdown of comments: bold, italic, strikethrough, code, code blocks, headings, links, lists, quotes, and pictures among the
 * comment's own files. Everything else, HTML above all, is text (docs/decisions/0037-markdown-in-comments.md).
 *
 * Takes time proportional to the text, and its result is at most `maxDepth` blocks and six inline elements deep, so that callers can
 * recurse.
 */
export type MarkdownInline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'strong' | 'emphasis' | 'strike'; children: MarkdownInline[] }
  | { type: 'link'; href: string; children: MarkdownInline[] }
  /** `file` is the name of a file of the same comment. */
  | { type: 'picture'; file: string; alt: string };

export type MarkdownBlock =
  | { type: 'paragraph'; children: MarkdownInline[] }
  /** `level` is the number of `#`, 1 to 6. */
  | { type: 'heading'; level: number; children: MarkdownInline[] }
  | { type: 'code'; text: string }
  | { type: 'quote'; children: MarkdownBlock[] }
  | { type: 'list'; ordered: boolean; start: number; items: MarkdownBlock[][] };

/** Quotes and lists within each other; deeper ones are text. */
const maxDepth = 8;

// ---- blocks -----------------------------------------------------------------------------------------------------

const fence = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
const quote = /^ {0,3}>/;
const heading = /^ {0,3}(#{1,6}) +(\S.*)$/;
const marker = /^( {0,3})([-*+]|(\d{1,9})[.)])( {1,4})(?=\S)/;

const indentOf = (line: string): number => /^ */.exec(line)![0].length;
const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === '';
/** Removes at most `width` spaces. */
const dedent = (line: string, width: number): string => line.slice(Math.min(indentOf(line), width));

/** Lines with a position, which the functions below advance past the block that they return. */
interface Reader {
  lines: string[];
  at: number;
  depth: number;
}

function readCode(reader: Reader, opening: string): MarkdownBlock {
  const indent = indentOf(reader.lines[reader.at]!);
  const inside: string[] = [];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at]!;
    const closing = fence.exec(line)?.[1];
    if (closing?.startsWith(opening) && line.trim() === closing) {
      reader.at += 1;
      break;
    }
    inside.push(dedent(line, indent));
  }
  return { type: 'code', text: inside.join('\n') };
}

function readQuote(reader: Reader): MarkdownBlock {
  const inside: string[] = [];
  for (; reader.at < reader.lines.length && quote.test(reader.lines[reader.at]!); reader.at += 1) {
    inside.push(reader.lines[reader.at]!.replace(/^ {0,3}> ?/, ''));
  }
  return { type: 'quote', children: readBlocks(inside, reader.depth + 1) };
}

/** The position of the next line that is not blank. */
function skipBlank({ lines, at }: Reader): number {
  let next = at;
  while (isBlank(lines[next])) next += 1;
  return next;
}

function readItem(reader: Reader, first: RegExpExecArray): MarkdownBlock[] {
  const base = first[1]!.length;
  const inside = [reader.lines[reader.at]!.slice(first[0].length)];
  reader.at += 1;
  for (;;) {
    const next = skipBlank(reader);
    const line = reader.lines[next];
    if (line === undefined || indentOf(line) < base + 2) return readBlocks(inside, reader.depth + 1);
    for (; reader.at < next; reader.at += 1) inside.push('');
    inside.push(dedent(line, first[0].length));
    reader.at = next + 1;
  }
}

function readList(reader: Reader, first: RegExpExecArray): MarkdownBlock {
  const ordered = first[3] !== undefined;
  const items: MarkdownBlock[][] = [];
  for (let item: RegExpExecArray | null = first; item && (item[3] !== undefined) === ordered;) {
    items.push(readItem(reader, item));
    const next = skipBlank(reader);
    item = marker.exec(reader.lines[next] ?? '');
    if (item && (item[3] !== undefined) === ordered) reader.at = next;
  }
  return { type: 'list', ordered, start: ordered ? Number(first[3]) : 1, items };
}

/** Whether a line ends the paragraph before it. A number other than 1 does not: `… in\n2019. Since then …` is one sentence. */
function interrupts(line: string, isNestable: boolean): boolean {
  if (isBlank(line) || fence.test(line) || heading.test(line)) return true;
  const item = isNestable ? marker.exec(line) : null;
  return isNestable && (quote.test(line) || (item !== null && (item[3] === undefined || item[3] === '1')));
}

function readParagraph(reader: Reader, isNestable: boolean): MarkdownBlock {
  const from = reader.at;
  do reader.at += 1;
  while (reader.at < reader.lines.length && !interrupts(reader.lines[reader.at]!, isNestable));
  return { type: 'paragraph', children: readInline(reader.lines.slice(from, reader.at).join('\n').trimEnd()) };
}

function readBlock(reader: Reader): MarkdownBlock {
  const line = reader.lines[reader.at]!;
  const isNestable = reader.depth < maxDepth;
  const opening = fence.exec(line)?.[1];
  if (opening) return readCode(reader, opening);
  const title = heading.exec(line);
  if (title) {
    reader.at += 1;
    return { type: 'heading', level: title[1]!.length, children: readInline(title[2]!) };
  }
  if (isNestable && quote.test(line)) return readQuote(reader);
  const item = isNestable ? marker.exec(line) : null;
  return item ? readList(reader, item) : readParagraph(reader, isNestable);
}

function readBlocks(lines: string[], depth: number): MarkdownBlock[] {
  const reader: Reader = { lines, at: 0, depth };
  const blocks: MarkdownBlock[] = [];
  for (reader.at = skipBlank(reader); reader.at < lines.length; reader.at = skipBlank(reader)) blocks.push(readBlock(reader));
  return blocks;
}

// ---- inline -----------------------------------------------------------------------------------------------------

type Emphasis = '**' | '__' | '*' | '_' | '~~';
const emphasisTypes = { '**': 'strong', __: 'strong', '*': 'emphasis', _: 'emphasis', '~~': 'strike' } as const;

const plain = /[^\\`*_~[\]!<hH]+/y;
const escaped = /\\([!-/:-@[-`{-~])/y;
const ticks = /`+/y;
const delimiters = /\*+|_+|~+/y;
const bracketed = /<(https?:\/\/[^\s<>]{1,2000})>/iy;
const address = /https?:\/\/[^\s<>"')\]\\]+/iy;
/** All lengths are limited, so that a failing match takes constant time. */
const destination = /\(([^\s()<>]{1,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)(?: "[^"\n]{0,300}")?\)/y;
const safeAddress = /^(?:https?:\/\/[^\s/?#\\][^\s\\]*|mailto:[^\s@\\]+@[^\s@\\]+)$/i;
const fileName = /^[^\\/:?#]+$/;

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

/** The end of an address in a sentence: its punctuation and closing emphasis are not part of it. */
function endOfAddress(text: string): number {
  let end = text.length;
  while (end > 0 && '.,;:!?*_~'.includes(text[end - 1]!)) end -= 1;
  return end;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text of inline elements, without their markup. */
export const inlineText = (elements: MarkdownInline[]): string =>
  elements.map((each) => ('text' in each ? each.text : each.type === 'picture' ? each.alt : inlineText(each.children))).join('');

/** A link cannot contain another one. */
const withoutLinks = (elements: MarkdownInline[]): MarkdownInline[] =>
  elements.flatMap((each): MarkdownInline[] => {
    if (each.type === 'link') return each.children;
    return 'children' in each ? [{ ...each, children: withoutLinks(each.children) }] : [each];
  });

/** One pass over a text. Delimiters that open something are text in `out` until their counterpart is found. */
class InlineReader {
  private at = 0;
  private readonly out: MarkdownInline[] = [];
  /** The position in `out` of each open delimiter; at most one of a kind, so that elements cannot nest without end. */
  private readonly open = new Map<Emphasis, number>();
  private brackets: { at: number; isPicture: boolean }[] = [];
  /** The text at this position in `out` is a delimiter: following text must not be appended to it. */
  private delimiterAt = -1;
  /** The positions of backtick runs by their length, in reverse order: each is looked up once. */
  private readonly runs = new Map<number, number[]>();

  constructor(private readonly text: string) {
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const positions = this.runs.get(run.length);
      if (positions) positions.push(index);
      else this.runs.set(run.length, [index]);
    }
    for (const positions of this.runs.values()) positions.reverse();
  }

  read(): MarkdownInline[] {
    while (this.at < this.text.length) this.step();
    return this.out;
  }

  private step() {
    const run = this.match(plain);
    if (run) return this.addText(run[0]);
    const character = this.text[this.at]!;
    if (character === '\\') return this.readEscape();
    if (character === '`') return this.readCode();
    if (character === '[' || (character === '!' && this.text[this.at + 1] === '[')) return this.openBracket();
    if (character === ']') return this.closeBracket();
    if (character === '<') return this.readBracketed();
    if (character === 'h' || character === 'H') return this.readAddress();
    const delimiter = this.match(delimiters);
    if (delimiter) return this.readDelimiters(delimiter[0]);
    this.addText(character, 1);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  private addText(text: string, length = text.length) {
    const last = this.out.at(-1);
    if (last?.type === 'text' && this.out.length - 1 !== this.delimiterAt) last.text += text;
    else this.out.push({ type: 'text', text });
    this.at += length;
  }

  private addDelimiter(text: string) {
    this.delimiterAt = this.out.push({ type: 'text', text }) - 1;
    this.at += text.length;
  }

  /** Removes everything after the delimiter at `from` from the result, together with the delimiter. */
  private takeFrom(from: number): MarkdownInline[] {
    for (const [kind, at] of this.open) if (at >= from) this.open.delete(kind);
    while ((this.brackets.at(-1)?.at ?? -1) >= from) this.brackets.pop();
    this.delimiterAt = -1;
    return this.out.splice(from).slice(1);
  }

  private readEscape() {
    const [whole, character] = this.match(escaped) ?? ['\\', '\\'];
    this.addText(character, whole.length);
  }

  private readCode() {
    const run = this.match(ticks)![0];
    const from = this.at + run.length;
    const positions = this.runs.get(run.length)!;
    while ((positions.at(-1) ?? Infinity) < from) positions.pop();
    const end = positions.at(-1);
    if (end === undefined) return this.addText(run);
    const inside = this.text.slice(from, end).replaceAll('\n', ' ');
    const isPadded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
    this.out.push({ type: 'code', text: isPadded ? inside.slice(1, -1) : inside });
    this.at = end + run.length;
  }

  private openBracket() {
    const isPicture = this.text[this.at] === '!';
    this.brackets.push({ at: this.out.length, isPicture });
    this.addDelimiter(isPicture ? '![' : '[');
  }

  private closeBracket() {
    const bracket = this.brackets.pop();
    this.at += 1;
    const target = bracket && this.match(destination);
    const element = target && this.elementOf(bracket, target[1]!);
    if (!element) return this.addText(']', 0);
    this.out.push(element);
    this.at += target[0].length;
  }

  /** The link or picture; undefined if the destination is neither a safe address nor, for a picture, the name of a file. */
  private elementOf({ at, isPicture }: { at: number; isPicture: boolean }, target: string): MarkdownInline | undefined {
    const isAddress = safeAddress.test(target);
    const file = decoded(target);
    if (!isAddress && !(isPicture && fileName.test(file))) return undefined;
    const inside = withoutLinks(this.takeFrom(at));
    if (!isAddress) return { type: 'picture', file, alt: inlineText(inside) };
    if (!isPicture) this.brackets = [];
    return { type: 'link', href: target, children: inside.length > 0 ? inside : [{ type: 'text', text: target }] };
  }

  private readBracketed() {
    const found = this.match(bracketed);
    if (!found || !safeAddress.test(found[1]!)) return this.addText('<', 1);
    this.addLink(found[1]!, found[0].length);
  }

  private readAddress() {
    const found = isWord(this.text[this.at - 1]) ? '' : (this.match(address)?.[0] ?? '');
    const href = found.slice(0, endOfAddress(found));
    if (safeAddress.test(href)) this.addLink(href, href.length);
    else this.addText(this.text[this.at]!, 1);
  }

  private addLink(href: string, length: number) {
    this.out.push({ type: 'link', href, children: [{ type: 'text', text: href }] });
    this.at += length;
  }

  /** A run of one to three delimiters: italic, bold, or both. Longer runs are text, such as a line of asterisks. */
  private readDelimiters(run: string) {
    const character = run[0]!;
    if (run.length > 3 || (character === '~' && run.length !== 2)) return this.addText(run);
    const before = this.text[this.at - 1];
    const after = this.text[this.at + run.length];
    // Within a word only ** and ~~ count, so that snake_case and 2*3*4 stay unchanged.
    const isInWord = (run.length === 1 || character === '_') && { before: isWord(before), after: isWord(after) };
    const mayClose = !isSpace(before) && !(isInWord && isInWord.after);
    const mayOpen = !isSpace(after) && !(isInWord && isInWord.before);
    for (let left = run.length; left > 0;) {
      const kind = this.kindOf(character, left, mayClose);
      left -= kind.length;
      if (mayClose && this.open.has(kind)) this.close(kind);
      else if (mayOpen && !this.open.has(kind)) {
        this.open.set(kind, this.out.length);
        this.addDelimiter(kind);
      } else this.addText(kind);
    }
  }

  /** For `***`, closes the mark first that was opened last. */
  private kindOf(character: string, left: number, mayClose: boolean): Emphasis {
    const [single, double] = [character as Emphasis, character.repeat(2) as Emphasis];
    if (left < 2) return single;
    const isSingleLast = left === 3 && mayClose && (this.open.get(single) ?? -1) > (this.open.get(double) ?? -1);
    return isSingleLast ? single : double;
  }

  private close(kind: Emphasis) {
    const from = this.open.get(kind)!;
    const children = this.takeFrom(from);
    this.out.push({ type: emphasisTypes[kind], children });
    this.at += kind.length;
  }
}

const readInline = (text: string): MarkdownInline[] => new InlineReader(text).read();

/**
 * Leading tabs count four spaces. Characters that change the direction of the text after them are left out: they could display another
 * address than a link opens.
 */
const linesOf = (text: string): string[] =>
  stripDirections(cleanLines(text))
    .split('\n')
    .map((line) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    ')));

export const parseMarkdown = (text: string): MarkdownBlock[] => readBlocks(linesOf(text), 0);

/** The text without markup and pictures, as one line per paragraph, for previews. */
export function markdownText(text: string): string {
  const textOf = (block: MarkdownBlock): string => {
    if (block.type === 'code') return block.text;
    if (block.type === 'quote') return block.children.map(textOf).join('\n');
    if (block.type === 'list') return block.items.map((item) => item.map(textOf).join('\n')).join('\n');
    return inlineText(block.children);
  };
  return parseMarkdown(text).map(textOf).join('\n');
}
