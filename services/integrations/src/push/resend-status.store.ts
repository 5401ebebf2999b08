import type { TicketStatus } from '@tandem/contracts';
import { currentOrganizationId } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationsTx } from '../schema';
import { activeStates, updateLinks } from '../engine/link-state';

/**
 * Resends the status of links whose task has a different status than the mapping now gives for the ticket: the status counts as changed by
 * the ticket, so one that was unmapped or refused is sent. A finished task whose customer is still to be notified stays finished.
 * Returns the number of links.
 */
export async function resendStatus(
  tx: IntegrationsTx,
  of: { integration_id: string; statuses: TicketStatus[] } | { ticket_id: string },
): Promise<number> {
  const isSelected =
    'ticket_id' in of
      ? sql<SqlBool>`links.ticket_id = ${of.ticket_id}`
      : sql<SqlBool>`links.integration_id = ${of.integration_id} and c.status = any(${of.statuses}::text[])`;
  const { numUpdatedRows } = await updateLinks(tx)
    .from(['integrations as i', 'ticket_copies as c'])
    .set({
      shadow: sql<string>`jsonb_set(links.shadow, '{status}', jsonb_build_object('ticket', null, 'task', links.task -> 'status' -> 'name'))`,
      next_sync_at: sql<string | null>`case when links.state = any(${[...activeStates]}::text[]) then least(links.next_sync_at, now())
        else links.next_sync_at end`,
    })
    .where('links.organization_id', '=', currentOrganizationId)
    .where('links.state', 'in', ['linked', 'stopped', 'failed'])
    .where('links.task', 'is not', null)
    .whereRef('i.organization_id', '=', 'links.organization_id')
    .whereRef('i.id', '=', 'links.integration_id')
    .whereRef('c.organization_id', '=', 'links.organization_id')
    .whereRef('c.ticket_id', '=', 'links.ticket_id')
    .where(isSelected)
    .where(sql<SqlBool>`not coalesce(links.shadow -> 'status' ? 'pending_value', false)`)
    .where(sql<SqlBool>`lower(i.status_mappings ->> c.status) <> lower(links.task -> 'status' ->> 'name')`)
    .where(
      sql<SqlBool>`not (i.on_task_finished = 'tell_customer' and links.task -> 'status' ->> 'category' in ('done', 'closed')
        and c.status not in ('resolved', 'closed'))`,
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
