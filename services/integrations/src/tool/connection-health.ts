import { taskSyncFailed, type Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { ToolError, type TaskTool, type ToolCall } from '../provider/task-tool';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { backOffMs } from '../engine/back-off';
import { firstProbe } from './probe.store';
import type { Outcome } from '../engine/outcome';
import { logSync } from '../engine/sync-log.store';

/**
 * Whether the tool no longer accepts the token at all. A 401 alone does not prove it: ClickUp also returns it for things that do not exist
 * or belong to another workspace. Throws every other error of `whoAmI`, because then it is unknown.
 */
export async function isTokenRejected(tool: TaskTool, call: ToolCall): Promise<boolean> {
  try {
    await tool.whoAmI(call);
    return false;
  } catch (error) {
    if (error instanceof ToolError && error.problem === 'unauthorized') return true;
    throw error;
  }
}

/**
 * Pauses all work of a connection until an admin reconnects, or the tool accepts the token again (`probe.ts`). `connection` is the row with
 * the refused token: if it has another token by now, nothing happens. Returns false then, and if it was already broken.
 */
export async function markConnectionBroken(tx: IntegrationsTx, ctx: Context, tool: TaskTool, connection: ConnectionRow): Promise<boolean> {
  const broken = await tx
    .updateTable('connections')
    .set({ state: 'broken', broken_at: sql<string>`now()`, ...firstProbe })
    .where('id', '=', connection.id)
    .where('state', '=', 'connected')
    .where('sealed_token', 'is not distinct from', connection.sealed_token)
    .returning('id')
    .executeTakeFirst();
  if (!broken) return false;
  const paused = await tx
    .updateTable('integrations')
    .set({ is_active: false, pause_reason: 'connection_broken' })
    .where('connection_id', '=', connection.id)
    .where('is_active', '=', true)
    .returning(['organization_id', 'id'])
    .execute();
  const message = `${tool.name} no longer accepts the connection. Connect it again: waiting changes are then sent.`;
  for (const integration of paused) await logSync(tx, integration, { level: 'error', message });
  await emit(tx, ctx, taskSyncFailed, connection.id, {
    problem: 'connection_broken',
    provider: connection.provider,
    message,
    integration_id: null,
    ticket_id: null,
  });
  return true;
}

/**
 * The list is deleted, or the connection can no longer see it: pauses its integration and notifies an admin, once. Unless the list is known
 * to be deleted, it is requested again from time to time (`list-health.ts`).
 */
export async function pauseMissingList(
  tx: IntegrationsTx,
  ctx: Context,
  tool: TaskTool,
  integration: IntegrationRow,
  isDeleted: boolean,
): Promise<void> {
  const { rows } = await sql<{ was_active: boolean }>`
    update integrations set
      is_active = false, pause_reason = 'list_gone', pause_detail = null, probes = 4, next_check_at = now() + interval '5 minutes',
      unavailable_since = case when ${isDeleted}::boolean then null else now() end
    from (select is_active as was_active from integrations where id = ${integration.id} for update) as before
    where id = ${integration.id} and (is_active or (${isDeleted}::boolean and unavailable_since is not null))
    returning before.was_active`.execute(tx);
  if (rows[0]?.was_active !== true) return;
  const message = `The list “${integration.list_name}” was not found in ${tool.name}, or the connection no longer has access to it. Choose another list.`;
  await reportMissingList(tx, ctx, integration, message);
}

/** Adds the error to the log and notifies the admins. */
export async function reportMissingList(tx: IntegrationsTx, ctx: Context, integration: IntegrationRow, message: string): Promise<void> {
  await logSync(tx, integration, { level: 'error', message });
  await emit(tx, ctx, taskSyncFailed, integration.id, {
    problem: 'list_gone',
    provider: integration.provider,
    message,
    integration_id: integration.id,
    ticket_id: null,
  });
}

/** Handles an error of reconciling a list: schedules the retry and returns what the error means for the connection. */
export async function handleListError(
  db: Database<IntegrationsSchema>,
  ctx: Context,
  tool: TaskTool,
  { connection, integration, call }: { connection: ConnectionRow; integration: IntegrationRow; call: ToolCall },
  error: unknown,
): Promise<Outcome> {
  if (!(error instanceof ToolError)) throw error;
  if (error.problem === 'unauthorized' && (await isTokenRejected(tool, call).catch(() => false))) {
    await db.forTenant(ctx, (tx) => markConnectionBroken(tx, ctx, tool, connection));
    return { kind: 'broken' };
  }
  const { retry_at } = error.details;
  const isLimited = error.problem === 'rate_limited' && retry_at !== undefined;
  const pauseSeconds = (error.problem === 'unreachable' ? backOffMs(connection.failures + 3) : 5 * 60_000) / 1_000;
  await db.forTenant(ctx, async (tx) => {
    const next_check_at = isLimited ? retry_at : sql<string>`now() + make_interval(secs => ${pauseSeconds})`;
    await tx.updateTable('integrations').set({ next_check_at }).where('id', '=', integration.id).execute();
    if (error.problem === 'refused')
      await logSync(tx, integration, { level: 'warning', message: `${tool.name} did not return the list: ${error.message}` });
  });
  return isLimited ? { kind: 'limited', retry_at } : { kind: error.problem === 'unreachable' ? 'unreachable' : 'done' };
}
