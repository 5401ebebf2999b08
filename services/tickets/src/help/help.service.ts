import { Controller } from '@nestjs/common';
import {
  AppError,
  listHelpPages,
  rateArticle,
  readArticleInWidget,
  readHelpCategory,
  readHelpCenter,
  readHelpReport,
  readPublicArticle,
  recordHelpUse,
  recordHelpUseInWidget,
  searchArticles,
  searchArticlesInWidget,
  type ArticleMatch,
  type HelpCenter,
  type HelpReport,
  type HelpUse,
  type InputOf,
  type OutputOf,
  type PublicArticle,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { findArticleFigures, findDays, findFailedSearches } from './help-report.store';
import { findMatches } from './help-search';
import { countUse, isLockTimeout, limitWait, saveRating } from './help-use.store';
import {
  findArticlesOfCategory,
  findCategories,
  findCategory,
  findPages,
  findPopular,
  findPublicArticle,
  listedLanguage,
} from './help.store';
import { MostViewed } from './most-viewed';

const articleMissing = () => new AppError('article.not_found');

/** The help pages for readers, on the organization's host and in its widget, and the figures for its team. */
@Controller()
export class HelpService {
  readonly #mostViewed = new MostViewed();

  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readHelpCenter)
  home(ctx: TenantContext, { query }: InputOf<typeof readHelpCenter>): Promise<HelpCenter> {
    const { organization_id } = ctx;
    return this.db.readTenant(ctx, async (tx) => {
      const language = await listedLanguage(tx, organization_id, query.language);
      const categories = await findCategories(tx, organization_id, language);
      const popular = await findPopular(tx, organization_id, language, await this.#mostViewed.find(tx, organization_id));
      return { article_count: categories.reduce((total, { article_count }) => total + article_count, 0), categories, popular };
    });
  }

  @Handles(readHelpCategory)
  category(ctx: TenantContext, { params, query }: InputOf<typeof readHelpCategory>): Promise<OutputOf<typeof readHelpCategory>> {
    const { organization_id } = ctx;
    return this.db.readTenant(ctx, async (tx) => {
      const [found, language] = await Promise.all([
        findCategory(tx, organization_id, params.number),
        listedLanguage(tx, organization_id, query.language),
      ]);
      if (!found) throw new AppError('article_category.not_found');
      const { id, ...category } = found;
      return { ...category, articles: await findArticlesOfCategory(tx, organization_id, id, language) };
    });
  }

  @Handles(listHelpPages)
  pages(ctx: TenantContext): Promise<OutputOf<typeof listHelpPages>> {
    return this.db.readTenant(ctx, (tx) => findPages(tx, ctx.organization_id));
  }

  @Handles(searchArticles)
  search(ctx: TenantContext, { query }: InputOf<typeof searchArticles>): Promise<ArticleMatch[]> {
    return this.db.readTenant(ctx, (tx) => findMatches(tx, ctx.organization_id, query));
  }

  @Handles(searchArticlesInWidget)
  searchInWidget(ctx: TenantContext, { query }: InputOf<typeof searchArticlesInWidget>): Promise<ArticleMatch[]> {
    return this.db.readTenant(ctx, (tx) => findMatches(tx, ctx.organization_id, query));
  }

  @Handles(readPublicArticle)
  read(ctx: TenantContext, { params }: InputOf<typeof readPublicArticle>): Promise<PublicArticle> {
    return this.#read(ctx, params.number);
  }

  @Handles(readArticleInWidget)
  readInWidget(ctx: TenantContext, { params }: InputOf<typeof readArticleInWidget>): Promise<PublicArticle> {
    return this.#read(ctx, params.number);
  }

  @Handles(rateArticle)
  rate(ctx: TenantContext, { params, body }: InputOf<typeof rateArticle>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      if (!(await saveRating(tx, ctx.organization_id, params.number, body))) throw articleMissing();
      return {};
    });
  }

  @Handles(recordHelpUse)
  record(ctx: TenantContext, { body }: InputOf<typeof recordHelpUse>): Promise<Record<string, never>> {
    return this.#record(ctx, body);
  }

  @Handles(recordHelpUseInWidget)
  recordInWidget(ctx: TenantContext, { body }: InputOf<typeof recordHelpUseInWidget>): Promise<Record<string, never>> {
    return this.#record(ctx, body);
  }

  @Handles(readHelpReport)
  report(ctx: TenantContext, { query }: InputOf<typeof readHelpReport>): Promise<HelpReport> {
    const { organization_id } = ctx;
    return this.db.readTenant(ctx, async (tx) => {
      const [days, articles, searches_without_result] = await Promise.all([
        findDays(tx, organization_id, query),
        findArticleFigures(tx, organization_id, query),
        findFailedSearches(tx, organization_id, query),
      ]);
      return { days, articles, searches_without_result };
    });
  }

  async #read(ctx: TenantContext, number: number): Promise<PublicArticle> {
    const article = await this.db.readTenant(ctx, (tx) => findPublicArticle(tx, ctx.organization_id, number));
    if (!article) throw articleMissing();
    return article;
  }

  async #record(ctx: TenantContext, use: HelpUse): Promise<Record<string, never>> {
    try {
      await this.db.forTenant(ctx, async (tx) => {
        await limitWait(tx);
        await countUse(tx, ctx.organization_id, use);
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    return {};
  }
}
