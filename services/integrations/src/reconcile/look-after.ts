import { systemContext, type Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { Secrets } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import { ToolError, type TaskSnapshot, type TaskTool, type ToolCall } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsSchema } from '../schema';
import { toolOf } from '../sync/caller';
import { isTokenDead, pauseForGoneList } from '../sync/pause';
import { note } from '../sync/sync-log.store';
import { later } from '../webhook/webhook';
import { loseList } from './lose-list';
import { isDueForCount, isDueForDescription, readSince } from './reconcile';
import { askForTasks, findTasksOfList, moveLinksToTheirLists, saveIntegration } from './reconcile.store';
import { takeSnapshots } from './take-snapshots';
import { watchWebhook } from './webhook-watch';

/** What looking after a list needs of its surroundings. */
export interface Reconciling {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  config: Pick<IntegrationsConfig, 'PUBLIC_URL' | 'WEBHOOK_BASE_URL' | 'RECONCILE_MS'>;
}

/**
 * Looks after one integration, whatever webhooks say: its webhook is there and sends, its statuses are known, and every change of its tasks since
 * the last look is. A killed process has lost nothing: the next look begins where the last complete one ended. Throws what `call` throws where the
 * tool is away, limits calls or no longer takes the token; then `look_at` stays as it was.
 */
export async function lookAfter(around: Reconciling, integration: IntegrationRow, call: ToolCall): Promise<void> {
  const tool = toolOf(integration.provider);
  const ctx = systemContext(integration.organization_id, `look-after-${integration.id}`);
  const now = new Date().toISOString();
  try {
    const heardAll = await watchWebhook(around, ctx, tool, integration, call);
    if (isDueForDescription(integration, now)) await describe(around, ctx, tool, integration, call, now);
    const counts = !heardAll || isDueForCount(integration, now);
    const list_seen_until = await readChanges(around, ctx, tool, integration, call, { counts, heardAll });
    await around.db.forTenant(ctx, async (tx) => {
      await moveLinksToTheirLists(tx, integration);
      await askForTasks(tx, integration, 'elsewhere');
      const look = { list_seen_until, look_in_ms: around.config.RECONCILE_MS };
      await saveIntegration(tx, integration, { ...look, ...(counts && { counted_at: now }) });
    });
  } catch (error) {
    if (!(await isListLost(around, ctx, tool, integration, call, error))) throw error;
  }
}

/**
 * Believed only while the tool takes the token as always: a wrong address answers "not found" to everything. Of a list that is merely not shown to us
 * any more the links stay: it may be shown again.
 */
async function isListLost({ db }: Reconciling, ctx: Context, tool: TaskTool, integration: IntegrationRow, call: ToolCall, error: unknown) {
  if (!(error instanceof ToolError) || (error.problem !== 'missing' && error.problem !== 'unauthorized')) return false;
  if (await isTokenDead(tool, call)) return false;
  if (error.problem === 'missing') await db.forTenant(ctx, (tx) => loseList(tx, ctx, integration));
  else await db.forTenant(ctx, (tx) => pauseForGoneList(tx, ctx, tool, integration));
  return true;
}

/** Statuses may have been renamed or removed over there: what the mapping still names is said once, when it is seen. */
async function describe({ db }: Reconciling, ctx: Context, tool: TaskTool, integration: IntegrationRow, call: ToolCall, now: string) {
  const { name, statuses } = await tool.describeList(call, integration.list_id);
  const has = (list: { name: string }[], wanted: string) => list.some((status) => status.name.toLowerCase() === wanted.toLowerCase());
  const mapped = new Set(Object.values(integration.status_mappings).filter((wanted) => wanted !== null));
  const lost = [...mapped].filter((wanted) => has(integration.statuses, wanted) && !has(statuses, wanted));
  await db.forTenant(ctx, async (tx) => {
    await saveIntegration(tx, integration, { list_name: name, statuses: JSON.stringify(statuses), described_at: now });
    for (const wanted of lost)
      await note(tx, integration, {
        level: 'warning',
        field: 'status',
        message: `The list no longer has the status “${wanted}”. Choose another in the status mapping.`,
      });
  });
}

/**
 * Reads the list page by page, and gives back up to which change it is known. With `counts` from its beginning: tasks that it does not show are
 * asked for one by one, because only that proves that they are deleted, and not moved.
 */
async function readChanges(
  around: Reconciling,
  ctx: Context,
  tool: TaskTool,
  integration: IntegrationRow,
  call: ToolCall,
  { counts, heardAll }: { counts: boolean; heardAll: boolean },
): Promise<string | null> {
  const missing = new Set(counts ? await around.db.forTenant(ctx, (tx) => findTasksOfList(tx, integration)) : []);
  const commentsLostSince = heardAll ? undefined : readSince(integration);
  let until = integration.list_seen_until;
  for await (const page of pagesOf(tool, call, integration.list_id, missing.size > 0 ? null : readSince(integration))) {
    await takeSnapshots(around, ctx, integration, page, { looksForComments: true, commentsLostSince });
    for (const { id, updated_at } of page) {
      missing.delete(id);
      until = later(until, updated_at);
    }
  }
  if (missing.size > 0) await around.db.forTenant(ctx, (tx) => askForTasks(tx, integration, { task_ids: [...missing] }));
  return until;
}

/** Tasks of a list that changed after `since`, the oldest change first; one page is in memory at a time. */
export async function* pagesOf(tool: TaskTool, call: ToolCall, list_id: string, since: string | null): AsyncGenerator<TaskSnapshot[]> {
  let cursor: string | undefined;
  do {
    const page = await tool.listChanged(call, list_id, since, cursor);
    yield page.tasks;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
