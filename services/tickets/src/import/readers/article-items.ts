import { languages, matchLanguage, type ArticleRecord } from '@tandem/contracts';
import type { SourceItem, SourcePlace } from '../import-reader';
import { articleToMarkdown } from './html-markdown';
import { record } from './source-items';

export type HtmlArticle = Omit<ArticleRecord, 'body' | 'language'> & { html: string; locale: string | null };

/** Yields an article whose text is HTML, and its pictures. */
export function* articleItems({ html, locale, ...article }: HtmlArticle, at: SourcePlace): Generator<SourceItem, void> {
  const { body, pictures } = articleToMarkdown(html);
  const language = locale === null ? null : matchLanguage([locale.replace('_', '-')], languages, null);
  yield record('article', { ...article, body, language }, at);
  for (const [index, { url, file_name }] of pictures.entries()) {
    const key = `${article.key}-picture-${index + 1}`.slice(-200);
    const picture = {
      key,
      ticket: null,
      comment: null,
      article: article.key,
      file_name,
      size: null,
      entry: null,
      url,
      created_at: article.created_at,
    };
    yield record('file', picture, at);
  }
}
