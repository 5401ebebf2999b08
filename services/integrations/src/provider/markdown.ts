/** Characters with a meaning anywhere in a Markdown line. Underscores within words too, because some renderers interpret them. */
const special = /[\\`*_{}[\]<>#~|&!$]/g;
/** Within a URL, whose characters renderers keep: only those that could end it or start other markup. */
const specialInAddress = /[\\`*[\]<>~|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=#?\w+;)/g;
const address = /\bhttps?:\/\/[^\s<>"'`\\]+/g;

/**
 * Escapes a text as Markdown that shows exactly that text: no emphasis, headings, lists or HTML, and no links except plain URLs. `lineEnd`
 * keeps line breaks (CommonMark would join the lines), and no-break spaces keep the indentation (four spaces would be a code block). `more`
 * is applied to the escaped text outside URLs, for escapes that a tool needs beyond Markdown.
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
    // Markup that is only recognized at the start of a line: lists, rules, underlined headings, table rows.
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

/** The reverse, for tools that return Markdown source: escapes are removed, all other Markdown stays as its author wrote it. */
export function unescapeMarkdown(markdown: string): string {
  return plainIndentation(markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
}

export function plainIndentation(text: string): string {
  return text.replace(/^\u00a0+/gm, (spaces) => ' '.repeat(spaces.length));
}
