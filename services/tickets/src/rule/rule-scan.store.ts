import { readInIndexOrder } from '@tandem/db';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';
import { ticketFields, type StoredTicket } from '../ticket/ticket-fields';

/** Maximum number of timers that a sweep reads, divided among the organizations: at least one each. */
const maxRead = 4_000;

/** Lets the worker schedule the existing tickets, from the first one. */
export async function startScan(tx: TicketsTx, organization_id: string): Promise<void> {
  const created_at = new Date().toISOString();
  await tx
    .insertInto('rule_scans')
    .values({ organization_id, last_id: null, created_at })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ last_id: null, created_at }))
    .execute();
}

export const findScansAcrossOrganizations = (tx: TicketsTx) =>
  tx.selectFrom('rule_scans').select('organization_id').orderBy('created_at').limit(500).execute();

/** Locks the scan, so that one worker continues it. */
export const findScanForUpdate = (tx: TicketsTx, organization_id: string) =>
  tx.selectFrom('rule_scans').select('last_id').where('organization_id', '=', organization_id).forUpdate().executeTakeFirst();

export const findTicketsAfter = (tx: TicketsTx, last_id: string | null, limit: number): Promise<StoredTicket[]> =>
  tx
    .selectFrom('tickets')
    .select(ticketFields)
    .$if(last_id !== null, (query) => query.where('id', '>', last_id!))
    .where('merged_into_id', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();

export async function saveScan(tx: TicketsTx, organization_id: string, last_id: string | null): Promise<void> {
  if (last_id === null) await tx.deleteFrom('rule_scans').where('organization_id', '=', organization_id).execute();
  else await tx.updateTable('rule_scans').set({ last_id }).where('organization_id', '=', organization_id).execute();
}

/**
 * Tickets whose time rules are due: the longest waiting of each organization in turn, so that the backlog of one does not delay the others. Reads
 * one entry of the index per organization, then a few timers of each.
 */
export async function findDueRuleTimersAcrossOrganizations(
  tx: TicketsTx,
  limit: number,
): Promise<{ organization_id: string; ticket_id: string }[]> {
  await readInIndexOrder(tx);
  const { rows } = await sql<{ organization_id: string; ticket_id: string }>`
    with recursive owners as (
      (select organization_id, check_at from rule_timers order by organization_id, check_at limit 1)
      union all
      select following.* from owners cross join lateral (
        select organization_id, check_at from rule_timers
        where rule_timers.organization_id > owners.organization_id
        order by organization_id, check_at limit 1
      ) as following
    )
    select organization_id, ticket_id
    from (select organization_id, greatest(1, ${maxRead}::int / count(*) over ()) as share from owners where check_at <= now()) as o
    cross join lateral (
      select ticket_id, check_at, row_number() over (order by check_at) as turn
      from (
        select ticket_id, check_at from rule_timers where rule_timers.organization_id = o.organization_id and check_at <= now()
        order by check_at limit least(${limit}::bigint, o.share)
      ) as oldest
    ) as due
    order by turn, check_at limit ${limit}`.execute(tx);
  return rows;
}
