import { sql } from 'kysely';
import type { TicketsTx } from '../schema';
import { ticketFields, type StoredTicket } from '../ticket/ticket-fields';

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

/** Tickets whose time rules are due, the longest waiting first. */
export const findDueRuleTimersAcrossOrganizations = (tx: TicketsTx, limit: number) =>
  tx
    .selectFrom('rule_timers')
    .select(['organization_id', 'ticket_id'])
    .where('check_at', '<=', sql<string>`now()`)
    .orderBy('check_at')
    .limit(limit)
    .execute();
