import type { HelpReport, InputOf, readHelpReport } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';
import { latestUse } from './latest-use';

type Period = InputOf<typeof readHelpReport>['query'];

/** Articles and queries that the report lists. */
const maxListed = 50;

export async function findDays(tx: TicketsTx, organization_id: string, { from, to }: Period): Promise<HelpReport['days']> {
  const { rows } = await sql<HelpReport['days'][number]>`
    select to_char(g, 'YYYY-MM-DD') as day, coalesce(d.views, 0) as views, coalesce(d.suggestions_opened, 0) as suggestions_opened,
      coalesce(d.solved, 0) as solved, coalesce(d.helpful, 0) as helpful, coalesce(d.not_helpful, 0) as not_helpful,
      coalesce(d.searches, 0) as searches, coalesce(d.searches_without_result, 0) as searches_without_result
    from generate_series(${from}::timestamp, ${to}::timestamp, '1 day') as g
    left join help_days d on d.organization_id = ${organization_id}::uuid and d.day = g::date
    order by g`.execute(tx);
  return rows;
}

/**
 * With the published title, or that of the draft if the article is no longer published. Ratings and titles are read of the
 * listed articles only.
 */
export async function findArticleFigures(tx: TicketsTx, organization_id: string, period: Period): Promise<HelpReport['articles']> {
  const { from, to } = period;
  const [organization, article] = [sql`a.organization_id`, sql`a.id`];
  const ratings = sql`from article_ratings r
    where r.organization_id = a.organization_id and r.article_id = a.id and r.day between ${from}::date and ${to}::date`;
  const { rows } = await sql<HelpReport['articles'][number]>`
    select a.id as article_id, a.number, coalesce(v.title, a.title) as title, a.views, a.suggestions_opened, a.solved, r.helpful, r.not_helpful
    from (
      select a.organization_id, a.id, a.number, a.title, a.published_version, u.* from articles a
      left join lateral (${latestUse(organization, article, sql`day <= ${to}::date`)}) l on true
      left join lateral (${latestUse(organization, article, sql`day < ${from}::date`)}) e on true
      cross join lateral (
        select coalesce(l.views, 0) - coalesce(e.views, 0) as views, coalesce(l.solved, 0) - coalesce(e.solved, 0) as solved,
          coalesce(l.suggestions_opened, 0) - coalesce(e.suggestions_opened, 0) as suggestions_opened) u
      where a.organization_id = ${organization_id}::uuid
        and (u.views > 0 or u.suggestions_opened > 0 or u.solved > 0 or exists (select ${ratings}))
      order by u.views desc, a.number limit ${maxListed}) a
    cross join lateral (
      select count(*) filter (where r.helpful)::integer as helpful, count(*) filter (where not r.helpful)::integer as not_helpful ${ratings}) r
    left join article_versions v on v.organization_id = a.organization_id and v.article_id = a.id and v.number = a.published_version
    order by a.views desc, a.number`.execute(tx);
  return rows;
}

export async function findFailedSearches(
  tx: TicketsTx,
  organization_id: string,
  { from, to }: Period,
): Promise<HelpReport['searches_without_result']> {
  const { rows } = await sql<HelpReport['searches_without_result'][number]>`
    select query, sum(without_result)::integer as times, to_char(max(day), 'YYYY-MM-DD') as last_day from help_searches
    where organization_id = ${organization_id}::uuid and day between ${from}::date and ${to}::date and without_result > 0
    group by query order by times desc, last_day desc, query limit ${maxListed}`.execute(tx);
  return rows;
}
