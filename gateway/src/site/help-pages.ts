import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  articleCategoryPath,
  articlePath,
  listHelpPages,
  readHelpCategory,
  readPublicArticle,
  systemContext,
  type Context,
  type OutputOf,
  type PublicArticle,
  type PublicArticleCategory,
} from '@tandem/contracts';
import { stripDirections } from '@tandem/contracts/values';
import { LiveEvents, Services } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import { CachedLookup } from '../host/cached-lookup';
import type { HelpContent, HelpTarget } from './help-head';

export type HelpPagesList = OutputOf<typeof listHelpPages>;
/** `unknown`: there is no such public article or category. `unavailable`: the tickets service did not answer within a second. */
export type Missing = 'unknown' | 'unavailable';
/** `id` is the organization, whose events invalidate the cached entry. */
interface Entry<Found> {
  id: string;
  found: Found;
}

/** A page without its article is better than a page that a person waits for. */
const maxWaitMs = 1_000;
/** An article has up to 100 KB. */
const maxArticles = 200;
/** A list has up to 5,000 addresses. */
const maxLists = 20;
const invalidatedBy = ['article.'];

const contextOfReader = (organization_id: string, request_id: string): Context => ({
  ...systemContext(organization_id, request_id),
  actor: { type: 'customer' },
});

/** The public articles and categories of help pages, cached for 30 seconds, or until an article of the organization is published or unpublished. */
@Injectable()
export class HelpPages {
  private readonly articles: CachedLookup<Entry<PublicArticle>>;
  private readonly categories: CachedLookup<Entry<PublicArticleCategory>>;
  private readonly lists: CachedLookup<Entry<HelpPagesList>>;

  constructor(services: Services, live: LiveEvents) {
    const cached = <Found>(capacity: number, load: (ctx: Context, number: number) => Promise<Found>) =>
      new CachedLookup<Entry<Found>>(
        live,
        async (key, request_id) => {
          const [id = '', number] = key.split('/');
          const found = await nullIfUnknown(load(contextOfReader(id, request_id), Number(number)));
          return found === null ? null : { id, found };
        },
        invalidatedBy,
        capacity,
      );
    this.articles = cached(maxArticles, async (ctx, number) => {
      const article = await services.call(readPublicArticle, ctx, { params: { number } });
      return { ...article, title: stripDirections(article.title) };
    });
    this.categories = cached(maxArticles, (ctx, number) => services.call(readHelpCategory, ctx, { params: { number }, query: {} }));
    this.lists = cached(maxLists, (ctx) => services.call(listHelpPages, ctx, {}));
  }

  async find(organization_id: string, { kind, number }: HelpTarget, request_id: string): Promise<HelpContent | Missing> {
    // Numbers begin with 1: the service refuses 0 as invalid input.
    if (number === undefined || number === 0) return 'unknown';
    const key = `${organization_id}/${number}`;
    return kind === 'article'
      ? contentOf(this.articles.find(key, request_id), (article) => ({ path: articlePath(article), article }))
      : contentOf(this.categories.find(key, request_id), (category) => ({ path: articleCategoryPath(category), category }));
  }

  /** All public articles, and the categories that contain one. Throws if the tickets service does not answer. */
  async all(organization_id: string, request_id: string): Promise<HelpPagesList> {
    const entry = await this.lists.find(organization_id, request_id);
    return entry?.found ?? { articles: [], categories: [] };
  }
}

const unknown: ReadonlySet<string> = new Set(['article.not_found', 'article_category.not_found', 'organization.not_found']);

async function nullIfUnknown<Found>(loading: Promise<Found>): Promise<Found | null> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof AppError && unknown.has(error.code)) return null;
    throw error;
  }
}

/** After a second, the call continues and its result is cached for the next request. */
async function contentOf<Found>(
  finding: Promise<Entry<Found> | null>,
  toContent: (found: Found) => HelpContent,
): Promise<HelpContent | Missing> {
  const waiting = new AbortController();
  const timeout = sleep(maxWaitMs, 'unavailable' as const, { signal: waiting.signal });
  try {
    const entry = await Promise.race([finding, timeout]);
    if (entry === 'unavailable') return entry;
    return entry === null ? 'unknown' : toContent(entry.found);
  } catch (error) {
    if (error instanceof AppError) return 'unavailable';
    throw error;
  } finally {
    waiting.abort();
  }
}
