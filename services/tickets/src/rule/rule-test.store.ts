import type { Changes } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';
import { ticketFields, type StoredTicket } from '../ticket/ticket-fields';
import type { RuleMoments } from './rule-time';
import { findTimes, isoTime } from './rule.store';

interface LastComment {
  at: string;
  content: string;
}
/** A ticket with the latest events that cause rules. */
export interface TestTicket {
  ticket: StoredTicket;
  moments: RuleMoments;
  changed: { at: string; changes: Changes } | null;
  customer: LastComment | null;
  staff: LastComment | null;
}

/** The latest tickets of the organization, the newest first. */
export async function findTestTickets(tx: TicketsTx, organization_id: string, limit: number): Promise<TestTicket[]> {
  const found = await tx
    .selectFrom('tickets')
    .select(ticketFields)
    .where('organization_id', '=', organization_id)
    .where('merged_into_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const ids = found.map(({ id }) => id);
  const times = await findTimes(tx, organization_id, ids);
  const lastComment = (isFromCustomer: boolean) => sql`(
    select json_build_object('at', ${isoTime('created_at')}, 'content', content) from comments
    where organization_id = ${organization_id} and ticket_id = ids.id and not is_internal and rule is null
      and is_from_customer = ${isFromCustomer} order by created_at desc, comments.id desc limit 1)`;
  const { rows } = await sql<Pick<TestTicket, 'changed' | 'customer' | 'staff'>>`
    select ${lastComment(true)} as customer, ${lastComment(false)} as staff, (
      select json_build_object('at', ${isoTime('created_at')}, 'changes', changes) from activities
      where organization_id = ${organization_id} and ticket_id = ids.id and kind = 'changed' and rule is null
      order by created_at desc, activities.id desc limit 1) as changed
    from unnest(${ids}::uuid[]) with ordinality as ids (id, position) order by position`.execute(tx);
  return found.map((ticket, i) => ({ ticket, moments: times.get(ticket.id)!.moments, ...rows[i]! }));
}
