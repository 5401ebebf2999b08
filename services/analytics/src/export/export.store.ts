import type { ExportedTicket, TicketMetrics } from '@tandem/contracts';
import { sql } from 'kysely';
import { matches, type CohortFilter } from '../day-roll-ups/day-input.store';
import type { Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';

const metrics = sql`
  f.organization_id, f.ticket_id, f.created_at, f.first_response_time_hours, f.resolution_time_hours,
  f.rating as customer_satisfaction_rating, f.breached_at is not null as sla_breached, f.escalated_at is not null as escalated,
  f.reopen_count, f.public_reply_count`;

export async function findTicketMetrics(tx: AnalyticsTx, ticket_id: string): Promise<TicketMetrics | undefined> {
  const { rows } = await sql<TicketMetrics>`select ${metrics} from ticket_facts f where f.ticket_id = ${ticket_id}`.execute(tx);
  return rows[0];
}

/** The last ticket of a page. */
export interface ExportPosition {
  created_day: Day;
  created_at: string;
  ticket_id: string;
}

/** The next tickets created from `from` to `to`, oldest first. */
export async function findExportedTickets(
  tx: AnalyticsTx,
  filter: CohortFilter,
  { from, to, after, limit }: { from: Day; to: Day; after: ExportPosition | undefined; limit: number },
): Promise<(ExportedTicket & ExportPosition)[]> {
  const position = after
    ? sql`and (f.created_day, f.created_at, f.ticket_id) > (${after.created_day}::date, ${after.created_at}::timestamptz, ${after.ticket_id}::uuid)`
    : sql``;
  const { rows } = await sql<ExportedTicket & ExportPosition>`
    select ${metrics}, f.created_day, f.ticket_number, f.status, f.priority, f.category, f.tags, f.channel, f.first_response_at, f.resolved_at,
      coalesce(nullif(concat_ws(' ', m.first_name, m.last_name), ''), m.email) as assignee
    from ticket_facts f left join members m on m.organization_id = f.organization_id and m.user_id = f.assigned_to
    where f.created_day between ${from}::date and ${to}::date and ${matches(filter)} ${position}
    order by f.created_day, f.created_at, f.ticket_id limit ${limit}`.execute(tx);
  return rows;
}
