import * as z from 'zod';
import { Attachment } from './attachments';
import { job, operation } from './define';
import { requiredText, blankToNull, text, Timestamp } from './scalars';
import { CustomerLanguage } from './tickets';
import { articleLimits } from './values/articles';

const owner = 'tickets';

// ---- what readers see: published articles with the visibility `public` only --------------------------------------

/** An article on the help pages, without its text. `articlePath` has its address. */
export const PublicArticleSummary = z.object({
  number: z.number().int(),
  title: z.string(),
  summary: z.string().nullable(),
  language: CustomerLanguage,
});
export type PublicArticleSummary = z.infer<typeof PublicArticleSummary>;

/** `articleCategoryPath` has its address. */
export const PublicArticleCategory = z.object({
  number: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
});
export type PublicArticleCategory = z.infer<typeof PublicArticleCategory>;

export const PublicArticle = PublicArticleSummary.extend({
  /** Markdown, as in comments; pictures are those of `pictures`, by file name. */
  body: z.string(),
  category: PublicArticleCategory.nullable(),
  /** `readArticlePicture` returns each. */
  pictures: z.array(Attachment),
  /** When its first version, and when this version was published. */
  first_published_at: Timestamp,
  published_at: Timestamp,
  /** Up to four other articles of the same category and language, the most viewed first. */
  related: z.array(PublicArticleSummary),
});
export type PublicArticle = z.infer<typeof PublicArticle>;

/** An article that a search has found. */
export const ArticleMatch = PublicArticleSummary.extend({
  /** The passage of the text that matches best, without Markdown, about 150 characters; null if only the title matches. */
  excerpt: z.string().nullable(),
  category_name: z.string().nullable(),
});
export type ArticleMatch = z.infer<typeof ArticleMatch>;

/** The categories with articles in the reader's language, in their order; articles without a category come last, with the category null. */
export const HelpCenter = z.object({
  article_count: z.number().int(),
  categories: z.array(
    z.object({
      category: PublicArticleCategory.nullable(),
      article_count: z.number().int(),
      /** The first ones by title. */
      articles: z.array(PublicArticleSummary),
    }),
  ),
  /** The most viewed of the last 30 days. */
  popular: z.array(PublicArticleSummary),
});
export type HelpCenter = z.infer<typeof HelpCenter>;

const language = { language: CustomerLanguage.optional() };
const search = {
  q: requiredText(articleLimits.query, 'Enter a word'),
  ...language,
  /** `search`: all words, the last one possibly unfinished, up to 10. `suggestions`: the best three for the subject of a new ticket. */
  for: z.enum(['search', 'suggestions']).default('search'),
};
const byNumber = { params: z.object({ number: z.coerce.number().int().min(1).max(1e9) }) };
const number = z.number().int().min(1).max(1e9);

/** What a reader did, for the figures of the team. Browsers send it; the server stores counts per day, and nothing about the reader. */
export const HelpUse = z.discriminatedUnion('type', [
  /** An article was shown; at most once per page. */
  z.strictObject({ type: z.literal('view'), number }),
  /** A search that the reader finished typing, with the number of results shown. */
  z.strictObject({
    type: z.literal('search'),
    query: requiredText(articleLimits.query, 'Enter a word'),
    results: z.number().int().min(0).max(10),
  }),
  /** A suggested article was opened in a form for a new ticket. */
  z.strictObject({ type: z.literal('suggestion_opened'), number }),
  /** 'This solved it': the reader did not send the ticket. */
  z.strictObject({ type: z.literal('solved'), number }),
]);
export type HelpUse = z.infer<typeof HelpUse>;

const open = { owner, limit: 'help' } as const;

/** While an organization has no published article in the language, articles in all languages count. */
export const readHelpCenter = operation({
  name: 'tickets.readHelpCenter',
  summary: 'The home of the help pages: categories with their first articles, and the most viewed articles.',
  ...open,
  method: 'GET',
  path: '/public/help',
  allow: 'portal',
  input: { query: z.strictObject(language) },
  output: HelpCenter,
});
export const readHelpCategory = operation({
  name: 'tickets.readHelpCategory',
  summary: 'A category of the help pages with its articles, by title.',
  ...open,
  method: 'GET',
  path: '/public/help/categories/:number',
  allow: 'portal',
  input: { ...byNumber, query: z.strictObject(language) },
  output: PublicArticleCategory.extend({ articles: z.array(PublicArticleSummary) }),
  problems: ['article_category.not_found'],
});
export const listHelpPages = operation({
  name: 'tickets.listHelpPages',
  summary: 'All articles and categories of the help pages, for a sitemap.',
  ...open,
  method: 'GET',
  path: '/public/help/pages',
  allow: 'portal',
  output: z.object({
    articles: z.array(z.object({ number: z.number().int(), title: z.string(), published_at: Timestamp })),
    categories: z.array(PublicArticleCategory.pick({ number: true, name: true })),
  }),
});
export const searchArticles = operation({
  name: 'tickets.searchArticles',
  summary: 'Search the help pages.',
  ...open,
  method: 'GET',
  path: '/public/help/search',
  allow: 'portal',
  input: { query: z.strictObject(search) },
  output: z.array(ArticleMatch),
});
export const readPublicArticle = operation({
  name: 'tickets.readPublicArticle',
  summary: 'An article of the help pages.',
  ...open,
  method: 'GET',
  path: '/public/articles/:number',
  allow: 'portal',
  input: byNumber,
  output: PublicArticle,
  problems: ['article.not_found'],
});
export const rateArticle = operation({
  name: 'tickets.rateArticle',
  summary: 'Answer “Did this help?”. A second answer of the same reader replaces the first.',
  ...open,
  method: 'PUT',
  path: '/public/articles/:number/rating',
  allow: 'portal',
  input: {
    ...byNumber,
    body: z.strictObject({
      helpful: z.boolean(),
      remark: blankToNull(articleLimits.remark),
      /** A random value that the browser keeps. */
      reader: text(40).regex(/^[\w-]{16,40}$/, 'Use 16 to 40 letters, digits, _ or -'),
    }),
  },
  output: z.object({}),
  problems: ['article.not_found'],
});
export const recordHelpUse = operation({
  name: 'tickets.recordHelpUse',
  summary: 'Count a view, a search or a solved question.',
  ...open,
  method: 'POST',
  path: '/public/help/uses',
  allow: 'portal',
  status: 202,
  input: { body: HelpUse },
  output: z.object({}),
});

// ---- the same for the widget ------------------------------------------------------------------------------------

const key = { organization: z.string().max(100) };
export const searchArticlesInWidget = operation({
  name: 'tickets.searchArticlesInWidget',
  summary: 'Search the help pages from the widget.',
  ...open,
  method: 'GET',
  path: '/widget/v1/help/search',
  allow: 'widget',
  input: { query: z.strictObject({ ...key, ...search }) },
  output: z.array(ArticleMatch),
  problems: ['organization.not_found'],
});
export const readArticleInWidget = operation({
  name: 'tickets.readArticleInWidget',
  summary: 'An article of the help pages, for the widget.',
  ...open,
  method: 'GET',
  path: '/widget/v1/articles/:number',
  allow: 'widget',
  input: { ...byNumber, query: z.strictObject(key) },
  output: PublicArticle,
  problems: ['organization.not_found', 'article.not_found'],
});
export const recordHelpUseInWidget = operation({
  name: 'tickets.recordHelpUseInWidget',
  summary: 'Count a view, a search or a solved question in the widget.',
  ...open,
  method: 'POST',
  path: '/widget/v1/help/uses',
  allow: 'widget',
  status: 202,
  input: { query: z.strictObject(key), body: HelpUse },
  output: z.object({}),
  problems: ['organization.not_found'],
});

// ---- figures for the team ---------------------------------------------------------------------------------------

const Counts = { views: z.number().int(), suggestions_opened: z.number().int(), solved: z.number().int() };
const Ratings = { helpful: z.number().int(), not_helpful: z.number().int() };
export const HelpReport = z.object({
  /** One entry per day of the organization's time zone, also for days without any. */
  days: z.array(
    z.object({ day: z.iso.date(), ...Counts, ...Ratings, searches: z.number().int(), searches_without_result: z.number().int() }),
  ),
  /** The 50 most viewed articles of the period. */
  articles: z.array(z.object({ article_id: z.string(), number: z.number().int(), title: z.string(), ...Counts, ...Ratings })),
  /** The 50 most frequent searches without a result, in lower case. */
  searches_without_result: z.array(z.object({ query: z.string(), times: z.number().int(), last_day: z.iso.date() })),
});
export type HelpReport = z.infer<typeof HelpReport>;
export const readHelpReport = operation({
  name: 'tickets.readHelpReport',
  summary: 'How the help pages are used: views, ratings, searches without a result, and questions that an article solved.',
  owner,
  method: 'GET',
  path: '/help-report',
  allow: 'analytics.read',
  token: 'analytics:read',
  input: {
    query: z
      .strictObject({ from: z.iso.date('Use YYYY-MM-DD'), to: z.iso.date('Use YYYY-MM-DD') })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) <= 366 * 86_400_000, {
        path: ['to'],
        message: 'Choose up to 366 days, the last one not before the first',
      }),
  },
  output: HelpReport,
});

/** Deletes the figures of all organizations that no report shows any more. */
export const pruneHelpUses = job({
  type: 'prune_help_uses',
  owner,
  queue: 'articles',
  data: z.object({}),
  attempts: 3,
  backoffMs: [10_000, 60_000],
  tenant: false,
});
