import { readArticlePicture, type PublicArticle } from '@tandem/contracts';
import { articleHeadings, markdownText, renderMarkdown, type MarkdownAttributes } from '@tandem/contracts/values';
import { apiBase } from '../routes/for-operation';
import { escapeHtml } from './page-head';

const maxDescription = 155;
/** Each part has its own direction, as in the web app (web/src/lib/markdown.tsx). */
const directed: ReadonlySet<string> = new Set(['p', 'li', 'blockquote']);

const pathOfPicture = (id: string) => apiBase + readArticlePicture.path.replace(':id', id);

function attributesOf(tag: string, { href, start }: MarkdownAttributes, host: string): string {
  const direction = directed.has(tag) ? ' dir="auto"' : '';
  if (href !== undefined) return ` href="${escapeHtml(href)}"${isOnHost(href, host) ? '' : ' rel="nofollow noopener"'}`;
  return start === undefined ? direction : ` start="${start}"`;
}

function isOnHost(href: string, host: string): boolean {
  return URL.canParse(href) && new URL(href).host === host;
}

/**
 * The text of an article as HTML, with the elements that the web app shows for it (web/src/lib/article-markdown.tsx). All texts and
 * addresses are escaped. `host` is the host of the page, whose links search engines follow.
 */
export function articleHtml({ body, pictures }: Pick<PublicArticle, 'body' | 'pictures'>, host: string): string {
  const files = new Map(pictures.map(({ file_name, id }) => [file_name, id]));
  const headings = articleHeadings(body);
  let index = 0;
  return renderMarkdown<string>(body, {
    element: (tag, _key, children, attributes) => `<${tag}${attributesOf(tag, attributes, host)}>${children.join('')}</${tag}>`,
    text: escapeHtml,
    picture: (file, alt) => {
      const id = files.get(file);
      if (id === undefined) return escapeHtml(`[${alt || file}]`);
      return `<img src="${escapeHtml(pathOfPicture(id))}" alt="${escapeHtml(alt)}" loading="lazy" />`;
    },
    heading: (_level, _key, children) => {
      const { tag, id } = headings[index++]!;
      return `<${tag} id="${escapeHtml(id)}" dir="auto">${children.join('')}</${tag}>`;
    },
  }).join('');
}

/** For search engines and link previews: the summary, or the beginning of the text. */
export function articleDescription({ summary, body }: Pick<PublicArticle, 'summary' | 'body'>): string {
  if (summary !== null) return summary;
  const text = markdownText(body.slice(0, 2_000)).replace(/\s+/g, ' ').trim();
  if (text.length <= maxDescription) return text;
  const cut = text.slice(0, maxDescription - 1);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), maxDescription / 2))
    .toWellFormed()
    .trimEnd()}…`;
}
