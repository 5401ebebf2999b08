import { systemContext } from '@tandem/contracts';
import type { ToolCall } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsTx } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import type { ReconcileDeps } from './reconcile-deps';
import { pagesOf } from './read-list';
import { readSinceNotified } from './reconcile';
import { findUnreadLinks } from './reconcile.store';
import { applyPage } from './apply-page';

/**
 * Maximum number of single reads for each call that a page of the list takes. More than one, because a page takes longer and may not show the
 * changed tasks.
 */
const readsPerPageCall = 3;
const maxSingleReads = ({ provider }: IntegrationRow): number => readsPerPageCall * getTaskTool(provider).list_page_calls;
export type UnreadTasks = Awaited<ReturnType<typeof findUnreadLinks>>;

/**
 * Linked tasks with changes that webhooks reported and that have not been read, except `unlisted` ones, if there are enough to read pages of
 * the list; undefined otherwise.
 */
export async function findBatch(
  tx: IntegrationsTx,
  integration: IntegrationRow,
  unlisted: ReadonlySet<string>,
): Promise<UnreadTasks | undefined> {
  const unread = (await findUnreadLinks(tx, integration)).filter(({ task_id }) => !unlisted.has(task_id));
  return unread.length > maxSingleReads(integration) ? unread : undefined;
}

/**
 * Reads many tasks by pages of their list. A further page is read only if the pages so far took no more calls than reading their tasks one by
 * one, so at most one page is wasted. Returns the tasks that no page showed (deleted, moved, or only a few left): they are read one by one.
 * `mayContinue` is checked before each further page: the next run starts with the tasks that are still unread.
 */
export async function readBatch(
  deps: Pick<ReconcileDeps, 'db' | 'log'>,
  integration: IntegrationRow,
  { unread, call, mayContinue }: { unread: UnreadTasks; call: ToolCall; mayContinue: () => boolean },
): Promise<Set<string>> {
  const ctx = systemContext(integration.organization_id, `read-batch-${integration.id}`);
  const tool = getTaskTool(integration.provider);
  const missing = new Set(unread.map(({ task_id }) => task_id));
  let calls = 0;
  const since = readSinceNotified(unread.map(({ task_notified_at }) => task_notified_at));
  for await (const page of pagesOf(tool, call, integration.list_id, since)) {
    await applyPage(deps, ctx, integration, page);
    for (const { id } of page) missing.delete(id);
    calls += tool.list_page_calls;
    const isWorthwhile = calls <= unread.length - missing.size;
    if (missing.size <= maxSingleReads(integration) || !isWorthwhile || !mayContinue()) break;
  }
  return missing;
}
