import type { ArticleRating, HelpUse } from '@tandem/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { TicketsTx } from '../schema';
import { storableQuery } from './help';

/** Different queries that are stored per day and organization. */
const maxQueriesPerDay = 1_000;
/** A year of days for the report, and some weeks more. */
const daysToKeep = 400;

const columns = { view: 'views', suggestion_opened: 'suggestions_opened', solved: 'solved' } as const;

/** Readers do not wait for each other: a counter whose row is locked for longer loses this use. */
export const limitWait = async (tx: TicketsTx): Promise<void> =>
  void (await sql`select set_config('lock_timeout', '200ms', true)`.execute(tx));
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03';

const today = sql`(now() at time zone o.time_zone)::date`;
const isPublic = sql`a.published_version is not null and a.visibility = 'public' and a.deleted_at is null`;

/** Counts a use on this day of the organization. Nothing happens if the article is not public, or the query must not be stored. */
export async function countUse(tx: TicketsTx, organization_id: string, use: HelpUse): Promise<void> {
  if (use.type === 'search') return countSearch(tx, organization_id, use);
  const column = sql.ref(columns[use.type]);
  await sql`
    insert into article_uses as u (organization_id, article_id, day, ${column})
    select a.organization_id, a.id, ${today}, 1
    from articles a join organizations o on o.organization_id = a.organization_id
    where a.organization_id = ${organization_id}::uuid and a.number = ${use.number} and ${isPublic}
    on conflict (organization_id, day, article_id) do update set ${column} = u.${column} + 1`.execute(tx);
}

/** Concurrent searches can exceed the maximum of different queries by a few: a lock would make readers wait. */
async function countSearch(tx: TicketsTx, organization_id: string, use: { query: string; results: number }): Promise<void> {
  const query = storableQuery(use.query);
  if (query === null) return;
  const isFailure = use.results === 0 ? 1 : 0;
  await sql`
    insert into help_searches as s (organization_id, day, query, times, without_result)
    select o.organization_id, ${today}, ${query}, 1, ${isFailure}::integer from organizations o
    where o.organization_id = ${organization_id}::uuid and (
      exists (select from help_searches h where h.organization_id = o.organization_id and h.day = ${today} and h.query = ${query})
      or (select count(*) from help_searches h where h.organization_id = o.organization_id and h.day = ${today}) < ${maxQueriesPerDay})
    on conflict (organization_id, day, query) do update set times = s.times + 1, without_result = s.without_result + excluded.without_result
  `.execute(tx);
}

type Rating = Pick<ArticleRating, 'helpful' | 'remark'> & { reader: string };

/** Replaces the reader's earlier rating of the article. Returns whether the article is public. */
export async function saveRating(tx: TicketsTx, organization_id: string, number: number, rating: Rating): Promise<boolean> {
  const { helpful, remark, reader } = rating;
  const { numAffectedRows } = await sql`
    insert into article_ratings (organization_id, article_id, reader, helpful, remark, version, rated_at)
    select a.organization_id, a.id, ${reader}, ${helpful}::boolean, ${remark}::text, a.published_version, now()
    from articles a where a.organization_id = ${organization_id}::uuid and a.number = ${number} and ${isPublic}
    on conflict (organization_id, article_id, reader)
      do update set helpful = excluded.helpful, remark = excluded.remark, version = excluded.version, rated_at = excluded.rated_at`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

// ---- old figures ------------------------------------------------------------------------------------------------

const tables = ['article_uses', 'help_searches'] as const;
const isOld: RawBuilder<boolean> = sql`day < current_date - ${sql.lit(daysToKeep)}`;

export async function hasExpiredUsesAcrossOrganizations(tx: TicketsTx): Promise<boolean> {
  const found = await Promise.all(tables.map((table) => tx.selectFrom(table).select('day').where(isOld).limit(1).executeTakeFirst()));
  return found.some((row) => row !== undefined);
}

/** Deletes at most `limit` old rows of each table. Returns whether there may be more. */
export async function deleteExpiredUsesAcrossOrganizations(tx: TicketsTx, limit: number): Promise<boolean> {
  let isMore = false;
  for (const table of tables) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where ctid = any(array(select ctid from ${sql.table(table)} where ${isOld} order by day limit ${limit}))`.execute(tx);
    isMore ||= Number(numAffectedRows ?? 0) === limit;
  }
  return isMore;
}
