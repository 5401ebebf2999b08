import { taskUnlinked, type Context, type DataOf } from '@tandem/contracts';
import { emitAll } from '@tandem/messaging';
import { sql } from 'kysely';
import { inTime, type ToolTalk } from '../connection/tool-talk';
import type { ConnectionRow, IntegrationRow, IntegrationsTx } from '../schema';

/** Somebody waits for the removal, and it does not depend on the tool. */
const patienceMs = 4_000;

/**
 * Takes our webhooks away from the tool, as far as it answers. What stays there sends to an address that knows nobody, until the tool suspends it.
 */
export async function removeWebhooks(
  talk: ToolTalk,
  ctx: Context,
  connection: ConnectionRow,
  integrations: IntegrationRow[],
): Promise<void> {
  if (connection.state === 'broken') return;
  const removals = integrations.flatMap(({ webhook_id, workspace_id, list_id }) =>
    webhook_id === null ? [] : [talk.ask(ctx, connection, (tool, call) => tool.removeWebhook(call, { workspace_id, list_id }, webhook_id))],
  );
  await inTime(Promise.allSettled(removals), patienceMs).catch(() => undefined);
}

/**
 * Links end with their integration or connection: every ticket with a task hears that it has none any more. Tickets and tasks stay as they are.
 * The rows stay as well, so that no ticket gets another task by itself, and with them where the task was: an integration that is made anew finds it
 * again (`insertBackfillLinks`). Where there never was a task nothing is left.
 */
export async function partLinks(
  tx: IntegrationsTx,
  ctx: Context,
  of: { integration_id: string } | { connection_id: string },
  reason: DataOf<typeof taskUnlinked>['reason'],
): Promise<void> {
  const organization_id = ctx.organization_id!;
  const [column, id] =
    'integration_id' in of ? (['integration_id', of.integration_id] as const) : (['connection_id', of.connection_id] as const);
  const ending = tx
    .selectFrom('links')
    .select(['ticket_id', 'task_id', 'state'])
    .where('organization_id', '=', organization_id)
    .where(column, '=', id)
    .where('state', '<>', 'parted');
  // In the order of every other lock of several links, so that two transactions do not wait for each other in a circle.
  const ended = await ending.orderBy('is_primary', 'desc').orderBy('ticket_id').forUpdate().execute();
  await tx
    .updateTable('links')
    .set({ state: 'parted', shadow: '{}', task_seen_at: null, task_told_at: null, comments_told: sql`'{}'`, work_at: null })
    .set({ create_begun_at: null, attempts: 0, problem: null, finished_at: null })
    // A task that somebody deleted by itself is not to come again.
    .set({ task: sql<null>`case when state = 'gone' and lost_list_id is null then null else task end` })
    .where('organization_id', '=', organization_id)
    .where(column, '=', id)
    .where('state', '<>', 'parted')
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
  await tx.deleteFrom('links').where('organization_id', '=', organization_id).where(column, '=', id).where('task_id', 'is', null).execute();
  const told = ended.filter(({ task_id, state }) => task_id !== null && state !== 'gone');
  const events = told.map(({ ticket_id, task_id }) => ({ subject: ticket_id, data: { ticket_id, task_id, reason } }));
  await emitAll(tx, ctx, taskUnlinked, events);
}
