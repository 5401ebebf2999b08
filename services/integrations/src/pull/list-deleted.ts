import { taskUnlinked, type Context } from '@tandem/contracts';
import { emitAll } from '@tandem/messaging';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsTx } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import { pauseMissingList } from '../tool/connection-health';
import { applyEventToAll } from '../engine/link-state';

/**
 * Handles a verified webhook that reports a list, and with it its tasks, as deleted: pauses the integration, notifies an admin and unlinks
 * the tickets, until a backfill creates their tasks in another list. Links whose task had moved to another list keep it.
 */
export async function markListDeleted(tx: IntegrationsTx, ctx: Context, integration: IntegrationRow): Promise<void> {
  await pauseMissingList(tx, ctx, getTaskTool(integration.provider), integration, true);
  const gone = await applyEventToAll(tx, 'list_deleted')
    .set({
      next_sync_at: null,
      pending_comment_ids: [],
      deleted_list_id: integration.list_id,
      problem: 'The list of its task was deleted',
    })
    .where('organization_id', '=', integration.organization_id)
    .where('integration_id', '=', integration.id)
    .where(sql<SqlBool>`(task is null or task ->> 'list_id' = ${integration.list_id})`)
    .returning(['ticket_id', 'task_id'])
    .execute();
  const unlinked = gone.map(({ ticket_id, task_id }) => ({
    subject: ticket_id,
    data: { ticket_id, task_id, reason: 'list_deleted' as const },
  }));
  await emitAll(tx, ctx, taskUnlinked, unlinked);
}
