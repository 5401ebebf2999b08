/** Facts of a year for every organization, in SQL, as the consumers of analytics would write them. */
import { inDatabase, type Size } from '../seed.ts';

const organizationSql = `('00000000-0000-7000-8000-' || lpad(o::text, 12, '0'))::uuid`;
const personSql = (u: string) => `('00000000-0000-7000-9000-' || lpad((o * 100 + ${u})::text, 12, '0'))::uuid`;

/** Uniform over the week: days only need to differ in their tickets and keys. */
const factsSql = ({ organizations, first, each, people }: Size) => `
  insert into organizations (organization_id, time_zone, sequence) select ${organizationSql}, 'Europe/Berlin', 1
    from generate_series(1, ${organizations}) o;
  insert into members (organization_id, user_id, email, first_name, last_name, is_active, sequence)
    select ${organizationSql}, ${personSql('u')}, 'agent-' || u || '@bench-' || o || '.test', 'Agent', 'Number ' || u, true, 1
    from generate_series(1, ${organizations}) o, generate_series(1, case when o = 1 then ${people} else 5 end) u;
  insert into ticket_facts (organization_id, ticket_id, ticket_number, status, priority, category, tags, channel, assigned_to, created_at,
      created_day, created_hour, first_response_at, resolved_at, first_response_time_hours, resolution_time_hours, breached_at, breached_day,
      escalated_at, reopen_count, public_reply_count, survey_sent_at, rating, feedback, rated_at, sequence)
    select ${organizationSql}, gen_random_uuid(), 'BENCH-' || n, made.status, (array['low', 'medium', 'high', 'urgent'])[1 + n % 4],
      case when n % 3 > 0 then (array['Billing', 'Shipping', 'Account', 'Returns', 'Product', 'Website', 'Other'])[1 + n % 7] end,
      case when n % 5 = 0 then '{}' else array[(array['billing', 'vip', 'bug', 'question', 'hardware', 'shipping', 'feature'])[1 + n % 7]] end,
      (array['portal', 'widget', 'email', 'staff'])[1 + n % 4], case when n % 3 > 0 then ${personSql(`1 + n % (case when o = 1 then ${people} else 5 end)`)} end,
      made.at, (made.at at time zone 'Europe/Berlin')::date, extract(hour from made.at at time zone 'Europe/Berlin'),
      made.at + interval '1 hour', case when made.is_done then made.at + interval '1 day' end, -2 * ln(1 - random()),
      case when made.is_done then -20 * ln(1 - random()) end, case when n % 25 = 0 then made.at + interval '8 hours' end,
      case when n % 25 = 0 then ((made.at + interval '8 hours') at time zone 'Europe/Berlin')::date end,
      case when n % 60 = 0 then made.at + interval '2 days' end, case when n % 20 = 0 then 1 else 0 end, 1 + n % 4,
      case when made.is_done then made.at + interval '1 day' end, case when made.is_done and n % 4 = 0 then 1 + n % 5 end,
      case when made.is_done and n % 40 = 0 then 'Thank you!' end, case when made.is_done and n % 4 = 0 then made.at + interval '2 days' end, 3
    from generate_series(1, ${organizations}) o, lateral (select case when o = 1 then ${first} else ${each} end as total) sized,
      generate_series(1, total) n,
      lateral (select date_trunc('milliseconds', now()) - interval '365 days' * ((total - n + 1)::float / total) as at,
        n < total * 0.98 as is_done, case when n < total * 0.98 then 'resolved' when n % 2 = 0 then 'open' else 'in_progress' end as status) made;
  insert into ticket_moments (organization_id, ticket_id, kind, at, day)
    select organization_id, ticket_id, 'resolved', resolved_at, (resolved_at at time zone 'Europe/Berlin')::date
    from ticket_facts where resolved_at is not null;
  update organizations set total = c.total, open = c.open, resolved = c.resolved from (
    select organization_id, count(*) as total, count(*) filter (where status in ('open', 'in_progress')) as open,
      count(*) filter (where status = 'resolved') as resolved from ticket_facts group by 1) c
    where c.organization_id = organizations.organization_id;`;

export const seedFacts = (url: string, size: Size): Promise<void> =>
  inDatabase(url, async (client) => {
    await client.query(factsSql(size));
    await client.query('vacuum analyze');
  });

/** Makes the running service compute all roll-ups of the first organizations. */
export const rebuildFirst = (url: string, count: number): Promise<unknown> =>
  inDatabase(url, (client) =>
    client.query(`insert into rebuilds (organization_id, rebuild_id, step)
      select ${organizationSql}, gen_random_uuid(), 'days' from generate_series(1, ${count}) o on conflict do nothing`),
  );
