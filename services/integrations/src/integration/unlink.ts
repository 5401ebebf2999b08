import { taskUnlinked, type Context, type DataOf, type TenantContext } from '@tandem/contracts';
import { emitAll } from '@tandem/messaging';
import { sql } from 'kysely';
import { withTimeout, type InteractiveToolClient } from '../tool/interactive-tool-client';
import type { ConnectionRow, IntegrationRow, IntegrationsTx } from '../schema';
import { applyEventToAll, deleteLinks } from '../engine/link-state';

/** A person waits for the removal, which does not depend on the tool. */
const timeoutMs = 4_000;

/** Removes our webhooks from the tool if it answers. Requests of webhooks that remain there are rejected until the tool suspends them. */
export async function removeWebhooks(
  client: InteractiveToolClient,
  ctx: Context,
  connection: ConnectionRow,
  integrations: IntegrationRow[],
): Promise<void> {
  if (connection.state === 'broken') return;
  const removals = integrations.flatMap(({ webhook_id, workspace_id, list_id }) =>
    webhook_id === null
      ? []
      : [client.request(ctx, connection, (tool, call) => tool.removeWebhook(call, { workspace_id, list_id }, webhook_id))],
  );
  await withTimeout(Promise.allSettled(removals), timeoutMs).catch(() => undefined);
}

/**
 * Ends all links of an integration or connection: an event for every ticket with a task reports that it is unlinked. Tickets and tasks stay
 * unchanged. The rows of links with a task stay as well, so that no ticket gets another task automatically, and a new integration of the
 * same list finds its tasks again (`insertBackfillLinks`). Links that never had a task are deleted.
 */
export async function unlinkAll(
  tx: IntegrationsTx,
  ctx: TenantContext,
  of: { integration_id: string } | { connection_id: string },
  reason: DataOf<typeof taskUnlinked>['reason'],
): Promise<void> {
  const organization_id = ctx.organization_id;
  const [column, id] =
    'integration_id' in of ? (['integration_id', of.integration_id] as const) : (['connection_id', of.connection_id] as const);
  const ending = tx
    .selectFrom('links')
    .select(['ticket_id', 'task_id', 'state'])
    .where('organization_id', '=', organization_id)
    .where(column, '=', id)
    .where('state', '<>', 'unlinked');
  // In the same order as every other lock of several links, to avoid deadlocks.
  const ended = await ending.orderBy('is_primary', 'desc').orderBy('ticket_id').forUpdate().execute();
  await applyEventToAll(tx, 'unlinked')
    .set({ shadow: '{}', task_read_at: null, task_notified_at: null, pending_comment_ids: [], next_sync_at: null })
    .set({ create_started_at: null, attempts: 0, problem: null, finished_at: null })
    // A task that was deleted individually must not be created again.
    .set({ task: sql<null>`case when state = 'gone' and deleted_list_id is null then null else task end` })
    .where('organization_id', '=', organization_id)
    .where(column, '=', id)
    .execute();
  await tx
    .deleteFrom('comment_links')
    .where('organization_id', '=', organization_id)
    .where('state', '=', 'pending')
    .where(
      'ticket_id',
      'in',
      tx.selectFrom('links').select('ticket_id').where('organization_id', '=', organization_id).where(column, '=', id),
    )
    .execute();
  await deleteLinks(tx).where('organization_id', '=', organization_id).where(column, '=', id).where('task_id', 'is', null).execute();
  const unlinked = ended.filter(({ task_id, state }) => task_id !== null && state !== 'gone');
  const events = unlinked.map(({ ticket_id, task_id }) => ({ subject: ticket_id, data: { ticket_id, task_id, reason } }));
  await emitAll(tx, ctx, taskUnlinked, events);
}
