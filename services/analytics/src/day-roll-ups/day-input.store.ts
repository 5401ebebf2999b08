import { sql, type RawBuilder } from 'kysely';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';
import type { CountedTicket } from './counted-ticket';
import type { DayEvent, EventCount } from './day-figures';
import { unassigned, type DimensionFields } from './dimensions';
import { durationOf } from './duration';

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

const isOneOf = (column: RawBuilder<unknown>, days: readonly Day[]): RawBuilder<boolean> => sql<boolean>`${column} = any(${days}::date[])`;

/** The tickets that were created on these days and match the filter, at most `limit`. */
export async function findTickets(
  tx: AnalyticsTx,
  days: readonly Day[],
  filter: CohortFilter = {},
  limit: number | null = null,
): Promise<TicketOfDay[]> {
  type Row = Omit<TicketOfDay, 'first_response' | 'resolution'> & Record<'first_response_hours' | 'resolution_hours', number | null>;
  const { rows } = await sql<Row>`
    select f.created_day as day, f.created_hour, f.status, f.priority, f.category, f.tags, f.channel, f.assigned_to,
      f.first_response_time_hours as first_response_hours, f.resolution_time_hours as resolution_hours, f.rating,
      f.breached_at is not null as is_breached, f.escalated_at is not null as is_escalated, f.survey_sent_at is not null as is_surveyed,
      f.reopen_count > 0 as is_reopened, f.public_reply_count = 1 as has_one_reply
    from ticket_facts f where ${isOneOf(sql`f.created_day`, days)} and ${matches(filter)}
    order by f.ticket_id limit ${limit}::bigint`.execute(tx);
  return rows.map(({ first_response_hours, resolution_hours, ...row }) => ({
    ...row,
    first_response: first_response_hours === null ? null : durationOf(first_response_hours),
    resolution: resolution_hours === null ? null : durationOf(resolution_hours),
  }));
}

/** The tickets created on these days and what happened on them, for the roll-ups of all slices. Sorted, so that equal days are packed alike. */
export async function readDayInput(tx: AnalyticsTx, days: readonly Day[]): Promise<DayInput> {
  const tickets = await findTickets(tx, days);
  const events = await sql<EventOfDay>`
    select m.day, m.kind, m.ticket_id, f.priority, f.category, f.tags, f.channel, f.assigned_to
    from ticket_moments m join ticket_facts f using (organization_id, ticket_id) where ${isOneOf(sql`m.day`, days)}
    union all
    select f.breached_day, 'breached', f.ticket_id, f.priority, f.category, f.tags, f.channel, f.assigned_to
    from ticket_facts f where ${isOneOf(sql`f.breached_day`, days)}
    order by ticket_id, kind`.execute(tx);
  return { tickets, events: events.rows };
}

/** The events on some days of the tickets of one filter, counted by PostgreSQL. */
export async function countEvents(tx: AnalyticsTx, days: readonly Day[], filter: CohortFilter): Promise<EventsOfDay[]> {
  const facts = isEmpty(filter) ? sql`` : sql`join ticket_facts f using (organization_id, ticket_id)`;
  const { rows } = await sql<EventsOfDay>`
    select m.day, m.kind, ${counts} from ticket_moments m ${facts}
    where ${isOneOf(sql`m.day`, days)} and ${matches(filter)} group by m.day, m.kind
    union all
    select f.breached_day, 'breached', count(*)::integer, count(*)::integer
    from ticket_facts f where ${isOneOf(sql`f.breached_day`, days)} and ${matches(filter)} group by f.breached_day`.execute(tx);
  return rows;
}

/** The tickets that match the filter and are not resolved now. */
export async function countUnresolved(tx: AnalyticsTx, filter: CohortFilter): Promise<number> {
  const { rows } = await sql<{ unresolved: number }>`
    select count(*)::integer as unresolved from ticket_facts f
    where f.status in ('open', 'in_progress', 'waiting_for_customer') and ${matches(filter)}`.execute(tx);
  return rows[0]!.unresolved;
}
const counts = sql`count(*)::integer as times, count(distinct m.ticket_id)::integer as tickets`;
