/** Characters that mean something to Markdown anywhere in a line. Underscores in words too: not every renderer leaves them alone. */
const special = /[\\`*_{}[\]<>#~|&!$]/g;
/** Inside an address, whose characters a renderer takes as they are: only what could end it, or begin something else. */
const specialInAddress = /[\\`*[\]<>~|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=#?\w+;)/g;
const address = /\bhttps?:\/\/[^\s<>"'`\\]+/g;

/**
 * A text as Markdown that shows exactly that text: no emphasis, no heading, no list, no link but plain addresses, no HTML. Lines keep their ends by
 * `lineEnd` (CommonMark would join them) and their indentation by no-break spaces (four spaces would be a block of code). `more` does to the escaped
 * words, addresses left out, what a tool needs beyond Markdown.
 */
export function escapeMarkdown(text: string, lineEnd: string, more: (escaped: string) => string = (escaped) => escaped): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => escapeLine(line, more));
  return lines
    .map((line, i) => (i === lines.length - 1 ? line : line === '' || lines[i + 1] === '' ? `${line}\n` : line + lineEnd))
    .join('');
}

function escapeLine(line: string, more: (escaped: string) => string): string {
  const content = line.trimEnd();
  const [indentation = ''] = /^[ \t]*/.exec(content) ?? [];
  const rest = escapeWords(content.slice(indentation.length), more)
    // What means something only where a line begins: lists, rules, headings underlined, rows of tables.
    .replace(/^([-+=:])/, '\\$1')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
  return indentation.replaceAll('\t', '    ').replaceAll(' ', '\u00a0') + rest;
}

function escapeWords(text: string, more: (escaped: string) => string): string {
  const plain = (words: string) => more(words.replace(special, '\\$&'));
  let escaped = '';
  let from = 0;
  for (const { index, 0: found } of text.matchAll(address)) {
    escaped += plain(text.slice(from, index)) + found.replace(specialInAddress, '\\$&');
    from = index + found.length;
  }
  return escaped + plain(text.slice(from));
}

/** The way back for tools that hand out the Markdown itself: what was escaped is what it was, other Markdown stays as its author wrote it. */
export function unescapeMarkdown(markdown: string): string {
  return plainIndentation(markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
}

export function plainIndentation(text: string): string {
  return text.replace(/^\u00a0+/gm, (spaces) => ' '.repeat(spaces.length));
}
