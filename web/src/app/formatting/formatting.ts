/** A text box: its text and what is selected in it. */
export interface Selection {
  text: string;
  from: number;
  to: number;
}

/** Replaces the text between `from` and `to`, then selects a part of the new text. Minimal, so that one undo in the browser reverts it. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  select: { from: number; to: number };
}

export type Format = 'bold' | 'italic' | 'link' | 'list' | 'quote' | 'code';

const marks = { bold: '**', italic: '_', code: '`' } as const;

/** Puts formatting marks around the selection, or removes existing ones. */
function wrap({ text, from, to }: Selection, mark: string): Edit {
  const inside = text.slice(from, to);
  const size = mark.length;
  if (text.slice(from - size, from) === mark && text.slice(to, to + size) === mark)
    return { from: from - size, to: to + size, insert: inside, select: { from: from - size, to: to - size } };
  if (inside.length > 2 * size && inside.startsWith(mark) && inside.endsWith(mark))
    return { from, to, insert: inside.slice(size, -size), select: { from, to: to - 2 * size } };
  return { from, to, insert: mark + inside + mark, select: { from: from + size, to: to + size } };
}

/** Several lines become a block, because a code span is one line. */
function code(selection: Selection): Edit {
  const { text, from, to } = selection;
  const inside = text.slice(from, to);
  if (!inside.includes('\n')) return wrap(selection, marks.code);
  const before = from === 0 || text[from - 1] === '\n' ? '```\n' : '\n```\n';
  const after = to === text.length || text[to] === '\n' ? '\n```' : '\n```\n';
  return { from, to, insert: before + inside + after, select: { from: from + before.length, to: to + before.length } };
}

const looksLikeAddress = (text: string): boolean => /^(?:https?:\/\/|mailto:)\S+$/.test(text);

/** Selects what is still missing: the address, or the text of a link whose address was selected. */
function link({ text, from, to }: Selection): Edit {
  const inside = text.slice(from, to);
  if (looksLikeAddress(inside)) return { from, to, insert: `[](${inside})`, select: { from: from + 1, to: from + 1 } };
  const at = from + inside.length + 3;
  return { from, to, insert: `[${inside}](https://)`, select: { from: at, to: at + 'https://'.length } };
}

/** Puts a prefix before each selected line, or removes it if all have it. */
function prefixLines({ text, from, to }: Selection, prefix: string): Edit {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to) < 0 ? text.length : text.indexOf('\n', to);
  const lines = text.slice(start, end).split('\n');
  const hasAll = lines.every((line) => line.startsWith(prefix));
  const insert = lines.map((line) => (hasAll ? line.slice(prefix.length) : prefix + line)).join('\n');
  const select = from === to ? { from: start + insert.length, to: start + insert.length } : { from: start, to: start + insert.length };
  return { from: start, to: end, insert, select };
}

export function format(selection: Selection, as: Format): Edit {
  switch (as) {
    case 'bold':
    case 'italic':
      return wrap(selection, marks[as]);
    case 'code':
      return code(selection);
    case 'link':
      return link(selection);
    case 'list':
      return prefixLines(selection, '- ');
    case 'quote':
      return prefixLines(selection, '> ');
  }
}

/** A line break in a list or quote: the next item, or the end of the list after an empty one. Undefined anywhere else. */
export function breakLine({ text, from, to }: Selection): Edit | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const [, prefix, indent, bullet, number, content] = /^(( *)(?:([-*>] )|(\d{1,9})\. ))(.*)$/.exec(text.slice(start, from)) ?? [];
  if (prefix === undefined || from !== to) return undefined;
  if (content === '') return { from: start, to, insert: '', select: { from: start, to: start } };
  const insert = `\n${indent}${bullet ?? `${Number(number) + 1}. `}`;
  return { from, to, insert, select: { from: from + insert.length, to: from + insert.length } };
}

export const applied = (text: string, { from, to, insert }: Edit): string => text.slice(0, from) + insert + text.slice(to);
