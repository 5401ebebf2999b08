import { sql, type RawBuilder } from 'kysely';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';
import type { CountedTicket, DayEvent } from './day-figures';
import { unassigned, type DimensionFields } from './dimensions';

export type TicketOfDay = CountedTicket & { day: Day };
export type EventOfDay = DayEvent & DimensionFields & { day: Day };
export interface DayInput {
  tickets: TicketOfDay[];
  events: EventOfDay[];
}

/** The filters of a request: all of them apply. */
export interface CohortFilter {
  priority?: string | undefined;
  channel?: string | undefined;
  category?: string | undefined;
  assignee?: string | undefined;
  tag?: string | undefined;
}

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

/** Reads the tickets created on these days and what happened on them; at most `limit` tickets and as many events. */
export async function readDayInput(tx: AnalyticsTx, selection: DaySelection, filter: CohortFilter = {}, limit?: number): Promise<DayInput> {
  const capped = limit === undefined ? sql`` : sql`limit ${limit}`;
  const tickets = await sql<TicketOfDay>`
    select f.created_day as day, f.created_hour, f.status, f.priority, f.category, f.tags, f.channel, f.assigned_to,
      f.first_response_time_hours, f.resolution_time_hours, f.reopen_count, f.public_reply_count, f.rating,
      f.breached_at is not null as is_breached, f.escalated_at is not null as is_escalated, f.survey_sent_at is not null as is_surveyed
    from ticket_facts f where ${selects(sql`f.created_day`, selection)} and ${matches(filter)} ${capped}`.execute(tx);
  const events = await sql<EventOfDay>`
    select m.day, m.kind, m.ticket_id, f.priority, f.category, f.tags, f.channel, f.assigned_to
    from ticket_moments m join ticket_facts f using (organization_id, ticket_id)
    where ${selects(sql`m.day`, selection)} and ${matches(filter)}
    union all
    select f.breached_day, 'breached', f.ticket_id, f.priority, f.category, f.tags, f.channel, f.assigned_to
    from ticket_facts f where ${selects(sql`f.breached_day`, selection)} and ${matches(filter)} ${capped}`.execute(tx);
  return { tickets: tickets.rows, events: events.rows };
}
