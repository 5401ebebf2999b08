import { Controller } from '@nestjs/common';
import {
  AppError,
  articleCategoryChanged,
  articleLimits,
  createArticleCategory,
  deleteArticleCategory,
  listArticleCategories,
  orderArticleCategories,
  updateArticleCategory,
  type ArticleCategory,
  type Changes,
  type DataOf,
  type InputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import {
  deleteCategory,
  findCategories,
  insertCategory,
  isNameTaken,
  lockCategories,
  saveCategory,
  saveCategoryOrder,
} from './article-category.store';
import { nextNumber } from './article.store';

/** The groups of articles on the help pages. */
@Controller()
export class ArticleCategoryService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listArticleCategories)
  list(ctx: TenantContext): Promise<ArticleCategory[]> {
    return this.db.readTenant(ctx, findCategories);
  }

  @Handles(createArticleCategory)
  create(ctx: TenantContext, { body }: InputOf<typeof createArticleCategory>): Promise<ArticleCategory> {
    return this.#change(ctx, async (tx, all) => {
      if (all.length >= articleLimits.categories) throw new AppError('article_category.too_many');
      if (await isNameTaken(tx, body.name, null)) throw nameTaken();
      const number = await nextNumber(tx, ctx.organization_id);
      const updated_at = new Date().toISOString();
      const category = { ...body, id: newId(), number, position: all.length + 1, article_count: 0, updated_at };
      await insertCategory(tx, ctx.organization_id, category);
      await announce(tx, ctx, 'created', category);
      return storeResponse(tx, category);
    });
  }

  @Handles(updateArticleCategory)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateArticleCategory>): Promise<ArticleCategory> {
    return this.#change(ctx, async (tx, all) => {
      const before = getCategory(all, params.id);
      const category = { ...before, ...body };
      const changes = changesBetween(before, category);
      if (Object.keys(changes).length === 0) return before;
      if (await isNameTaken(tx, category.name, category.id)) throw nameTaken();
      category.updated_at = new Date().toISOString();
      await saveCategory(tx, category);
      await announce(tx, ctx, 'updated', category, changes);
      return category;
    });
  }

  @Handles(deleteArticleCategory)
  delete(ctx: TenantContext, { params }: InputOf<typeof deleteArticleCategory>): Promise<Record<string, never>> {
    return this.#change(ctx, async (tx, all) => {
      const category = getCategory(all, params.id);
      await deleteCategory(tx, category);
      await announce(tx, ctx, 'deleted', category);
      return {};
    });
  }

  @Handles(orderArticleCategories)
  order(ctx: TenantContext, { body: { ids } }: InputOf<typeof orderArticleCategories>): Promise<ArticleCategory[]> {
    return this.#change(ctx, async (tx, all) => {
      const isComplete = ids.length === all.length && all.every(({ id }) => ids.includes(id));
      if (!isComplete) throw new AppError('article_category.order_incomplete');
      const moved = all.find(({ id }, index) => ids[index] !== id);
      if (!moved) return all;
      await saveCategoryOrder(tx, ctx.organization_id, ids);
      const names = ids.map((id) => getCategory(all, id).name);
      await announce(tx, ctx, 'reordered', moved, { order: { from: all.map(({ name }) => name), to: names } });
      return findCategories(tx);
    });
  }

  /** Calls `work` with all categories while no other request changes them. */
  #change<T>(ctx: TenantContext, work: (tx: TicketsTx, all: ArticleCategory[]) => Promise<T>): Promise<T> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockCategories(tx, ctx.organization_id);
      return work(tx, await findCategories(tx));
    });
  }
}

function getCategory(all: readonly ArticleCategory[], id: string): ArticleCategory {
  const category = all.find((each) => each.id === id);
  if (!category) throw new AppError('article_category.not_found');
  return category;
}

const nameTaken = () => new AppError('article_category.name_taken');

const changesBetween = (before: ArticleCategory, after: ArticleCategory): Changes =>
  Object.fromEntries(
    (['name', 'description'] as const)
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { from: before[name], to: after[name] }]),
  );

const announce = (
  tx: TicketsTx,
  ctx: TenantContext,
  what: DataOf<typeof articleCategoryChanged>['what'],
  category: ArticleCategory,
  changes: Changes = {},
): Promise<void> => emit(tx, ctx, articleCategoryChanged, category.id, { what, category, changes });
