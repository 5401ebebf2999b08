import { sql, type RawBuilder } from 'kysely';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';
import type { CountedTicket } from './counted-ticket';
import type { DayEvent, EventCount } from './day-figures';
import { unassigned, type DimensionFields } from './dimensions';

export type TicketOfDay = CountedTicket & { day: Day };
export type EventOfDay = DayEvent & DimensionFields & { day: Day };
export interface DayInput {
  tickets: TicketOfDay[];
  events: EventOfDay[];
}
export type EventsOfDay = EventCount & { day: Day };

/** The filters of a request: all of them apply. */
export interface CohortFilter {
  priority?: string | undefined;
  channel?: string | undefined;
  category?: string | undefined;
  assignee?: string | undefined;
  tag?: string | undefined;
}

const isEmpty = (filter: CohortFilter): boolean => Object.values(filter).every((value) => value === undefined);

/** The condition of a filter on the facts `f`. */
export function matches({ priority, channel, category, assignee, tag }: CohortFilter): RawBuilder<boolean> {
  const conditions = [
    ...(priority === undefined ? [] : [sql<boolean>`f.priority = ${priority}`]),
    ...(channel === undefined ? [] : [sql<boolean>`f.channel = ${channel}`]),
    ...(category === undefined ? [] : [sql<boolean>`f.category = ${category}`]),
    ...(assignee === undefined
      ? []
      : [assignee === unassigned ? sql<boolean>`f.assigned_to is null` : sql<boolean>`f.assigned_to = ${assignee}::uuid`]),
    ...(tag === undefined ? [] : [sql<boolean>`${tag} = any(f.tags)`]),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Which days to read: some, or all from one to another. */
export type DaySelection = { days: readonly Day[] } | { from: Day; to: Day };
const selects = (column: RawBuilder<unknown>, selection: DaySelection): RawBuilder<boolean> =>
  'days' in selection
    ? sql<boolean>`${column} = any(${selection.days}::date[])`
    : sql<boolean>`${column} between ${selection.from}::date and ${selection.to}::date`;

/** The tickets that were created on these days and match the filter, at most `limit`. */
export const findTickets = async (
  tx: AnalyticsTx,
  selection: DaySelection,
  filter: CohortFilter = {},
  limit?: number,
): Promise<TicketOfDay[]> => {
  const capped = limit === undefined ? sql`` : sql`limit ${limit}`;
  const { rows } = await sql<TicketOfDay>`
    select f.created_day as day, f.created_hour, f.status, f.priority, f.category, f.tags, f.channel, f.assigned_to,
      f.first_response_time_hours, f.resolution_time_hours, f.reopen_count, f.public_reply_count, f.rating,
      f.breached_at is not null as is_breached, f.escalated_at is not null as is_escalated, f.survey_sent_at is not null as is_surveyed
    from ticket_facts f where ${selects(sql`f.created_day`, selection)} and ${matches(filter)} ${capped}`.execute(tx);
  return rows;
};

/** The tickets created on these days and what happened on them, for the roll-ups of all slices. */
export async function readDayInput(tx: AnalyticsTx, days: readonly Day[]): Promise<DayInput> {
  const tickets = await findTickets(tx, { days });
  const events = await sql<EventOfDay>`
    select m.day, m.kind, m.ticket_id, f.priority, f.category, f.tags, f.channel, f.assigned_to
    from ticket_moments m join ticket_facts f using (organization_id, ticket_id) where ${selects(sql`m.day`, { days })}
    union all
    select f.breached_day, 'breached', f.ticket_id, f.priority, f.category, f.tags, f.channel, f.assigned_to
    from ticket_facts f where ${selects(sql`f.breached_day`, { days })}`.execute(tx);
  return { tickets, events: events.rows };
}

/** The events on some days of the tickets of one filter, counted by PostgreSQL. */
export async function countEvents(tx: AnalyticsTx, days: readonly Day[], filter: CohortFilter): Promise<EventsOfDay[]> {
  const facts = isEmpty(filter) ? sql`` : sql`join ticket_facts f using (organization_id, ticket_id)`;
  const { rows } = await sql<EventsOfDay>`
    select m.day, m.kind, ${counts} from ticket_moments m ${facts}
    where ${selects(sql`m.day`, { days })} and ${matches(filter)} group by m.day, m.kind
    union all
    select f.breached_day, 'breached', count(*)::integer, count(*)::integer
    from ticket_facts f where ${selects(sql`f.breached_day`, { days })} and ${matches(filter)} group by f.breached_day`.execute(tx);
  return rows;
}

/**
 * The same for all days of a range, and the backlog at its end: tickets that are unresolved now, without what has happened since. Reads the
 * facts that match the filter once, whenever they were created: joined day by day, or by parallel workers, they take three times as long.
 */
export async function countEventsOfRange(
  tx: AnalyticsTx,
  { from, to }: { from: Day; to: Day },
  filter: CohortFilter,
): Promise<{ events: EventsOfDay[]; backlog: number }> {
  const { rows } = await sql<EventsOfDay & { backlog: number | null }>`
    with f as materialized (select f.ticket_id, f.created_day, f.breached_day, f.status from ticket_facts f where ${matches(filter)}),
      happened as (
        select m.day, m.kind, ${counts} from ticket_moments m join f using (ticket_id) where m.day >= ${from}::date group by m.day, m.kind)
    select day, kind, times, tickets, null::integer as backlog from happened where day <= ${to}::date
    union all
    select f.breached_day, 'breached', count(*)::integer, count(*)::integer, null
    from f where f.breached_day between ${from}::date and ${to}::date group by f.breached_day
    union all
    select null, null, 0, 0, (
      (select count(*) filter (where f.status in ('open', 'in_progress', 'waiting_for_customer')) - count(*) filter (where f.created_day > ${to}::date) from f)
      + (select coalesce(sum(case kind when 'resolved' then times else -times end), 0) from happened where day > ${to}::date)
    )::integer`.execute(tx);
  const isEvent = (row: EventsOfDay & { backlog: number | null }): boolean => row.backlog === null;
  return { events: rows.filter(isEvent), backlog: rows.find((row) => !isEvent(row))!.backlog! };
}
const counts = sql`count(*)::integer as times, count(distinct m.ticket_id)::integer as tickets`;
