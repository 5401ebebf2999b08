import * as z from 'zod';
import { Attachment } from './attachments';
import { event, job, operation } from './define';
import { PageQuery } from './pagination';
import { blankToNull, Id, requiredText, text, Timestamp } from './scalars';
import { byTicket, Changes, CustomerLanguage } from './tickets';
import { articleLimits, articleStates, articleVisibilities } from './values/articles';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

/** A group of articles on the help pages. Categories have no categories of their own. */
export const ArticleCategory = z.object({
  id: Id,
  /** Part of its address; never changes. Articles and categories of an organization are numbered together. */
  number: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  /** From 1, without gaps. */
  position: z.number().int(),
  /** Articles in it, drafts and internal ones included. */
  article_count: z.number().int(),
  updated_at: Timestamp,
});
export type ArticleCategory = z.infer<typeof ArticleCategory>;

const title = requiredText(articleLimits.title, 'Enter a title');
/** What a version consists of. */
const texts = {
  title,
  summary: blankToNull(articleLimits.summary),
  /** Markdown, as in comments. `![Alternative text](name.png)` shows a picture of the article. */
  body: text(articleLimits.body),
  language: CustomerLanguage,
};

/** An article without its text, for lists. */
export const ArticleSummary = z.object({
  id: Id,
  /** Part of its address (`articlePath`); never changes. */
  number: z.number().int(),
  /** Of the draft. */
  title: z.string(),
  summary: z.string().nullable(),
  language: CustomerLanguage,
  category_id: Id.nullable(),
  visibility: z.enum(articleVisibilities),
  state: z.enum(articleStates),
  /** Whether the draft differs from the published version. False for an article that is not published. */
  has_unpublished_changes: z.boolean(),
  /** The published title, which addresses contain; null if it is not published. */
  published_title: z.string().nullable(),
  published_at: Timestamp.nullable(),
  updated_at: Timestamp,
  /** Null for an API token, and if the user was deleted. */
  updated_by: Id.nullable(),
  /** A deleted article can be restored for 30 days. */
  deleted_at: Timestamp.nullable(),
});
export type ArticleSummary = z.infer<typeof ArticleSummary>;

export const Article = ArticleSummary.extend({
  /** The draft: what the next version will contain. */
  body: z.string(),
  /** The latest version, published or not any more; null if there was none. */
  latest_version: z.number().int().nullable(),
  /** The ticket that it was drafted from. */
  ticket_id: Id.nullable(),
  pictures: z.array(Attachment),
  /** Since it was first published. */
  views: z.number().int(),
  helpful: z.number().int(),
  not_helpful: z.number().int(),
  created_at: Timestamp,
  /** Increases with each change: for `If-Match`, and for `publish`. */
  version: z.number().int(),
});
export type Article = z.infer<typeof Article>;

/** What was published at a time. Publishing adds one; it never changes. */
export const ArticleVersion = z.object({
  /** From 1. */
  number: z.number().int(),
  title: z.string(),
  published_at: Timestamp,
  published_by: Id.nullable(),
});
export type ArticleVersion = z.infer<typeof ArticleVersion>;

/** What a reader answered to 'Did this help?'. */
export const ArticleRating = z.object({
  helpful: z.boolean(),
  remark: z.string().nullable(),
  /** The version that was rated. */
  version: z.number().int(),
  rated_at: Timestamp,
});
export type ArticleRating = z.infer<typeof ArticleRating>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const placement = { category_id: Id.nullable(), visibility: z.enum(articleVisibilities) };
export const CreateArticle = z.strictObject({
  ...texts,
  body: texts.body.default(''),
  /** Default: the organization's default language. */
  language: CustomerLanguage.optional(),
  category_id: placement.category_id.default(null),
  visibility: placement.visibility.default('public'),
});
export type CreateArticle = z.infer<typeof CreateArticle>;
export const UpdateArticle = z
  .strictObject({ ...texts, ...placement })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateArticle = z.infer<typeof UpdateArticle>;

export const ArticleFilter = z.strictObject({
  state: z.enum(articleStates).optional(),
  visibility: z.enum(articleVisibilities).optional(),
  /** `none`: articles without a category. */
  category_id: z.union([Id, z.literal('none')]).optional(),
  /** Words of title, summary or text, the last one possibly unfinished. The best matches come first, otherwise the latest changed. */
  q: text(articleLimits.query).optional(),
  /** Only deleted articles, instead of all others. */
  deleted: z.stringbool().default(false),
  ...PageQuery.shape,
});
export type ArticleFilter = z.infer<typeof ArticleFilter>;

const categoryFields = {
  name: requiredText(articleLimits.categoryName, 'Enter a name'),
  description: blankToNull(articleLimits.categoryDescription),
};

// ---- operations -----------------------------------------------------------------------------------------------

const byId = { params: z.object({ id: Id }) };
const read = { owner, allow: 'ticket.read', token: 'articles:read' } as const;
const write = { owner, allow: 'article.write', token: 'articles:write' } as const;
/** Whatever changes what readers see. */
const publish = { owner, allow: 'article.publish', token: 'articles:write' } as const;

/** Begins with the version, the only part that `If-Match` compares: figures and pictures change without a new version. */
export const articleEtag = (article: {
  version: number;
  pictures: unknown[];
  views: number;
  helpful: number;
  not_helpful: number;
}): string => [article.version, article.pictures.length, article.views, article.helpful, article.not_helpful].join('.');

export const listArticles = operation({
  name: 'tickets.listArticles',
  summary: 'List or search articles, without their texts.',
  ...read,
  method: 'GET',
  path: '/articles',
  input: { query: ArticleFilter },
  output: ArticleSummary,
  paginated: true,
});
export const createArticle = operation({
  name: 'tickets.createArticle',
  summary: 'Create an article as a draft.',
  ...write,
  method: 'POST',
  path: '/articles',
  status: 201,
  idempotent: true,
  input: { body: CreateArticle },
  output: Article,
  problems: ['article.too_many', 'article_category.not_found'],
});
/** The subject becomes the title, the first message and the public replies of the team the text. Names and addresses of the customer are removed. */
export const draftArticleFromTicket = operation({
  name: 'tickets.draftArticle',
  summary: 'Create an internal draft of an article from a ticket: its question, and the replies of the team.',
  ...write,
  method: 'POST',
  path: '/tickets/:id/article',
  status: 201,
  idempotent: true,
  input: byTicket,
  output: Article,
  problems: ['ticket.not_found', 'article.too_many'],
});
export const readArticle = operation({
  name: 'tickets.readArticle',
  summary: 'Read an article with the text of its draft.',
  ...read,
  method: 'GET',
  path: '/articles/:id',
  input: byId,
  output: Article,
  etag: articleEtag,
  problems: ['article.not_found'],
});
export const updateArticle = operation({
  name: 'tickets.updateArticle',
  summary: 'Change the draft of an article, or its place. Readers see a new text once it is published, a new place immediately.',
  ...write,
  method: 'PATCH',
  path: '/articles/:id',
  input: { ...byId, body: UpdateArticle },
  output: Article,
  etag: articleEtag,
  // The visibility of a published article requires the permission to publish.
  problems: ['article.not_found', 'article_category.not_found', 'permission.denied'],
});
export const publishArticle = operation({
  name: 'tickets.publishArticle',
  summary: 'Publish the draft of an article as its next version.',
  ...publish,
  method: 'POST',
  path: '/articles/:id/publish',
  input: {
    ...byId,
    /** The version of the article whose draft was read: a draft that was changed since is not published. */
    body: z.strictObject({ version: z.number().int().min(1) }),
  },
  output: Article,
  problems: ['article.not_found', 'article.changed', 'article.empty'],
});
export const unpublishArticle = operation({
  name: 'tickets.unpublishArticle',
  summary: 'Take an article off the help pages. Its versions stay.',
  ...publish,
  method: 'POST',
  path: '/articles/:id/unpublish',
  input: byId,
  output: Article,
  problems: ['article.not_found'],
});
export const deleteArticle = operation({
  name: 'tickets.deleteArticle',
  summary: 'Delete an article. It can be restored for 30 days.',
  ...publish,
  method: 'DELETE',
  path: '/articles/:id',
  input: byId,
  output: z.object({}),
  problems: ['article.not_found'],
});
export const restoreArticle = operation({
  name: 'tickets.restoreArticle',
  summary: 'Restore a deleted article as it was: published if it was published.',
  ...publish,
  method: 'POST',
  path: '/articles/:id/restore',
  input: byId,
  output: Article,
  problems: ['article.not_found'],
});
export const listArticleVersions = operation({
  name: 'tickets.listArticleVersions',
  summary: 'List the versions of an article, the latest first, without their texts. The latest 100 are kept.',
  ...read,
  method: 'GET',
  path: '/articles/:id/versions',
  input: byId,
  output: z.array(ArticleVersion),
  problems: ['article.not_found'],
});
export const readArticleVersion = operation({
  name: 'tickets.readArticleVersion',
  summary: 'Read one version of an article.',
  ...read,
  method: 'GET',
  path: '/articles/:id/versions/:number',
  input: { params: z.object({ id: Id, number: z.coerce.number().int().min(1).max(1e9) }) },
  output: ArticleVersion.extend({ summary: z.string().nullable(), body: z.string(), language: CustomerLanguage }),
  problems: ['article.not_found', 'article.version_not_found'],
});
export const listArticleRatings = operation({
  name: 'tickets.listArticleRatings',
  summary: 'List what readers answered to “Did this help?” with a remark, newest first.',
  ...read,
  method: 'GET',
  path: '/articles/:id/ratings',
  input: { ...byId, query: PageQuery.strict() },
  output: ArticleRating,
  paginated: true,
  problems: ['article.not_found'],
});
/** The file was announced and uploaded like one for a comment (`announceAttachment`). */
export const addArticlePicture = operation({
  name: 'tickets.addArticlePicture',
  summary: 'Add an uploaded picture to an article, whose text shows it by its file name.',
  ...write,
  method: 'POST',
  path: '/articles/:id/pictures',
  status: 201,
  input: { ...byId, body: z.strictObject({ attachment_id: Id }) },
  output: Attachment,
  problems: ['article.not_found', 'article.too_many_pictures', 'article.not_a_picture', 'attachment.not_usable'],
});
/** Binary. Only pictures of articles that are published for everybody; members read others with `linkAttachment`. */
export const readArticlePicture = operation({
  name: 'tickets.readArticlePicture',
  summary: 'A picture of a published article.',
  owner,
  method: 'GET',
  path: '/public/article-pictures/:id',
  allow: 'public',
  limit: 'help',
  handwritten: true,
  input: byId,
  output: z.unknown(),
  problems: ['attachment.not_found'],
});

export const listArticleCategories = operation({
  name: 'tickets.listArticleCategories',
  summary: 'List the categories of articles in their order.',
  ...read,
  method: 'GET',
  path: '/article-categories',
  output: z.array(ArticleCategory),
});
export const createArticleCategory = operation({
  name: 'tickets.createArticleCategory',
  summary: 'Add a category of articles after the existing ones.',
  ...publish,
  method: 'POST',
  path: '/article-categories',
  status: 201,
  idempotent: true,
  input: { body: z.strictObject(categoryFields) },
  output: ArticleCategory,
  problems: ['article_category.too_many', 'article_category.name_taken'],
});
export const updateArticleCategory = operation({
  name: 'tickets.updateArticleCategory',
  summary: 'Change a category of articles.',
  ...publish,
  method: 'PATCH',
  path: '/article-categories/:id',
  input: {
    ...byId,
    body: z
      .strictObject(categoryFields)
      .partial()
      .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change'),
  },
  output: ArticleCategory,
  problems: ['article_category.not_found', 'article_category.name_taken'],
});
export const deleteArticleCategory = operation({
  name: 'tickets.deleteArticleCategory',
  summary: 'Delete a category. Its articles stay, without a category.',
  ...publish,
  method: 'DELETE',
  path: '/article-categories/:id',
  input: byId,
  output: z.object({}),
  problems: ['article_category.not_found'],
});
export const orderArticleCategories = operation({
  name: 'tickets.orderArticleCategories',
  summary: 'Set the order of all categories of articles.',
  ...publish,
  method: 'PUT',
  path: '/article-categories/order',
  input: { body: z.strictObject({ ids: z.array(Id).max(articleLimits.categories) }) },
  output: z.array(ArticleCategory),
  problems: ['article_category.order_incomplete'],
});

// ---- events and jobs ------------------------------------------------------------------------------------------

const ofArticle = z.object({ article: ArticleSummary });
/** Readers see an article, or a new version of it, or it was made public. Its subject is the article. */
export const articlePublished = event('article.published', owner, ofArticle, { public: true, live: true });
/** Readers no longer see an article: it was unpublished, deleted, or made internal. Its subject is the article. */
export const articleUnpublished = event('article.unpublished', owner, ofArticle, { public: true, live: true });
/** For the audit log. Its subject is the article. */
export const articleChanged = event(
  'article.changed',
  owner,
  z.object({ what: z.enum(['published', 'unpublished', 'deleted', 'restored']), article: ArticleSummary }),
  { audited: true },
);
/** For the audit log. Its subject is the category. */
export const articleCategoryChanged = event(
  'article_category.changed',
  owner,
  z.object({
    what: z.enum(['created', 'updated', 'reordered', 'deleted']),
    category: ArticleCategory,
    changes: Changes,
  }),
  { audited: true },
);
/** Deletes an article that can no longer be restored: the files of its pictures first, then the rows. */
export const purgeArticle = job({
  type: 'purge_article',
  owner,
  queue: 'articles',
  data: z.object({ article_id: Id }),
  attempts: 3,
  backoffMs: [10_000, 60_000],
});
