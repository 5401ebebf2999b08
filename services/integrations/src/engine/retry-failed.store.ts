import { taskSynced, type Context } from '@tandem/contracts';
import { emitAll } from '@tandem/messaging';
import { sql } from 'kysely';
import type { IntegrationsTx, LinkRow } from '../schema';
import { currentOrganizationId } from './current-organization';

/**
 * Retries failed links: the task is read regardless of webhooks, and pending changes are sent. `states` includes `stopped` (links stopped
 * because of a sync loop) only if a person requests it. Returns the number of links.
 */
export async function retryFailedLinks(
  tx: IntegrationsTx,
  ctx: Context,
  of: { integration_id: string } | { connection_id: string },
  states: Extract<LinkRow['state'], 'failed' | 'stopped'>[] = ['failed'],
): Promise<number> {
  const [column, id] =
    'integration_id' in of ? (['integration_id', of.integration_id] as const) : (['connection_id', of.connection_id] as const);
  const retried = await tx
    .updateTable('links')
    .set({
      state: sql<LinkRow['state']>`case when task_id is null then 'creating' else 'linked' end`,
      ...{ next_sync_at: sql<string>`now()`, urgency: 2, attempts: 0, problem: null },
      ...{ writes: 0, write_window_start: null, hour_writes: 0, hour_window_start: null },
      // Later than every state read so far, by the tool's clock too, so that the task counts as unread.
      task_notified_at: sql<string>`case when task_id is null then task_notified_at
        else greatest(now(), task_read_at + interval '1 millisecond', task_notified_at) end`,
    })
    .where('organization_id', '=', currentOrganizationId)
    .where(column, '=', id)
    .where('state', 'in', states)
    .returning('ticket_id')
    .execute();
  await emitAll(
    tx,
    ctx,
    taskSynced,
    retried.map(({ ticket_id }) => ({ subject: ticket_id, data: { ticket_id } })),
  );
  return retried.length;
}
