import { systemContext, type Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { Logger, Secrets } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import { ToolError, type TaskTool, type ToolCall } from '../provider/task-tool';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema } from '../schema';
import { toolOf } from '../sync/caller';
import { isTokenDead, pauseForGoneList } from '../sync/pause';
import { pauseUnavailable } from '../sync/unavailable';
import { describeList } from './describe-list';
import { countTasks, readChanges } from './read-list';
import { isDueForCount, isDueForDescription } from './reconcile';
import { askForTasks, askForUnreadComments, moveLinksToTheirLists, retryRefusedFields, saveIntegration } from './reconcile.store';
import { watchWebhook } from './webhook-watch';

/** Dependencies of reconciling a list. */
export interface Reconciling {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  config: Pick<IntegrationsConfig, 'PUBLIC_URL' | 'WEBHOOK_BASE_URL' | 'RECONCILE_MS'>;
  log: Pick<Logger, 'error'>;
  /** Called once every change of the list up to now is known. */
  onChangesRead?: () => void;
}

/**
 * Reconciles one integration independently of webhooks: makes sure that its webhook exists and sends, updates its statuses, and reads every
 * change of its tasks since the last time. Throws the errors of `call` if the tool is down, limits calls or no longer accepts the token.
 * `look_at` stays unchanged then, and the next run continues where this one stopped, as after a killed process.
 */
export async function lookAfter(
  around: Reconciling & { connection: ConnectionRow },
  integration: IntegrationRow,
  call: ToolCall,
): Promise<void> {
  const tool = toolOf(integration.provider);
  const ctx = systemContext(integration.organization_id, `look-after-${integration.id}`);
  const now = new Date().toISOString();
  try {
    const heardAll = await watchWebhook(around, ctx, tool, integration, call);
    if (isDueForDescription(integration, now)) await describeList(around.db, ctx, integration, call, now);
    const reading = { ...around, ctx, tool, integration, call };
    await around.db.forTenant(ctx, (tx) => askForUnreadComments(tx, integration, tool.time_step_ms));
    await readChanges(reading);
    around.onChangesRead?.();
    if (!heardAll || isDueForCount(integration, now)) await countTasks(reading);
    await around.db.forTenant(ctx, async (tx) => {
      await moveLinksToTheirLists(tx, integration);
      await askForTasks(tx, integration, 'elsewhere');
      await retryRefusedFields(tx, integration);
      await saveIntegration(tx, integration, { look_in_ms: around.config.RECONCILE_MS });
    });
  } catch (error) {
    if (!(await isListLost(around, ctx, tool, integration, call, error))) throw error;
  }
}

/**
 * Pauses the integration if its list is missing, but only while the tool accepts the token as usual: a wrong API address answers "not
 * found" to everything. Tools also return "missing" for what they do not show at the moment (GitHub: a repository of an organization that
 * requires single sign-on), so the links stay as they are until the list is available again. Only a webhook that reports the list as
 * deleted ends them (`loseList`).
 */
async function isListLost(
  { db, connection }: Reconciling & { connection: ConnectionRow },
  ctx: Context,
  tool: TaskTool,
  integration: IntegrationRow,
  call: ToolCall,
  error: unknown,
) {
  if (!(error instanceof ToolError) || (error.problem !== 'missing' && error.problem !== 'unauthorized')) return false;
  if (await isTokenDead(tool, call)) return false;
  if (error.problem === 'missing') await db.forTenant(ctx, (tx) => pauseForGoneList(tx, ctx, tool, integration, false));
  else await pauseUnavailable({ db, ctx, tool, call, connection }, integration);
  return true;
}
