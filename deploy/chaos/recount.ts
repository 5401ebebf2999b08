import type { ChaosApp } from './chaos-app.ts';

interface Slice {
  id: string;
  total: number;
  open: number;
  escalated: number;
  responded: number;
  rated: number;
  breached: number;
  resolved: number;
  reopened: number;
  growth: number;
}

/** The figures of each slice and day, counted from the tests' own reading of the tickets service's database. */
const fromTickets = `
  with zone as (select time_zone from organizations where organization_id = $1),
  own as (select t.*, s.rating from tickets t left join surveys s on s.ticket_id = t.id where t.organization_id = $1),
  slices as (
    select id, 'all' as dimension, '' as key from own
    union all select id, 'priority', priority from own
    union all select id, 'channel', channel from own where channel is not null
    union all select id, 'category', category from own where category is not null
    union all select id, 'assignee', coalesce(assigned_to::text, 'unassigned') from own
    union select id, 'tag', unnest(tags) from own
  ),
  events as (
    select id, created_at as at, 'created' as kind from own
    union all select id, sla_breached_at, 'breached' from own where sla_breached_at is not null
    union all select ticket_id, resolved_at, 'resolved' from open_periods where organization_id = $1 and resolved_at < 'infinity'
    union all select ticket_id, opened_at, 'reopened' from open_periods where organization_id = $1 and is_reopened
  )
  select concat_ws(' ', dimension, key, (at at time zone time_zone)::date) as id,
    count(*) filter (where kind = 'created')::integer as total,
    count(*) filter (where kind = 'created' and status in ('open', 'in_progress'))::integer as open,
    count(*) filter (where kind = 'created' and escalated_at is not null)::integer as escalated,
    count(*) filter (where kind = 'created' and first_response_time_hours is not null)::integer as responded,
    count(*) filter (where kind = 'created' and rating is not null)::integer as rated,
    count(distinct id) filter (where kind = 'breached')::integer as breached,
    count(distinct id) filter (where kind = 'resolved')::integer as resolved,
    count(distinct id) filter (where kind = 'reopened')::integer as reopened,
    (count(*) filter (where kind in ('created', 'reopened')) - count(*) filter (where kind = 'resolved'))::integer as growth
  from events join own using (id) join slices using (id) cross join zone group by 1 order by 1`;

const fromRollUps = `
  select concat_ws(' ', dimension, key, day) as id, (f->>'total')::integer as total, (f->>'open')::integer as open,
    (f->>'escalated')::integer as escalated, (f->'first_response'->>0)::integer as responded,
    (select sum(count::integer)::integer from jsonb_array_elements_text(f->'ratings') count) as rated,
    (f->'on_day'->>'breaches')::integer as breached, (f->'on_day'->>'resolved')::integer as resolved,
    (f->'on_day'->>'reopened')::integer as reopened, backlog_growth as growth
  from day_roll_ups, lateral (select figures::jsonb as f) parsed where organization_id = $1 order by 1`;

/** No day is dirty, no rebuild is running, and every roll-up and count of the dashboard is that of the tickets. */
export async function expectFiguresOfTickets(app: ChaosApp, organization_id: string): Promise<void> {
  const own = [organization_id];
  const [pending] = await app.rows(
    'analytics',
    `select (select count(*) from dirty_days where organization_id = $1)::integer as dirty,
      (select count(*) from rebuilds where organization_id = $1)::integer as rebuilds, (select count(*) from dead_letters)::integer as dead`,
    own,
  );
  expect(pending).toEqual({ dirty: 0, rebuilds: 0, dead: 0 });
  const [expected, stored] = [await app.rows<Slice>('tickets', fromTickets, own), await app.rows<Slice>('analytics', fromRollUps, own)];
  const storedById = new Map(stored.map((slice) => [slice.id, slice]));
  expect(expected.filter((slice) => JSON.stringify(slice) !== JSON.stringify(storedById.get(slice.id)))).toEqual([]);
  expect(stored.length).toBe(expected.length);
  const counts = `count(*)::integer as total, count(*) filter (where status in ('open', 'in_progress'))::integer as open,
    count(*) filter (where status = 'resolved')::integer as resolved`;
  const [counted] = await app.rows('tickets', `select ${counts} from tickets where organization_id = $1`, own);
  expect(await app.rows('analytics', 'select total, open, resolved from organizations where organization_id = $1', own)).toEqual([counted]);
}

interface Combined {
  priority: string;
  channel: string;
  total: number;
  open: number;
  /** Of all times, not only of the range. */
  unresolved: number;
}
const combinations = ['low', 'medium', 'high', 'urgent'].flatMap((priority) =>
  ['portal', 'email', 'widget', 'staff'].map((channel) => ({ priority, channel })),
);

/** The figures of the last 90 days for each priority and channel, which analytics counts from packed days. */
export async function readCombined(app: ChaosApp, headers: Record<string, string>): Promise<(Combined & { is_rebuilding: boolean })[]> {
  return Promise.all(
    combinations.map(async (filters) => {
      const query = new URLSearchParams({ ...filters, range: '90' });
      const response = await fetch(`${app.api}/analytics?${query.toString()}`, { headers });
      expect(response.status).toBe(200);
      const { data } = (await response.json()) as {
        data: { is_rebuilding: boolean; figures: { total_tickets: number; open_tickets: number }; per_day: { backlog: number }[] };
      };
      const { is_rebuilding, figures, per_day } = data;
      const [total, open, unresolved] = [figures.total_tickets, figures.open_tickets, per_day.at(-1)!.backlog];
      return { ...filters, total, open, unresolved, is_rebuilding };
    }),
  );
}

const combinedFromTickets = `
  select priority, channel, count(*) filter (where is_in_range)::integer as total,
    count(*) filter (where is_in_range and status in ('open', 'in_progress'))::integer as open,
    count(*) filter (where status in ('open', 'in_progress', 'waiting_for_customer'))::integer as unresolved
  from tickets join organizations using (organization_id),
    lateral (select (created_at at time zone time_zone)::date > (now() at time zone time_zone)::date - 90 as is_in_range) created
  where organization_id = $1 group by 1, 2`;

/** The figures of every priority and channel are those of the tickets, and are not marked as being rebuilt. */
export async function expectCombinedFiguresOfTickets(app: ChaosApp, organization_id: string, headers: Record<string, string>) {
  const rows = await app.rows<Combined>('tickets', combinedFromTickets, [organization_id]);
  const expected = combinations.map(({ priority, channel }) => {
    const { total = 0, open = 0, unresolved = 0 } = rows.find((row) => row.priority === priority && row.channel === channel) ?? {};
    return { priority, channel, total, open, unresolved, is_rebuilding: false };
  });
  expect(await readCombined(app, headers)).toEqual(expected);
}
