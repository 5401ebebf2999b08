import type sanitizeHtml from 'sanitize-html';
import type TurndownService from 'turndown';
import { boundedHtml } from '../../mail-in/html-bounds';
import { stripMarkers, textWithMarkers } from '../../mail-in/html-text';
import { cleanText } from './json-values';

/** Tags within each other. The parser and the converter call themselves once per level. */
const maxNesting = 60;
/** Quotes and lists within each other: each adds a prefix to all lines inside of it. Our Markdown has eight levels. */
const maxIndented = 8;
const indenting = /<(\/?)(blockquote|ul|ol)(?=[\s>])[^>]*>/g;

const tags = [
  'p', 'div', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'b', 'strong', 'i', 'em', 's', 'del',
  'strike', 'a', 'table', 'thead', 'tbody', 'tr', 'td', 'th', 'span',
]; // prettier-ignore
const attributes = { a: ['href'], img: ['src', 'alt'], ol: ['start'] };

/** The types of the DOM are not available in the services. */
const nodeNameOf = (node: object): string => (node as { nodeName: string }).nodeName;

let converter: TurndownService | undefined;
/** Loaded with the first import that needs it, like the sanitizer: they take 30 ms of the start of a process. */
function turndown(): TurndownService {
  if (converter) return converter;
  // oxlint-disable-next-line typescript/no-require-imports
  const Turndown = require('turndown') as typeof TurndownService;
  const service = new Turndown({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced', emDelimiter: '_', br: '' });
  service.addRule('strike', {
    filter: (node: object) => ['S', 'DEL', 'STRIKE'].includes(nodeNameOf(node)),
    replacement: (text) => (text.trim() ? `~~${text}~~` : text),
  });
  // Our Markdown has no tables: a row becomes a line.
  service.addRule('cell', { filter: ['td', 'th'], replacement: (text) => `${text.trim().replace(/\s*\n\s*/g, ' ')} | ` });
  service.addRule('row', { filter: 'tr', replacement: (text) => `\n\n${text.trim().replace(/ \|$/, '')}\n\n` });
  service.addRule('rule', { filter: 'hr', replacement: () => '\n\n' });
  return (converter = service);
}

/** Removes quotes and lists inside of `maxIndented` others, but not their text. The HTML comes from the sanitizer, so its tags match. */
function flatten(html: string): string {
  let depth = 0;
  return html.replace(indenting, (tag, end: string) => {
    if (end) return depth-- > maxIndented ? '' : tag;
    return ++depth > maxIndented ? '' : tag;
  });
}

function clean(html: string, more: readonly string[]): string {
  // oxlint-disable-next-line typescript/no-require-imports
  const sanitize = require('sanitize-html') as typeof sanitizeHtml;
  return flatten(
    sanitize(boundedHtml(cleanText(html)), {
      allowedTags: [...tags, ...more],
      allowedAttributes: attributes,
      allowedSchemes: ['http', 'https', 'mailto'],
      allowedSchemesByTag: { img: ['http', 'https'] },
      nestingLimit: maxNesting,
    }),
  );
}

/** Text with these characters could be read as Markdown, or is HTML. */
const needsConverting = /[<&\\`*_~[\]!#>|]|^\s*([-+=]|\d+[.)])/m;

/**
 * Converts HTML to the Markdown of comments (docs/decisions/0037-markdown-in-comments.md). Pictures are left out. Takes time proportional
 * to the HTML, of which at most 500,000 characters are read.
 */
export function htmlToMarkdown(html: string): string {
  const simple = withoutParagraphs(html);
  if (!needsConverting.test(simple)) return cleanText(simple).trim();
  return turndown().turndown(clean(html, [])).trim();
}

/** Most comments have paragraphs, line breaks and no other tags: the converter needs a hundred times as long for them. */
const withoutParagraphs = (html: string): string =>
  html
    .replace(/\s+/g, ' ')
    .replace(/ ?<br ?\/?> ?/g, '\n')
    .replace(/ ?<\/(?:p|div)> ?/g, '\n\n')
    .replace(/ ?<(?:p|div)(?: (?:dir="(?:auto|ltr)"|class="zd-comment"))*> ?/g, '')
    .replace(/\n{3,}/g, '\n\n');

/** Converts HTML to plain text, for what customers wrote. */
export const htmlToText = (html: string): string => stripMarkers(textWithMarkers(cleanText(html)));

export interface ArticlePicture {
  url: string;
  /** Unique in the article, and without characters that end the name in Markdown. */
  file_name: string;
}

/** At most 100 pictures of an article are stored (`articleLimits.pictures`). */
const maxPictures = 100;

/** Converts the HTML of an article. Its pictures become `![alt](name)`, and are returned so that they can be downloaded. */
export function articleToMarkdown(html: string): { body: string; pictures: ArticlePicture[] } {
  const pictures = new Map<string, ArticlePicture>();
  const names = new Set<string>();
  const withNames = clean(html, ['img']).replace(/<img src="([^"]{1,4000})"([^>]*)>/g, (_tag, source: string, rest: string) => {
    const url = source.replaceAll('&amp;', '&');
    if (!pictures.has(url) && pictures.size >= maxPictures) return '';
    const picture = pictures.get(url) ?? { url, file_name: uniqueName(fileNameOf(url), names) };
    pictures.set(url, picture);
    return `<img src="${picture.file_name}"${rest}>`;
  });
  return { body: turndown().turndown(withNames).trim(), pictures: [...pictures.values()] };
}

function fileNameOf(url: string): string {
  const last = /\/([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^https?:\/\/[^/]*/, ''))?.[1] ?? 'picture';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // A name with a lone percent sign is used as it is.
  }
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(-100);
}

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = name.replace(/(\.[^.]*)?$/, `-${count}$1`);
  taken.add(unique.toLowerCase());
  return unique;
}

/** Whether text that can be either is HTML. */
export const looksLikeHtml = (text: string): boolean => /<(p|div|br|span|ul|ol|li|table|h[1-6]|strong|b|em|a)(\s[^<>]*)?\/?>/i.test(text);
