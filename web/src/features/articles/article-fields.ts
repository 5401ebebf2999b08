import type { Article } from '@tandem/contracts';

/** What the user changes in the editor. */
export type ArticleFields = Pick<Article, 'title' | 'summary' | 'body' | 'language' | 'category_id' | 'visibility'>;

const names = ['title', 'summary', 'body', 'language', 'category_id', 'visibility'] as const;
export const fieldsOf = (article: ArticleFields): ArticleFields =>
  Object.fromEntries(names.map((name) => [name, article[name]])) as unknown as ArticleFields;
export const changesOf = (before: ArticleFields, after: ArticleFields): Partial<ArticleFields> =>
  Object.fromEntries(names.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name]]])));
