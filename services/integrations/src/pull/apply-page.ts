import type { Context } from '@tandem/contracts';
import { DatabaseUnavailable } from '@tandem/db';
import type { TaskSnapshot } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsTx, LinkRow } from '../schema';
import { getTaskTool } from '../tool/tool-client';
import { applySnapshot, type AppliedSnapshot } from './apply-snapshot';
import { finishLink } from '../engine/sync-link.store';
import type { ReconcileDeps } from './reconcile-deps';
import { commentsReadUntil, isNewer, mayHaveLostComment, includesNotified } from './reconcile';
import { markCommentsUnread, markTasksUnread, findLinkForUpdate, findLinksOfTasks, moveLink } from './reconcile.store';

interface PageOptions {
  /** Whether to look for comments whose webhook was lost. */
  findsLostComments?: boolean;
}

/**
 * Applies a page of a list to the links of its tasks, each in its own transaction, so that no other process waits for a whole page. Tasks
 * that moved here bring their link with them. A link that is up to date afterward is finished immediately, because visiting each one in a
 * burst of changes would be most of the work. A link that fails does not block the others: it is read individually, with back-off. Returns
 * the ids of the linked tasks.
 */
export async function applyPage(
  { db, log }: Pick<ReconcileDeps, 'db' | 'log'>,
  ctx: Context,
  integration: IntegrationRow,
  page: TaskSnapshot[],
  options: PageOptions = {},
): Promise<Set<string>> {
  if (page.length === 0) return new Set();
  const snapshots = new Map(page.map((snapshot) => [snapshot.id, snapshot]));
  const links = await db.forTenant(ctx, (tx) => findLinksOfTasks(tx, integration, [...snapshots.keys()]));
  for (const link of links) {
    const snapshot = snapshots.get(link.task_id!)!;
    if (!mustApply(link, snapshot, integration, options)) continue;
    try {
      await db.forTenant(ctx, (tx) => applyTask(tx, ctx, integration, link, snapshot, options));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error({ err: error, ticket: link.ticket_id }, 'Failed to apply a task from a list page');
      await db.forTenant(ctx, (tx) => markTasksUnread(tx, { ...integration, id: link.integration_id }, { task_ids: [snapshot.id] }));
    }
  }
  return new Set(links.map(({ task_id }) => task_id!));
}

/** Whether a comment of the task may have been missed, if comments sync to the ticket. */
function mayMissComments(
  link: LinkRow,
  snapshot: TaskSnapshot,
  { comment_sync }: IntegrationRow,
  { findsLostComments }: PageOptions,
): boolean {
  return findsLostComments === true && (comment_sync === 'both' || comment_sync === 'to_ticket') && mayHaveLostComment(link, snapshot);
}

function mustApply(link: LinkRow, snapshot: TaskSnapshot, integration: IntegrationRow, options: PageOptions): boolean {
  const isNotified = link.task_notified_at !== null && (link.task_read_at === null || link.task_notified_at > link.task_read_at);
  return (
    isNewer(link, snapshot) ||
    isNotified ||
    mayMissComments(link, snapshot, integration, options) ||
    (link.integration_id !== integration.id && snapshot.list_id === integration.list_id)
  );
}

async function applyTask(
  tx: IntegrationsTx,
  ctx: Context,
  integration: IntegrationRow,
  found: LinkRow,
  snapshot: TaskSnapshot,
  options: PageOptions,
): Promise<void> {
  const link = await findLinkForUpdate(tx, found);
  if (link?.task_id !== snapshot.id) return;
  if (link.integration_id !== integration.id && snapshot.list_id === integration.list_id && integration.is_active)
    await moveLink(tx, link, integration.id);
  if (mayMissComments(link, snapshot, integration, options)) {
    const { time_step_ms } = getTaskTool(integration.provider);
    await markCommentsUnread(tx, link, commentsReadUntil(snapshot.updated_at, time_step_ms, new Date().toISOString()));
  }
  // The page reflects every webhook received before it was read, but not later ones.
  const notified_at = found.task_notified_at !== null && includesNotified(snapshot, found.task_notified_at) ? found.task_notified_at : null;
  if (!isNewer(link, snapshot) && notified_at === null) return;
  const applied = await applySnapshot(tx, ctx, link.ticket_id, snapshot, { notified_at });
  if (applied && isUpToDate(applied)) await finishLink(tx, link.ticket_id, applied.copy.sequence, null);
}

/**
 * Whether the link has no work except what `finishLink` checks itself. A link with a problem always has work: checking whether the problem is
 * solved.
 */
const isUpToDate = ({ link, was_due, to_task, is_open }: AppliedSnapshot): boolean =>
  was_due && link.problem === null && !is_open && Object.keys(to_task).length === 0;
