import { Controller } from '@nestjs/common';
import {
  AppError,
  articleLimits,
  articlePublished,
  articleUnpublished,
  createArticle,
  draftArticleFromTicket,
  listArticles,
  may,
  readArticle,
  updateArticle,
  type Article,
  type ArticleSummary,
  type InputOf,
  type Page,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { userIdOf } from '../caller';
import { findPublicReplies } from '../comment/comment.store';
import { checkDemoQuota } from '../demo/demo-quota';
import type { ArticleRow, TicketsSchema, TicketsTx } from '../schema';
import { monotonicNow } from '../ticket/ticket';
import { getTicket } from '../ticket/ticket.service';
import { draftFromTicket, effectiveChanges, summaryOf } from './article';
import { lockCategoryForShare } from './article-category.store';
import {
  countArticles,
  findArticle,
  findArticleForUpdate,
  findArticleOfTicket,
  findArticles,
  findDefaultLanguage,
  insertArticle,
  lockArticles,
  nextNumber,
  saveArticle,
} from './article.store';

const articleMissing = () => new AppError('article.not_found');

/** Drafts of help articles. `article-publishing.service.ts` decides what readers see of them. */
@Controller()
export class ArticleService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listArticles)
  list(ctx: TenantContext, { query }: InputOf<typeof listArticles>): Promise<Page<ArticleSummary>> {
    return this.db.readTenant(ctx, (tx) => findArticles(tx, ctx.organization_id, query));
  }

  @Handles(readArticle)
  read(ctx: TenantContext, { params }: InputOf<typeof readArticle>): Promise<Article> {
    return this.db.readTenant(ctx, (tx) => getArticle(tx, ctx, params.id));
  }

  @Handles(createArticle)
  create(ctx: TenantContext, { body }: InputOf<typeof createArticle>): Promise<Article> {
    return this.db.forTenant(ctx, async (tx) => storeResponse(tx, await writeArticle(tx, ctx, body)));
  }

  @Handles(draftArticleFromTicket)
  draft(ctx: TenantContext, { params }: InputOf<typeof draftArticleFromTicket>): Promise<Article> {
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = await getTicket(tx, params.id);
      await lockArticles(tx, ctx.organization_id);
      const earlier = await findArticleOfTicket(tx, ctx.organization_id, ticket.id);
      if (earlier !== undefined) return storeResponse(tx, await getArticle(tx, ctx, earlier));
      const texts = draftFromTicket(ticket, await findPublicReplies(tx, ticket.id, maxReplies));
      const where = { summary: null, category_id: null, visibility: 'internal', ticket_id: ticket.id } as const;
      return storeResponse(tx, await writeArticle(tx, ctx, { ...texts, ...where, language: ticket.language ?? undefined }));
    });
  }

  @Handles(updateArticle)
  update(ctx: TenantContext, { params, body, if_match }: InputOf<typeof updateArticle>): Promise<Article> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getArticleForUpdate(tx, ctx, params.id);
      if (if_match !== undefined && versionOfTag(if_match) !== before.version) throw new AppError('request.precondition_failed');
      const changes = effectiveChanges(before, body);
      if (Object.keys(changes).length > 0) {
        if (changes.visibility && before.published_version !== null) assertMayPublish(ctx);
        if (changes.category_id) await checkCategory(tx, ctx, changes.category_id);
        await checkDemoQuota(tx, ctx, changes.body ?? null);
        await saveArticle(tx, before, { ...changes, ...changedBy(ctx, before) });
      }
      const article = await getArticle(tx, ctx, before.id);
      if (changes.visibility && article.state === 'published') await announceVisibility(tx, ctx, article);
      return article;
    });
  }
}

/** Replies of a ticket that a draft contains at most. */
const maxReplies = 100;

/** Deleted articles too. */
export async function getArticle(tx: TicketsTx, ctx: TenantContext, id: string): Promise<Article> {
  const article = await findArticle(tx, ctx.organization_id, id);
  if (!article) throw articleMissing();
  return article;
}

/** Locks an article that is not deleted. */
export async function getArticleForUpdate(tx: TicketsTx, ctx: TenantContext, id: string): Promise<ArticleRow> {
  const article = await findArticleForUpdate(tx, ctx.organization_id, id);
  if (!article || article.deleted_at !== null) throw articleMissing();
  return article;
}

export const changedBy = (ctx: TenantContext, before: ArticleRow) => ({
  updated_at: monotonicNow(before.updated_at),
  updated_by: userIdOf(ctx),
});

type NewArticle = Pick<Article, 'title' | 'summary' | 'body' | 'category_id' | 'visibility'> &
  Partial<Pick<Article, 'ticket_id'>> & { language?: Article['language'] | undefined };

async function writeArticle(tx: TicketsTx, ctx: TenantContext, input: NewArticle): Promise<Article> {
  const { organization_id } = ctx;
  await lockArticles(tx, organization_id);
  if ((await countArticles(tx, organization_id)) >= articleLimits.articles) throw tooMany();
  if (input.category_id !== null) await checkCategory(tx, ctx, input.category_id);
  await checkDemoQuota(tx, ctx, input.body);
  const now = new Date().toISOString();
  const article: ArticleRow = {
    ticket_id: null,
    ...input,
    organization_id,
    id: newId(),
    number: await nextNumber(tx, organization_id),
    language: input.language ?? (await findDefaultLanguage(tx, organization_id)),
    published_version: null,
    first_published_at: null,
    updated_by: userIdOf(ctx),
    created_at: now,
    updated_at: now,
    deleted_at: null,
    version: 1,
  };
  await insertArticle(tx, article);
  return getArticle(tx, ctx, article.id);
}

const tooMany = () =>
  new AppError('article.too_many', {
    detail: `An organization can have ${articleLimits.articles} articles. Deleted articles count for ${articleLimits.daysToRestore} days.`,
  });

async function checkCategory(tx: TicketsTx, ctx: TenantContext, id: string): Promise<void> {
  if (!(await lockCategoryForShare(tx, ctx.organization_id, id))) throw new AppError('article_category.not_found');
}

/** For those who follow what the help pages show. */
const announceVisibility = (tx: TicketsTx, ctx: TenantContext, article: Article): Promise<void> =>
  emit(tx, ctx, article.visibility === 'public' ? articlePublished : articleUnpublished, article.id, { article: summaryOf(article) });

/** API tokens that may change articles may also publish them. */
function assertMayPublish({ actor }: TenantContext): void {
  if (actor.type !== 'user' || (actor.role !== null && may(actor.role, 'article.publish'))) return;
  throw new AppError('permission.denied', { detail: 'Only managers and admins can change who reads a published article.' });
}

/** `articleEtag` begins with the version. */
const versionOfTag = (tag: string): number => Number(tag.split('.')[0]);
