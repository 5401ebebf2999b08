import type { ArticleRating, HelpUse } from '@tandem/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { TicketsTx } from '../schema';
import { storableQuery } from './help';
import { latestUse } from './latest-use';

/** Different queries that are stored per day and organization. */
const maxQueriesPerDay = 1_000;
/** A year of days for the report, and some weeks more. */
const daysToKeep = 400;

const columns = { view: 'views', suggestion_opened: 'suggestions_opened', solved: 'solved' } as const;

/**
 * Readers do not wait for each other: a counter whose row is locked for longer loses this use. The row of the day is common to all uses of an
 * organization; it is unlocked without waiting for the disk, because a crash may lose the last counts.
 */
export const limitWait = async (tx: TicketsTx): Promise<void> =>
  void (await sql`select set_config('lock_timeout', '200ms', true), set_config('synchronous_commit', 'off', true)`.execute(tx));
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03';

const today = sql`(now() at time zone o.time_zone)::date`;
const isPublic = sql`a.published_version is not null and a.visibility = 'public' and a.deleted_at is null`;

/** Counts a use on this day of the organization. Nothing happens if the article is not public. */
export async function countUse(tx: TicketsTx, organization_id: string, use: HelpUse): Promise<void> {
  if (use.type === 'search') return countSearch(tx, organization_id, use);
  const column = sql.ref(columns[use.type]);
  // After a change of the time zone, an article may have uses of tomorrow: totals must not decrease from day to day.
  await sql`
    with counted as (
      insert into article_uses as u (organization_id, article_id, day, views, suggestions_opened, solved)
      select a.organization_id, a.id, greatest(l.day, ${today}), coalesce(l.views, 0) + ${use.type === 'view' ? 1 : 0}::integer,
        coalesce(l.suggestions_opened, 0) + ${use.type === 'suggestion_opened' ? 1 : 0}::integer,
        coalesce(l.solved, 0) + ${use.type === 'solved' ? 1 : 0}::integer
      from articles a join organizations o on o.organization_id = a.organization_id
        left join lateral (${latestUse(sql`a.organization_id`, sql`a.id`)}) l on true
      where a.organization_id = ${organization_id}::uuid and a.number = ${use.number} and ${isPublic}
      on conflict (organization_id, article_id, day) do update set ${column} = u.${column} + 1
      returning organization_id, day)
    insert into help_days as d (organization_id, day, ${column}) select organization_id, day, 1 from counted
    on conflict (organization_id, day) do update set ${column} = d.${column} + 1`.execute(tx);
}

/**
 * Counts every search, and stores its query unless it may contain personal data. Concurrent searches can exceed the maximum of different
 * queries by a few: a lock would make readers wait.
 */
async function countSearch(tx: TicketsTx, organization_id: string, use: { query: string; results: number }): Promise<void> {
  const query = storableQuery(use.query);
  const isFailure = use.results === 0 ? 1 : 0;
  if (query !== null)
    await sql`
      insert into help_searches as s (organization_id, day, query, times, without_result)
      select o.organization_id, ${today}, ${query}, 1, ${isFailure}::integer from organizations o
      where o.organization_id = ${organization_id}::uuid and (
        exists (select from help_searches h where h.organization_id = o.organization_id and h.day = ${today} and h.query = ${query})
        or (select count(*) from help_searches h where h.organization_id = o.organization_id and h.day = ${today}) < ${maxQueriesPerDay})
      on conflict (organization_id, day, query)
        do update set times = s.times + 1, without_result = s.without_result + excluded.without_result`.execute(tx);
  await sql`
    insert into help_days as d (organization_id, day, searches, searches_without_result)
    select o.organization_id, ${today}, 1, ${isFailure}::integer from organizations o where o.organization_id = ${organization_id}::uuid
    on conflict (organization_id, day)
      do update set searches = d.searches + 1, searches_without_result = d.searches_without_result + excluded.searches_without_result`.execute(
    tx,
  );
}

type Rating = Pick<ArticleRating, 'helpful' | 'remark'> & { reader: string };

/** Replaces the reader's earlier rating of the article. Returns whether the article is public. */
export async function saveRating(tx: TicketsTx, organization_id: string, number: number, rating: Rating): Promise<boolean> {
  const { helpful, remark, reader } = rating;
  const { numAffectedRows } = await sql`
    insert into article_ratings (organization_id, article_id, reader, helpful, remark, version, rated_at, day)
    select a.organization_id, a.id, ${reader}, ${helpful}::boolean, ${remark}::text, a.published_version, now(), ${today}
    from articles a join organizations o on o.organization_id = a.organization_id
    where a.organization_id = ${organization_id}::uuid and a.number = ${number} and ${isPublic}
    on conflict (organization_id, article_id, reader)
      do update set helpful = excluded.helpful, remark = excluded.remark, version = excluded.version, rated_at = excluded.rated_at,
        day = excluded.day`.execute(tx);
  return numAffectedRows === 1n;
}

// ---- old figures ------------------------------------------------------------------------------------------------

const tables = ['article_uses', 'help_searches', 'help_days'] as const;
const isOld: RawBuilder<boolean> = sql`t.day + ${sql.lit(daysToKeep)} < current_date`;

/**
 * The latest old totals of an article stay: later periods subtract them. Without statistics and `offset 0`, PostgreSQL would join the whole
 * table.
 */
const isExpired = (table: (typeof tables)[number]): RawBuilder<boolean> =>
  table !== 'article_uses'
    ? isOld
    : sql`${isOld} and exists (select from article_uses l where l.organization_id = t.organization_id and l.article_id = t.article_id
        and l.day > t.day and l.day < current_date - ${sql.lit(daysToKeep)} offset 0)`;

export async function hasExpiredUsesAcrossOrganizations(tx: TicketsTx): Promise<boolean> {
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} t where ${isExpired(table)} limit 1`.execute(tx);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Deletes at most `limit` old rows of each table. Returns whether there may be more. */
export async function deleteExpiredUsesAcrossOrganizations(tx: TicketsTx, limit: number): Promise<boolean> {
  let isMore = false;
  for (const table of tables) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where ctid = any(array(select t.ctid from ${sql.table(table)} t where ${isExpired(table)} limit ${limit}))`.execute(tx);
    isMore ||= Number(numAffectedRows ?? 0) === limit;
  }
  return isMore;
}
