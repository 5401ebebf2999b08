import type { TicketStatus } from '@tandem/contracts';
import { sql } from 'kysely';
import type { IntegrationsTx } from '../schema';
import { currentOrganizationId } from '../engine/current-organization';
import { activeStates } from '../engine/sync-link.store';

/**
 * Resends the status of links whose task has another status than the mapping now gives for the ticket: the status counts as changed by the
 * ticket, so one that was unmapped or refused is sent after all. A finished task whose customer is still to be notified stays finished.
 * Returns the number of links.
 */
export async function resendStatus(
  tx: IntegrationsTx,
  of: { integration_id: string; statuses: TicketStatus[] } | { ticket_id: string },
): Promise<number> {
  const which =
    'ticket_id' in of
      ? sql<boolean>`l.ticket_id = ${of.ticket_id}`
      : sql<boolean>`l.integration_id = ${of.integration_id} and c.status = any(${of.statuses}::text[])`;
  const { numAffectedRows } = await sql`
    update links l set
      shadow = jsonb_set(l.shadow, '{status}', jsonb_build_object('ticket', null, 'task', l.task -> 'status' -> 'name')),
      next_sync_at = case when l.state = any(${[...activeStates]}::text[]) then least(l.next_sync_at, now()) else l.next_sync_at end
    from integrations i, ticket_copies c
    where l.organization_id = ${currentOrganizationId} and ${which}
      and l.state in ('linked', 'stopped', 'failed') and l.task is not null
      and i.organization_id = l.organization_id and i.id = l.integration_id
      and c.organization_id = l.organization_id and c.ticket_id = l.ticket_id
      and not coalesce(l.shadow -> 'status' ? 'pending_value', false)
      and lower(i.status_mappings ->> c.status) <> lower(l.task -> 'status' ->> 'name')
      and not (i.on_task_finished = 'tell_customer' and l.task -> 'status' ->> 'category' in ('done', 'closed')
        and c.status not in ('resolved', 'closed'))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
