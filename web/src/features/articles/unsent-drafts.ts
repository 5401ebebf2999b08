import type { Article } from '@tandem/contracts';
import { onSignOut } from '../../lib/session-cleanup';

/** What the user changes in the editor. */
export type ArticleFields = Pick<Article, 'title' | 'summary' | 'body' | 'language' | 'category_id' | 'visibility'>;

const names = ['title', 'summary', 'body', 'language', 'category_id', 'visibility'] as const;
export const fieldsOf = (article: ArticleFields): ArticleFields =>
  Object.fromEntries(names.map((name) => [name, article[name]])) as unknown as ArticleFields;
export const changesOf = (before: ArticleFields, after: ArticleFields): Partial<ArticleFields> =>
  Object.fromEntries(names.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name]]])));

interface UnsentDraft {
  fields: ArticleFields;
  /** What the server has, as far as this editor knows, and its version. */
  saved: ArticleFields;
  version: number;
}

/** Texts that have not reached the server, by article. They outlive the editor, so that no text is lost when the user leaves it offline. */
const drafts = new Map<string, UnsentDraft>();
onSignOut({ drop: () => drafts.clear() });
addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export const unsentDrafts = {
  get: (id: string): UnsentDraft | undefined => drafts.get(id),
  keep: (id: string, draft: UnsentDraft): void => void drafts.set(id, draft),
  remove: (id: string): void => void drafts.delete(id),
};
