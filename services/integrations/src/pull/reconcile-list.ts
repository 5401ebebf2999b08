import { systemContext, type Context } from '@tandem/contracts';
import { ToolError, type TaskTool, type ToolCall } from '../provider/task-tool';
import type { ConnectionRow, IntegrationRow } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import { isTokenRejected, pauseMissingList } from '../tool/connection-health';
import { pauseUnavailable } from '../tool/list-health';
import { describeList } from './describe-list';
import { fullScan, readChanges } from './read-list';
import { isScanDue, isDescriptionDue } from './reconcile';
import { markTasksUnread, markUnreadComments, moveLinksToTheirLists, retryRefusedFields, saveIntegration } from './reconcile.store';
import { checkWebhook } from './check-webhook';
import type { ReconcileDeps } from './reconcile-deps';

/**
 * Reconciles one integration independently of webhooks: makes sure that its webhook exists and sends, updates its statuses, and reads every
 * change to its tasks since the last time. Throws the errors of `call` if the tool is down, limits calls or no longer accepts the token.
 * `next_check_at` stays unchanged then, and the next run continues where this one stopped, as after a killed process.
 */
export async function reconcileList(
  deps: ReconcileDeps & { connection: ConnectionRow },
  integration: IntegrationRow,
  call: ToolCall,
): Promise<void> {
  const tool = getTaskTool(integration.provider);
  const ctx = systemContext(integration.organization_id, `reconcile-${integration.id}`);
  const now = new Date().toISOString();
  try {
    const receivedAll = await checkWebhook(deps, ctx, tool, integration, call);
    if (isDescriptionDue(integration, now)) await describeList(deps.db, ctx, integration, call, now);
    const reading = { ...deps, ctx, tool, integration, call };
    await deps.db.forTenant(ctx, (tx) => markUnreadComments(tx, integration, tool.time_step_ms));
    await readChanges(reading);
    deps.onChangesRead?.();
    if (!receivedAll || isScanDue(integration, now)) await fullScan(reading);
    await deps.db.forTenant(ctx, async (tx) => {
      await moveLinksToTheirLists(tx, integration);
      await markTasksUnread(tx, integration, 'elsewhere');
      await retryRefusedFields(tx, integration);
      await saveIntegration(tx, integration, { check_in_ms: deps.config.RECONCILE_MS });
    });
  } catch (error) {
    if (!(await isListLost(deps, ctx, tool, integration, call, error))) throw error;
  }
}

/**
 * Pauses the integration if its list is missing, but only while the tool accepts the token as usual: a wrong API address answers "not
 * found" to everything. Tools also return "missing" for what they do not show at the moment (GitHub: a repository of an organization that
 * requires single sign-on), so the links stay unchanged until the list is available again. Only a webhook that reports the list as
 * deleted ends them (`markListDeleted`).
 */
async function isListLost(
  { db, connection }: ReconcileDeps & { connection: ConnectionRow },
  ctx: Context,
  tool: TaskTool,
  integration: IntegrationRow,
  call: ToolCall,
  error: unknown,
) {
  if (!(error instanceof ToolError) || (error.problem !== 'missing' && error.problem !== 'unauthorized')) return false;
  if (await isTokenRejected(tool, call)) return false;
  if (error.problem === 'missing') await db.forTenant(ctx, (tx) => pauseMissingList(tx, ctx, tool, integration, false));
  else await pauseUnavailable({ db, ctx, tool, call, connection }, integration);
  return true;
}
