import { currentOrganizationId } from '@tandem/db';
import { sql } from 'kysely';
import type { ArticlePictureRow, ArticleRatingRow, ArticleRow, ArticleVersionRow, TicketsTx } from '../schema';

// Articles and pictures are readable for the system as well, so queries filter by organization: otherwise the planner uses no index.

const articleColumns = [
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
] as const satisfies readonly (keyof ArticleRow)[];
export type ArticleLineRow = Pick<ArticleRow, (typeof articleColumns)[number]>;

/** By number; without deleted ones. */
export const findArticlePage = (tx: TicketsTx, after: ArticleLineRow | undefined, limit: number): Promise<ArticleLineRow[]> =>
  tx
    .selectFrom('articles')
    .select(articleColumns)
    .where('organization_id', '=', currentOrganizationId)
    .where('deleted_at', 'is', null)
    .where('number', '>', after?.number ?? 0)
    .orderBy('number')
    .limit(limit)
    .execute();

/** `place` is that of the article among the given ones. */
interface Placed {
  place: number;
}
const placesOf = (ids: readonly string[]) => sql`unnest(${ids}::uuid[]) with ordinality as x (id, place)`;

export type VersionRow = Placed &
  Pick<ArticleVersionRow, 'article_id' | 'number' | 'title' | 'summary' | 'body' | 'language' | 'published_at' | 'published_by'>;

export async function findVersionPage(
  tx: TicketsTx,
  ids: readonly string[],
  after: VersionRow | undefined,
  limit: number,
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select x.place::int, v.article_id, v.number, v.title, v.summary, v.body, v.language, v.published_at, v.published_by
    from ${placesOf(ids)} join article_versions v on v.article_id = x.id
    where (x.place, v.number) > (${after?.place ?? 0}::int, ${after?.number ?? 0}::int)
    order by x.place, v.number limit ${limit}`.execute(tx);
  return rows;
}

export type PictureRow = Placed & Pick<ArticlePictureRow, 'id' | 'article_id' | 'file_name' | 'size' | 'created_at'>;

/** By their names, which are unique in an article. */
export async function findPicturePage(
  tx: TicketsTx,
  ids: readonly string[],
  after: PictureRow | undefined,
  limit: number,
): Promise<PictureRow[]> {
  const { rows } = await sql<PictureRow>`
    select x.place::int, p.id, p.article_id, p.file_name, p.size, p.created_at
    from ${placesOf(ids)} join article_pictures p on p.organization_id = ${currentOrganizationId} and p.article_id = x.id
    where (x.place, p.file_name collate "C") > (${after?.place ?? 0}::int, ${after?.file_name ?? ''})
    order by x.place, p.file_name collate "C" limit ${limit}`.execute(tx);
  return rows;
}

export type RatingRow = Placed & Pick<ArticleRatingRow, 'article_id' | 'reader' | 'helpful' | 'remark' | 'version' | 'rated_at'>;

export async function findRatingPage(
  tx: TicketsTx,
  ids: readonly string[],
  after: RatingRow | undefined,
  limit: number,
): Promise<RatingRow[]> {
  const { rows } = await sql<RatingRow>`
    select x.place::int, r.article_id, r.reader, r.helpful, r.remark, r.version, r.rated_at
    from ${placesOf(ids)} join article_ratings r on r.article_id = x.id
    where (x.place, r.reader) > (${after?.place ?? 0}::int, ${after?.reader ?? ''})
    order by x.place, r.reader limit ${limit}`.execute(tx);
  return rows;
}
