import type { Analytics } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { TicketsSchema } from '@tandem/tickets/src/schema';
import { sql, type RawBuilder } from 'kysely';

/** The figures of some tickets: each is a separate expression that follows its definition literally. */
const figures = (rows: RawBuilder<unknown>) => sql`(select json_build_object(
  'total_tickets', count(*),
  'open_tickets', count(*) filter (where status in ('open', 'in_progress')),
  'responded_tickets', count(first_response_time_hours),
  'avg_first_response_hours', avg(first_response_time_hours),
  'median_first_response_hours', percentile_disc(0.5) within group (order by first_response_time_hours),
  'p90_first_response_hours', percentile_disc(0.9) within group (order by first_response_time_hours),
  'resolved_tickets', count(resolution_time_hours),
  'avg_resolution_hours', avg(resolution_time_hours),
  'median_resolution_hours', percentile_disc(0.5) within group (order by resolution_time_hours),
  'p90_resolution_hours', percentile_disc(0.9) within group (order by resolution_time_hours),
  'surveys_sent', count(sent_at),
  'ratings', count(rating),
  'avg_satisfaction', avg(rating),
  'satisfaction_distribution', json_build_array(count(*) filter (where rating = 1), count(*) filter (where rating = 2),
    count(*) filter (where rating = 3), count(*) filter (where rating = 4), count(*) filter (where rating = 5)),
  'survey_response_rate', 100.0 * count(rating) filter (where sent_at is not null) / nullif(count(sent_at), 0),
  'sla_breaches', count(sla_breached_at),
  'sla_compliance', 100.0 * (count(*) - count(sla_breached_at)) / nullif(count(*), 0),
  'escalated_tickets', count(escalated_at),
  'escalation_rate', 100.0 * count(escalated_at) / nullif(count(*), 0),
  'reopened_tickets', count(*) filter (where reopen_count > 0),
  'reopen_rate', 100.0 * count(*) filter (where reopen_count > 0) / nullif(count(*), 0),
  'one_touch_tickets', count(*) filter (where resolution_time_hours is not null and public_reply_count = 1),
  'one_touch_rate', 100.0 * count(*) filter (where resolution_time_hours is not null and public_reply_count = 1)
    / nullif(count(resolution_time_hours), 0)
) ${rows})`;

/** Counts by a key, the largest first, as the page lists them. */
const counts = (
  name: string,
  rows: RawBuilder<unknown>,
) => sql`(select coalesce(json_agg(json_build_object(${sql.lit(name)}, key, 'count', n)
  order by n desc, coalesce(key, '') collate "C"), '[]') from (select key, count(*) as n ${rows} group by key) counted)`;

const edges = [0, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 48, 72, 168];
const histogram = (hours: string) => sql`(select json_agg(json_build_object('from_hours', low, 'to_hours', high, 'count',
    (select count(*) from cohort where ${sql.ref(hours)} >= low and (high is null or ${sql.ref(hours)} < high))) order by low)
  from (select low, lead(low) over (order by low) as high from unnest(${edges}::float8[]) low) bars)`;

const named = (
  key: string,
  order: readonly string[],
  more: RawBuilder<unknown> = sql``,
) => sql`(select json_agg(json_build_object('key', key, 'count',
    (select count(*) from cohort where ${sql.ref(key)}::text = key) ${more}) order by position)
  from unnest(${order}::text[]) with ordinality as keys (key, position))`;

/**
 * The expected response of `GET /analytics` for a range, counted from the tickets by SQL that shares nothing with the analytics service.
 */
export async function demoRecount(tx: Tx<TicketsSchema>, { from, to }: Analytics['period'], zone: string): Promise<unknown> {
  const start = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${zone}`;
  const { rows } = await sql<{ counted: unknown }>`
    with own as (
      select t.*, s.rating, s.feedback, s.created_at as rated_at, sent.sent_at, (t.created_at at time zone ${zone})::date as day,
        (t.sla_breached_at at time zone ${zone})::date as breached_day
      from tickets t left join surveys s on s.ticket_id = t.id left join sent_surveys sent on sent.ticket_id = t.id
    ),
    cohort as (select * from own where day between ${from}::date and ${to}::date),
    days as (select generate_series(${from}::date, ${to}::date, '1 day')::date as day),
    periods as (
      select *, (resolved_at at time zone ${zone})::date as resolved_day, (opened_at at time zone ${zone})::date as opened_day from open_periods
    )
    select json_build_object(
      'figures', ${figures(sql`from cohort`)},
      'previous', json_build_object('figures',
        ${figures(sql`from own where day between ${from}::date - (${to}::date - ${from}::date + 1) and ${from}::date - 1`)}),
      'per_day', (select json_agg(json_build_object(
          'day', day,
          'created', (select count(*) from own where own.day = days.day),
          'resolved', (select count(distinct ticket_id) from periods where resolved_day = days.day),
          'reopened', (select count(distinct ticket_id) from periods where is_reopened and opened_day = days.day),
          'breaches', (select count(*) from own where breached_day = days.day),
          'backlog', (select count(*) from periods where opened_at < ${start(sql`days.day + 1`)} and resolved_at >= ${start(sql`days.day + 1`)})
        ) order by day) from days),
      'of_days', (select json_agg(${figures(sql`from own where own.day = days.day`)} order by day) from days),
      'first_response_histogram', ${histogram('first_response_time_hours')},
      'resolution_histogram', ${histogram('resolution_time_hours')},
      'by_priority', ${named('priority', ['low', 'medium', 'high', 'urgent'], sql`, 'breaches', (select count(sla_breached_at) from cohort where priority = key)`)},
      'by_status', ${named('status', ['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'])},
      'by_channel', ${counts('key', sql`from (select channel as key from cohort) each`)},
      'by_category', json_build_object('items', ${counts('key', sql`from (select category as key from cohort) each`)}, 'rest', 0),
      'by_tag', json_build_object('items', ${counts('key', sql`from (select distinct id, unnest(tags) as key from cohort) each`)}, 'rest', 0),
      'team', (select json_agg(json_build_object(
          'user_id', assigned_to, 'assigned', assigned, 'open', open, 'resolved', resolved, 'ratings', ratings, 'avg_satisfaction', satisfaction,
          'median_first_response_hours', first_response, 'median_resolution_hours', resolution) order by assigned desc, assigned_to)
        from (select assigned_to, count(*) as assigned, count(*) filter (where status in ('open', 'in_progress')) as open,
            count(resolution_time_hours) as resolved, count(rating) as ratings, avg(rating) as satisfaction,
            percentile_disc(0.5) within group (order by first_response_time_hours) as first_response,
            percentile_disc(0.5) within group (order by resolution_time_hours) as resolution
          from cohort where assigned_to is not null group by assigned_to) members),
      'arrivals', (select json_agg((select json_agg((select count(*) from cohort
            where extract(isodow from created_at at time zone ${zone}) = weekday and extract(hour from created_at at time zone ${zone}) = hour
          ) order by hour) from generate_series(0, 23) hour) order by weekday) from generate_series(1, 7) weekday),
      'feedback', (select coalesce(json_agg(json_build_object('ticket_id', id, 'ticket_number', ticket_number, 'rating', rating, 'feedback', feedback)
          order by rated_at desc), '[]') from (select * from cohort where feedback is not null order by rated_at desc limit 5) newest)
    ) as counted`.execute(tx);
  const { of_days, ...counted } = rows[0]!.counted as { of_days: Record<string, number | null>[] };
  const names = Object.keys(of_days[0]!).filter((name) => name in courses);
  return { ...counted, figures_per_day: Object.fromEntries(names.map((name) => [name, of_days.map((figures) => figures[name]!)])) };
}
const courses: Record<keyof Analytics['figures_per_day'], true> = {
  total_tickets: true,
  open_tickets: true,
  median_first_response_hours: true,
  median_resolution_hours: true,
  avg_satisfaction: true,
  sla_breaches: true,
  sla_compliance: true,
  escalation_rate: true,
  reopen_rate: true,
  one_touch_rate: true,
};

export interface Leaf {
  path: string;
  value: unknown;
}
/** Every number and text of a response with its path, and the length of every list. */
export function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const inner = Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`));
  return Array.isArray(value) ? [{ path: `${path}.length`, value: value.length }, ...inner] : inner;
}
