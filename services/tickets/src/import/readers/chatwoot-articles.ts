import type { ArticleCategoryRecord, ArticleRecord, FileRecord } from '@tandem/contracts';
import type { SourceItem, SourcePlace } from '../import-reader';
import type { Article, Category } from './chatwoot-schemas';
import { isoTime, languageOf } from './chatwoot-ticket';

/** Categories and articles of Chatwoot's portals, as records. */

export const categoryRecord = ({ id, name, description }: Category, position: number): ArticleCategoryRecord => ({
  key: String(id),
  name,
  description: description || null,
  position,
});

/** An archived article becomes a draft: readers do not see it. Its text is Markdown in both products. */
export function articleItems(article: Article, defaultLocale: string | null, at: SourcePlace): SourceItem[] {
  const key = String(article.id);
  const updated = article.updated_at ?? article.created_at ?? 0;
  const created_at = isoTime(article.created_at ?? updated);
  const category = article.category?.id ?? article.category_id;
  const { body, pictures } = namePictures(article.content ?? '');
  const data: ArticleRecord = {
    key,
    title: article.title,
    summary: article.description || null,
    body,
    language: languageOf(article.locale ?? article.category?.locale ?? defaultLocale),
    category: category == null ? null : String(category),
    visibility: 'public',
    state: article.status === 'published' ? 'published' : 'draft',
    created_at,
    updated_at: isoTime(updated),
  };
  const files = pictures.map(({ url, file_name }): FileRecord => {
    const parent = { ticket: null, comment: null, article: key, created_at };
    return { key: `article-${key}-${file_name}`, ...parent, file_name, size: null, entry: null, url };
  });
  return [
    { type: 'record', record: { kind: 'article', data }, at },
    ...files.map((file): SourceItem => ({ type: 'record', record: { kind: 'file', data: file }, at })),
  ];
}

/** Replaces the addresses of pictures by names, as `articleToMarkdown` does: `![Menu](1-menu.png)`. */
function namePictures(markdown: string): { body: string; pictures: { url: string; file_name: string }[] } {
  const names = new Map<string, string>();
  const body = markdown.replace(/(!\[[^\]]*\]\()(https?:\/\/[^\s)]+)/g, (_match, start: string, url: string) => {
    const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
    const name = names.get(url) ?? `${names.size + 1}-${last.replace(/%[0-9a-f]{2}|[^\w.-]+/gi, '-').slice(-100) || 'picture'}`;
    names.set(url, name);
    return start + name;
  });
  return { body, pictures: [...names].map(([url, file_name]) => ({ url, file_name })) };
}
