import {
  articleLimits,
  type Article,
  type ArticleFilter,
  type ArticleRating,
  type ArticleSummary,
  type ArticleVersion,
  type Page,
  type PageQuery,
} from '@tandem/contracts';
import { foldCase } from '@tandem/contracts/values';
import { lockName, paginate } from '@tandem/db';
import { sql } from 'kysely';
import type { ArticleRow, ArticleVersionRow, TicketsTx } from '../schema';
import { containsPattern } from '../ticket/ticket';
import { findPictures } from './article-picture.store';

// Reads filter by organization in addition to row-level security, because processes may read this table too (attachment.store.ts).

/** More matches of a search are not counted, nor listed. */
export const searchCap = 250;

const ofVersion = sql`(v.title, v.summary, v.body, v.language)`;
const withVersion = (tx: TicketsTx, organization_id: string) =>
  tx
    .selectFrom('articles as a')
    .leftJoin('article_versions as v', (join) =>
      join
        .onRef('v.organization_id', '=', 'a.organization_id')
        .onRef('v.article_id', '=', 'a.id')
        .onRef('v.number', '=', 'a.published_version'),
    )
    .where('a.organization_id', '=', organization_id);

const summaries = (tx: TicketsTx, organization_id: string) =>
  withVersion(tx, organization_id).select([
    'a.id',
    'a.number',
    'a.title',
    'a.summary',
    'a.language',
    'a.category_id',
    'a.visibility',
    sql<ArticleSummary['state']>`case when a.published_version is null then 'draft' else 'published' end`.as('state'),
    sql<boolean>`v.number is not null and (a.title, a.summary, a.body, a.language) is distinct from ${ofVersion}`.as(
      'has_unpublished_changes',
    ),
    'v.title as published_title',
    'v.published_at',
    'a.updated_at',
    'a.updated_by',
    'a.deleted_at',
  ]);

/** A page of the articles that match: the latest changed first, or the best matches of a search. */
export function findArticles(tx: TicketsTx, organization_id: string, filter: ArticleFilter): Promise<Page<ArticleSummary>> {
  const { state, visibility, category_id, q, deleted, ...page } = filter;
  const patterns = foldCase(q ?? '').split(/\s+/).filter(Boolean).map(containsPattern); // prettier-ignore
  if (patterns.length > 0) {
    const category = category_id === 'none' ? null : (category_id ?? null);
    const found = sql<{ id: string; rank: number }>`find_articles_by_draft(${patterns}::text[], ${state ?? null}, ${visibility ?? null},
      ${category}::uuid, ${category_id === 'none'}, ${deleted}, ${searchCap})`.as('found');
    const query = summaries(tx, organization_id).innerJoin(found, (join) => join.onRef('found.id', '=', 'a.id'));
    return paginate(tx, query, { ...page, orderBy: ['found.rank', 'a.updated_at', 'a.id'] });
  }
  const query = summaries(tx, organization_id)
    .where('a.deleted_at', deleted ? 'is not' : 'is', null)
    .$if(state !== undefined, (all) => all.where('a.published_version', state === 'published' ? 'is not' : 'is', null))
    .$if(visibility !== undefined, (all) => all.where('a.visibility', '=', visibility!))
    .$if(category_id === 'none', (all) => all.where('a.category_id', 'is', null))
    .$if(category_id !== undefined && category_id !== 'none', (all) => all.where('a.category_id', '=', category_id!));
  return paginate(tx, query, { ...page, orderBy: ['a.updated_at', 'a.id'] });
}

/** Deleted articles too. */
export async function findArticle(tx: TicketsTx, organization_id: string, id: string): Promise<Article | undefined> {
  const ofArticle = sql`organization_id = a.organization_id and article_id = a.id`;
  const query = summaries(tx, organization_id)
    .where('a.id', '=', id)
    .select(['a.body', 'a.ticket_id', 'a.created_at', 'a.version'])
    .select([
      sql<number | null>`(select max(number) from article_versions where ${ofArticle})`.as('latest_version'),
      sql<number>`(select coalesce(max(views), 0) from article_uses where ${ofArticle})`.as('views'),
      sql<number>`(select count(*)::int from article_ratings where ${ofArticle} and helpful)`.as('helpful'),
      sql<number>`(select count(*)::int from article_ratings where ${ofArticle} and not helpful)`.as('not_helpful'),
    ]);
  const [article, pictures] = await Promise.all([query.executeTakeFirst(), findPictures(tx, organization_id, id)]);
  return article && { ...article, pictures };
}

/** Locks the article until the transaction ends. Deleted articles too. */
export const findArticleForUpdate = (tx: TicketsTx, organization_id: string, id: string): Promise<ArticleRow | undefined> =>
  tx
    .selectFrom('articles')
    .select(columns)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

const columns = [
  'organization_id',
  'id',
  'number',
  'title',
  'summary',
  'body',
  'language',
  'category_id',
  'visibility',
  'published_version',
  'first_published_at',
  'ticket_id',
  'updated_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
] as const satisfies readonly (keyof ArticleRow)[];

/** Serializes the creation of articles of an organization until the transaction ends. */
export const lockArticles = (tx: TicketsTx, organization_id: string): Promise<void> => lockName(tx, `articles ${organization_id}`);

export async function countArticles(tx: TicketsTx, organization_id: string): Promise<number> {
  const query = tx.selectFrom('articles').select((eb) => eb.fn.countAll<number>().as('count'));
  return (await query.where('organization_id', '=', organization_id).executeTakeFirstOrThrow()).count;
}

/** The next number of the organization's articles and categories. */
export async function nextNumber(tx: TicketsTx, organization_id: string): Promise<number> {
  const { last_number } = await tx
    .insertInto('article_counters')
    .values({ organization_id, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ last_number: sql<number>`article_counters.last_number + 1` }),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number;
}

export async function findDefaultLanguage(tx: TicketsTx, organization_id: string): Promise<Article['language']> {
  const row = await tx
    .selectFrom('organizations')
    .select('default_language')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return row?.default_language ?? 'en';
}

export async function insertArticle(tx: TicketsTx, article: ArticleRow): Promise<void> {
  await tx.insertInto('articles').values(article).execute();
}

/** Saves a locked article as a new version of its row. */
export async function saveArticle(tx: TicketsTx, { organization_id, id }: ArticleRow, changes: Partial<ArticleRow>): Promise<void> {
  await tx
    .updateTable('articles')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

export async function findArticleOfTicket(tx: TicketsTx, organization_id: string, ticket_id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('articles')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
  return row?.id;
}

// ---- versions and ratings -----------------------------------------------------------------------------------------

/** Adds the draft of an article as its next version, and removes versions beyond the limit. Returns its number. */
export async function insertVersion(
  tx: TicketsTx,
  { organization_id, id: article_id, title, summary, body, language }: ArticleRow,
  published: Pick<ArticleVersion, 'published_at' | 'published_by'>,
): Promise<number> {
  const { number } = await tx
    .insertInto('article_versions')
    .values((eb) => ({
      organization_id,
      article_id,
      number: eb
        .selectFrom('article_versions')
        .select(sql<number>`coalesce(max(number), 0) + 1`.as('next'))
        .where('article_id', '=', article_id),
      ...{ title, summary, body, language },
      ...published,
    }))
    .returning('number')
    .executeTakeFirstOrThrow();
  await tx
    .deleteFrom('article_versions')
    .where('article_id', '=', article_id)
    .where('number', '<=', number - articleLimits.versions)
    .execute();
  return number;
}

const versionColumns = ['number', 'title', 'published_at', 'published_by'] as const;
export const findVersions = (tx: TicketsTx, article_id: string): Promise<ArticleVersion[]> =>
  tx.selectFrom('article_versions').select(versionColumns).where('article_id', '=', article_id).orderBy('number', 'desc').execute();

type WholeVersion = Omit<ArticleVersionRow, 'organization_id' | 'article_id'>;
export const findVersion = (tx: TicketsTx, article_id: string, number: number): Promise<WholeVersion | undefined> =>
  tx
    .selectFrom('article_versions')
    .select([...versionColumns, 'summary', 'body', 'language'])
    .where('article_id', '=', article_id)
    .where('number', '=', number)
    .executeTakeFirst();

/** Ratings with a remark, the latest first. */
export const findRemarks = (tx: TicketsTx, article_id: string, page: PageQuery): Promise<Page<ArticleRating>> =>
  paginate(
    tx,
    tx
      .selectFrom('article_ratings')
      .select(['helpful', 'remark', 'version', 'rated_at'])
      .where('article_id', '=', article_id)
      .where('remark', 'is not', null),
    { ...page, orderBy: ['rated_at', 'reader'] },
  );

// ---- articles that can no longer be restored ------------------------------------------------------------------------

const restorableSince = sql<string>`now() - make_interval(days => ${articleLimits.daysToRestore})`;

export const findExpiredArticlesAcrossOrganizations = (tx: TicketsTx) =>
  tx
    .selectFrom('articles')
    .select(['organization_id', 'id'])
    .where('deleted_at', '<', restorableSince)
    .orderBy('deleted_at')
    .limit(500)
    .execute();

/** Whether a deleted article can no longer be restored; then its files may be missing already. */
export async function isExpired(tx: TicketsTx, organization_id: string, id: string): Promise<boolean> {
  const query = tx.selectFrom('articles').select('id').where('organization_id', '=', organization_id).where('id', '=', id);
  return (await query.where('deleted_at', '<', restorableSince).executeTakeFirst()) !== undefined;
}

export async function deleteArticleRow(tx: TicketsTx, organization_id: string, id: string): Promise<void> {
  await tx.deleteFrom('articles').where('organization_id', '=', organization_id).where('id', '=', id).execute();
}
