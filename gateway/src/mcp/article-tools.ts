import { AppError, articlePath, Id, listArticles, readArticle, type ArticleSummary } from '@tandem/contracts';
import * as z from 'zod';
import { more } from './texts';
import { page, tool, type Tool, type ToolContext } from './tool';

const articleRow = (article: ArticleSummary, { untrusted, linkTo }: ToolContext) => ({
  id: article.id,
  number: article.number,
  title: untrusted(article.title),
  summary: article.summary === null ? null : untrusted(article.summary),
  language: article.language,
  state: article.state,
  visibility: article.visibility,
  has_unpublished_changes: article.has_unpublished_changes,
  published_at: article.published_at,
  updated_at: article.updated_at,
  url: linkTo(`/articles/${article.id}`),
  /** On the organization's help pages; null if customers cannot read it. */
  public_path:
    article.published_title !== null && article.visibility === 'public'
      ? articlePath({ number: article.number, title: article.published_title })
      : null,
});
type ArticleRow = ReturnType<typeof articleRow>;

function audienceOf({ state, visibility }: ArticleRow): string {
  if (state === 'draft') return 'draft';
  return visibility === 'internal' ? 'published for the team only' : 'published for customers';
}

const rowText = (row: ArticleRow): string =>
  [
    `${row.number}: ${audienceOf(row)}`,
    row.language,
    ...(row.has_unpublished_changes ? ['its draft has changes that are not published'] : []),
    `title ${row.title}`,
    ...(row.summary === null ? [] : [`summary ${row.summary}`]),
  ].join('; ');

const searchArticles = tool({
  name: 'search_articles',
  title: 'Search help articles',
  description:
    'Find help articles by the words of their title, summary or text, the best matches first. Includes drafts and articles that only the team can read. read_article has the text.',
  permissions: ['articles:read'],
  input: z.strictObject({
    query: z.string().trim().min(1).max(200).describe('Words of the title, summary or text'),
    state: z.enum(['draft', 'published']).optional(),
    visibility: z.enum(['public', 'internal']).optional().describe('internal: only the team can read it'),
    ...page,
  }),
  effect: 'read',
  async run(context, { query: q, ...filter }) {
    const { items, pagination } = await context.call(listArticles, { query: { q, ...filter } });
    const articles = items.map((item) => articleRow(item, context));
    const { total, next_cursor } = pagination;
    const heading = `${total} ${total === 1 ? 'article' : 'articles'}`;
    return { text: [heading, ...articles.map(rowText), ...more(next_cursor)].join('\n'), data: { total, articles, next_cursor } };
  },
});

/** A text that is longer is cut: it would fill an assistant's context. */
const maxBody = 20_000;

const readOneArticle = tool({
  name: 'read_article',
  title: 'Read a help article',
  description:
    'One help article with the text of its draft in Markdown. For a published article without unpublished changes, customers see this text.',
  permissions: ['articles:read'],
  input: z.strictObject({ article: z.string().trim().min(1).max(100).describe('The id of the article, as search_articles returns it') }),
  effect: 'read',
  async run(context, { article: reference }) {
    const id = Id.safeParse(reference);
    if (!id.success) throw new AppError('article.not_found');
    const found = await context.call(readArticle, { params: { id: id.data } });
    const article = { ...articleRow(found, context), body: context.untrusted(found.body, maxBody) };
    return { text: `${rowText(article)}\n\n${article.body}`, data: { article } };
  },
});

export const articleTools: readonly Tool[] = [searchArticles, readOneArticle];
