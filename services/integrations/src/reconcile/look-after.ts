import { systemContext, type Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { Logger, Secrets } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import { ToolError, type TaskTool, type ToolCall } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsSchema } from '../schema';
import { toolOf } from '../sync/caller';
import { isTokenDead, pauseForGoneList } from '../sync/pause';
import { renamed, withRenamed } from '../sync/status';
import { note } from '../sync/sync-log.store';
import { countTasks, readChanges } from './read-list';
import { isDueForCount, isDueForDescription } from './reconcile';
import { askForTasks, askForUnreadComments, moveLinksToTheirLists, saveIntegration } from './reconcile.store';
import { watchWebhook } from './webhook-watch';

/** What looking after a list needs of its surroundings. */
export interface Reconciling {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  config: Pick<IntegrationsConfig, 'PUBLIC_URL' | 'WEBHOOK_BASE_URL' | 'RECONCILE_MS'>;
  log: Pick<Logger, 'error'>;
  /** Called once every change of the list up to now is known. */
  onChangesRead?: () => void;
}

/**
 * Looks after one integration, whatever webhooks say: its webhook is there and sends, its statuses are known, and every change of its tasks since
 * the last look is. Throws what `call` throws where the tool is away, limits calls or no longer takes the token; then `look_at` stays as it was, and
 * the next look goes on where this one ended, as it does where the process was killed.
 */
export async function lookAfter(around: Reconciling, integration: IntegrationRow, call: ToolCall): Promise<void> {
  const tool = toolOf(integration.provider);
  const ctx = systemContext(integration.organization_id, `look-after-${integration.id}`);
  const now = new Date().toISOString();
  try {
    const heardAll = await watchWebhook(around, ctx, tool, integration, call);
    if (isDueForDescription(integration, now)) await describe(around, ctx, tool, integration, call, now);
    const reading = { ...around, ctx, tool, integration, call };
    await around.db.forTenant(ctx, (tx) => askForUnreadComments(tx, integration, tool.time_step_ms));
    await readChanges(reading);
    around.onChangesRead?.();
    if (!heardAll || isDueForCount(integration, now)) await countTasks(reading);
    await around.db.forTenant(ctx, async (tx) => {
      await moveLinksToTheirLists(tx, integration);
      await askForTasks(tx, integration, 'elsewhere');
      await saveIntegration(tx, integration, { look_in_ms: around.config.RECONCILE_MS });
    });
  } catch (error) {
    if (!(await isListLost(around, ctx, tool, integration, call, error))) throw error;
  }
}

/**
 * Believed only while the tool takes the token as always: a wrong address answers "not found" to everything. Tools say "missing" of what they do not
 * show us at the moment as well (GitHub: a repository of an organization that asks for single sign-on): the links stay as they are, until the
 * integration is resumed. Only the word of a webhook ends them (`loseList`).
 */
async function isListLost({ db }: Reconciling, ctx: Context, tool: TaskTool, integration: IntegrationRow, call: ToolCall, error: unknown) {
  if (!(error instanceof ToolError) || (error.problem !== 'missing' && error.problem !== 'unauthorized')) return false;
  if (await isTokenDead(tool, call)) return false;
  await db.forTenant(ctx, (tx) => pauseForGoneList(tx, ctx, tool, integration));
  return true;
}

/**
 * Statuses may have been renamed or removed over there: the mapping follows the one, and what it still names of the other is said once, when it is
 * seen.
 */
async function describe({ db }: Reconciling, ctx: Context, tool: TaskTool, integration: IntegrationRow, call: ToolCall, now: string) {
  const { name, statuses } = await tool.describeList(call, integration.list_id);
  const names = renamed(integration.statuses, statuses);
  const status_mappings = withRenamed(integration.status_mappings, names);
  const has = (list: { name: string }[], wanted: string) => list.some((status) => status.name.toLowerCase() === wanted.toLowerCase());
  const mapped = new Set(Object.values(integration.status_mappings).filter((wanted) => wanted !== null));
  const followed = [...names].filter(([old]) =>
    has(
      [...mapped].map((wanted) => ({ name: wanted })),
      old,
    ),
  );
  const lost = [...new Set(Object.values(status_mappings))].filter(
    (wanted) => wanted !== null && has(integration.statuses, wanted) && !has(statuses, wanted),
  );
  await db.forTenant(ctx, async (tx) => {
    await saveIntegration(tx, integration, {
      ...{ list_name: name, statuses: JSON.stringify(statuses), described_at: now },
      ...(followed.length > 0 && { status_mappings: JSON.stringify(status_mappings) }),
    });
    for (const [old, fresh] of followed)
      await note(tx, integration, {
        level: 'info',
        field: 'status',
        message: `The list’s status “${old}” is called “${fresh}” now, and the status mapping follows.`,
      });
    for (const wanted of lost)
      await note(tx, integration, {
        level: 'warning',
        field: 'status',
        message: `The list no longer has the status “${wanted}”. Choose another in the status mapping.`,
      });
  });
}
