import { foldCase, renderMarkdown } from '@tandem/contracts/values';

/** Longer texts are cut before an excerpt is searched in them. */
const maxSearched = 20_000;
const excerptLength = 150;

/** The text of an article without Markdown, on one line. Pictures are left out. */
export function plainText(markdown: string): string {
  const join = (parts: string[]) => parts.join('');
  const inline = new Set(['strong', 'em', 's', 'code', 'a']);
  const blocks = renderMarkdown<string>(markdown.slice(0, maxSearched), {
    element: (tag, _key, children) => (inline.has(tag) ? join(children) : ` ${join(children)} `),
    text: (text) => text,
    picture: () => '',
    heading: (_level, _key, children) => ` ${join(children)}. `,
  });
  return join(blocks).replace(/\s+/g, ' ').trim();
}

const ideograph = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}/u;

/** Words of one or two characters match too much of a text, unless there are no others, as in Chinese and Japanese. */
function wordsOf(query: string): string[] {
  const all = [...new Set(foldCase(query).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])];
  const long = all.filter((word) => word.length > 2);
  return (long.length > 0 ? long : all).slice(0, 12);
}

/** An inflected form has the same beginning: `refunds` also finds `refunded`. */
const stemOf = (word: string): string => (word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : word);
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Chinese and Japanese words are found anywhere, all others at the beginning of a word. */
const patternOf = (word: string): RegExp =>
  new RegExp(ideograph.test(word) ? escape(word) : `(?<![\\p{L}\\p{N}\\p{M}])${escape(stemOf(word))}`, 'giu');

/** The passage of a text with most of the words of the query, about 150 characters. Null if it has none of them. */
export function excerptOf(text: string, query: string): string | null {
  const words = wordsOf(query).map(patternOf);
  const found = words.flatMap((word, index) => [...text.matchAll(word)].slice(0, 100).map((match) => ({ at: match.index, index })));
  if (found.length === 0) return null;
  found.sort((a, b) => a.at - b.at);
  let best = { at: 0, count: 0 };
  for (const { at } of found) {
    const inside = found.filter((other) => other.at >= at && other.at < at + excerptLength - 40);
    const count = new Set(inside.map(({ index }) => index)).size;
    if (count > best.count) best = { at, count };
  }
  return cut(text, best.at);
}

/** About 150 characters that begin shortly before the position, at a space. */
function cut(text: string, at: number): string {
  const wanted = Math.max(0, Math.min(at - 30, text.length - excerptLength));
  const space = wanted === 0 ? -1 : text.indexOf(' ', wanted);
  const from = wanted === 0 ? 0 : space >= 0 && space < at ? space + 1 : wanted;
  const end = from + excerptLength;
  const lastSpace = text.lastIndexOf(' ', end);
  const to = end >= text.length ? text.length : lastSpace > from + excerptLength / 2 ? lastSpace : end;
  const passage = text.slice(from, to).toWellFormed().trim();
  return `${from > 0 ? '…' : ''}${passage}${to < text.length ? '…' : ''}`;
}

const email = /[^\s@]+@[^\s@]+/u;
/** A phone or card number can have spaces, dots, dashes, slashes or brackets between its digits. */
const longNumber = /(?:\p{Nd}[\s.\-–/()]*){9}/u;

/** A query as the report lists it, folded. Null if it may contain personal data: an email address, or a number of more than 8 digits. */
export function storableQuery(query: string): string | null {
  if (email.test(query) || longNumber.test(query)) return null;
  const folded = foldCase(query.normalize('NFC')).replace(/\s+/gu, ' ').trim();
  return [...folded].slice(0, 200).join('').trim() || null;
}
