import type { HelpReport, InputOf, readHelpReport } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';

type Period = InputOf<typeof readHelpReport>['query'];

/** Articles and queries that the report lists. */
const maxListed = 50;

/** A rating counts on the day of the organization's time zone on which the reader gave it last. */
const ratings = (organization_id: string, { from, to }: Period) => sql`(
  select r.article_id, (r.rated_at at time zone o.time_zone)::date as day,
    count(*) filter (where r.helpful) as helpful, count(*) filter (where not r.helpful) as not_helpful
  from article_ratings r join organizations o on o.organization_id = r.organization_id
  where r.organization_id = ${organization_id}::uuid and r.rated_at >= ${from}::timestamp at time zone o.time_zone
    and r.rated_at < (${to}::date + 1)::timestamp at time zone o.time_zone
  group by 1, 2)`;

export async function findDays(tx: TicketsTx, organization_id: string, period: Period): Promise<HelpReport['days']> {
  const { from, to } = period;
  const ofDays = sql`organization_id = ${organization_id}::uuid and day between ${from}::date and ${to}::date`;
  const { rows } = await sql<HelpReport['days'][number]>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(u.views, 0)::integer as views,
      coalesce(u.suggestions_opened, 0)::integer as suggestions_opened, coalesce(u.solved, 0)::integer as solved,
      coalesce(r.helpful, 0)::integer as helpful, coalesce(r.not_helpful, 0)::integer as not_helpful,
      coalesce(s.searches, 0)::integer as searches, coalesce(s.without_result, 0)::integer as searches_without_result
    from (select g::date as day from generate_series(${from}::timestamp, ${to}::timestamp, '1 day') as g) d
    left join (select day, sum(views) as views, sum(suggestions_opened) as suggestions_opened, sum(solved) as solved
      from article_uses where ${ofDays} group by day) u on u.day = d.day
    left join (select day, sum(helpful) as helpful, sum(not_helpful) as not_helpful from ${ratings(organization_id, period)} r group by day) r
      on r.day = d.day
    left join (select day, sum(times) as searches, sum(without_result) as without_result from help_searches where ${ofDays} group by day) s
      on s.day = d.day
    order by d.day`.execute(tx);
  return rows;
}

/** With the published title, or that of the draft if the article is no longer published. */
export async function findArticleFigures(tx: TicketsTx, organization_id: string, period: Period): Promise<HelpReport['articles']> {
  const { from, to } = period;
  const { rows } = await sql<HelpReport['articles'][number]>`
    select a.id as article_id, a.number, coalesce(v.title, a.title) as title, coalesce(u.views, 0)::integer as views,
      coalesce(u.suggestions_opened, 0)::integer as suggestions_opened, coalesce(u.solved, 0)::integer as solved,
      coalesce(r.helpful, 0)::integer as helpful, coalesce(r.not_helpful, 0)::integer as not_helpful
    from (select article_id, sum(views) as views, sum(suggestions_opened) as suggestions_opened, sum(solved) as solved from article_uses
      where organization_id = ${organization_id}::uuid and day between ${from}::date and ${to}::date group by article_id) u
    full join (select article_id, sum(helpful) as helpful, sum(not_helpful) as not_helpful from ${ratings(organization_id, period)} r
      group by article_id) r on r.article_id = u.article_id
    join articles a on a.organization_id = ${organization_id}::uuid and a.id = coalesce(u.article_id, r.article_id)
    left join article_versions v on v.organization_id = a.organization_id and v.article_id = a.id and v.number = a.published_version
    order by u.views desc nulls last, a.number limit ${maxListed}`.execute(tx);
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
