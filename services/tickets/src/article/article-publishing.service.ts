import { Controller } from '@nestjs/common';
import {
  AppError,
  articleChanged,
  articlePublished,
  articleUnpublished,
  deleteArticle,
  listArticleRatings,
  listArticleVersions,
  publishArticle,
  readArticleVersion,
  restoreArticle,
  unpublishArticle,
  type Article,
  type ArticleRating,
  type ArticleVersion,
  type DataOf,
  type InputOf,
  type OutputOf,
  type Page,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import type { ArticleRow, TicketsSchema, TicketsTx } from '../schema';
import { summaryOf } from './article';
import { changedBy, getArticle, getArticleForUpdate } from './article.service';
import { findArticleForUpdate, findRemarks, findVersion, findVersions, insertVersion, isExpired, saveArticle } from './article.store';

/** What readers see of articles: their versions, and whether they are published. */
@Controller()
export class ArticlePublishingService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(publishArticle)
  publish(ctx: TenantContext, { params, body }: InputOf<typeof publishArticle>): Promise<Article> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getArticleForUpdate(tx, ctx, params.id);
      if (before.version !== body.version) throw new AppError('article.changed');
      if (before.body.trim() === '') throw new AppError('article.empty');
      const { state, has_unpublished_changes, ...article } = await getArticle(tx, ctx, before.id);
      if (state === 'published' && !has_unpublished_changes) return { state, has_unpublished_changes, ...article };
      const changed = changedBy(ctx, before);
      const { updated_at: published_at, updated_by: published_by } = changed;
      const published_version = await insertVersion(tx, before, { published_at, published_by });
      const first_published_at = before.first_published_at ?? published_at;
      return save(tx, ctx, before, { published_version, first_published_at, ...changed }, 'published');
    });
  }

  @Handles(unpublishArticle)
  unpublish(ctx: TenantContext, { params }: InputOf<typeof unpublishArticle>): Promise<Article> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getArticleForUpdate(tx, ctx, params.id);
      if (before.published_version === null) return getArticle(tx, ctx, before.id);
      return save(tx, ctx, before, { published_version: null, ...changedBy(ctx, before) }, 'unpublished');
    });
  }

  @Handles(deleteArticle)
  delete(ctx: TenantContext, { params }: InputOf<typeof deleteArticle>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getArticleForUpdate(tx, ctx, params.id);
      const changed = changedBy(ctx, before);
      await save(tx, ctx, before, { deleted_at: changed.updated_at, ...changed }, 'deleted');
      return {};
    });
  }

  @Handles(restoreArticle)
  restore(ctx: TenantContext, { params }: InputOf<typeof restoreArticle>): Promise<Article> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findArticleForUpdate(tx, ctx.organization_id, params.id);
      if (!before || (await isExpired(tx, ctx.organization_id, params.id))) throw new AppError('article.not_found');
      if (before.deleted_at === null) return getArticle(tx, ctx, before.id);
      return save(tx, ctx, before, { deleted_at: null, ...changedBy(ctx, before) }, 'restored');
    });
  }

  @Handles(listArticleVersions)
  versions(ctx: TenantContext, { params }: InputOf<typeof listArticleVersions>): Promise<ArticleVersion[]> {
    return this.#readOf(ctx, params.id, (tx) => findVersions(tx, params.id));
  }

  @Handles(readArticleVersion)
  async version(ctx: TenantContext, { params }: InputOf<typeof readArticleVersion>): Promise<OutputOf<typeof readArticleVersion>> {
    const version = await this.#readOf(ctx, params.id, (tx) => findVersion(tx, params.id, params.number));
    if (!version) throw new AppError('article.version_not_found');
    return version;
  }

  @Handles(listArticleRatings)
  ratings(ctx: TenantContext, { params, query }: InputOf<typeof listArticleRatings>): Promise<Page<ArticleRating>> {
    return this.#readOf(ctx, params.id, (tx) => findRemarks(tx, params.id, query));
  }

  /** What belongs to an article; throws `article.not_found` without that. */
  #readOf<T>(ctx: TenantContext, id: string, read: (tx: TicketsTx) => Promise<T>): Promise<T> {
    return this.db.readTenant(ctx, async (tx) => {
      const [found] = await Promise.all([read(tx), getArticle(tx, ctx, id)]);
      return found;
    });
  }
}

type What = DataOf<typeof articleChanged>['what'];

/** Saves a locked article, and announces the change for the audit log and for those who follow what readers see. */
async function save(tx: TicketsTx, ctx: TenantContext, before: ArticleRow, changes: Partial<ArticleRow>, what: What): Promise<Article> {
  await saveArticle(tx, before, changes);
  const article = await getArticle(tx, ctx, before.id);
  const summary = summaryOf(article);
  await emit(tx, ctx, articleChanged, article.id, { what, article: summary });
  const isShown = article.state === 'published' && article.deleted_at === null;
  const wasShown = before.published_version !== null && before.deleted_at === null;
  if (isShown) await emit(tx, ctx, articlePublished, article.id, { article: summary });
  else if (wasShown) await emit(tx, ctx, articleUnpublished, article.id, { article: summary });
  return article;
}
