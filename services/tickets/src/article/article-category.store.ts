import type { ArticleCategory } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';

const categories = (tx: TicketsTx) =>
  tx
    .selectFrom('article_categories as c')
    .select(['c.id', 'c.number', 'c.name', 'c.description', 'c.position', 'c.updated_at'])
    .select(
      sql<number>`(select count(*)::int from articles a
        where a.organization_id = c.organization_id and a.category_id = c.id and a.deleted_at is null)`.as('article_count'),
    );

/** In their order. */
export const findCategories = (tx: TicketsTx): Promise<ArticleCategory[]> => categories(tx).orderBy('position').execute();

/** Serializes changes to the categories of an organization until the transaction ends. */
export const lockCategories = (tx: TicketsTx, organization_id: string): Promise<void> =>
  lockName(tx, `article-categories ${organization_id}`);

/** Keeps a category from being deleted until the transaction ends. Returns whether it exists. */
export async function lockCategoryForShare(tx: TicketsTx, organization_id: string, id: string): Promise<boolean> {
  const query = tx.selectFrom('article_categories').select('id').where('organization_id', '=', organization_id).where('id', '=', id);
  return (await query.forKeyShare().executeTakeFirst()) !== undefined;
}

export async function isNameTaken(tx: TicketsTx, name: string, except: string | null): Promise<boolean> {
  const query = tx
    .selectFrom('article_categories')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`);
  return (await query.$if(except !== null, (others) => others.where('id', '<>', except!)).executeTakeFirst()) !== undefined;
}

export async function insertCategory(
  tx: TicketsTx,
  organization_id: string,
  { article_count: _, ...category }: ArticleCategory,
): Promise<void> {
  await tx
    .insertInto('article_categories')
    .values({ ...category, organization_id })
    .execute();
}

export async function saveCategory(tx: TicketsTx, { id, name, description, updated_at }: ArticleCategory): Promise<void> {
  await tx.updateTable('article_categories').set({ name, description, updated_at }).where('id', '=', id).execute();
}

/** Deletes a category and closes its gap in the order. */
export async function deleteCategory(tx: TicketsTx, { id, position }: ArticleCategory): Promise<void> {
  await tx.deleteFrom('article_categories').where('id', '=', id).execute();
  await tx
    .updateTable('article_categories')
    .set((eb) => ({ position: eb('position', '-', 1) }))
    .where('position', '>', position)
    .execute();
}

export async function saveCategoryOrder(tx: TicketsTx, organization_id: string, ids: string[]): Promise<void> {
  await sql`
    update article_categories c set position = wanted.position from unnest(${ids}::uuid[]) with ordinality as wanted (id, position)
    where c.organization_id = ${organization_id} and c.id = wanted.id`.execute(tx);
}
