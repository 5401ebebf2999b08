import type { Context } from '@tandem/contracts';
import { DatabaseUnavailable } from '@tandem/db';
import type { TaskSnapshot } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsTx, LinkRow } from '../schema';
import { toolOf } from '../sync/caller';
import { takeSnapshot, type Taken } from '../sync/take-snapshot';
import { finishLink } from '../sync/work.store';
import type { Reconciling } from './look-after';
import { commentsReadUntil, isNews, mayHaveLostComment, showsTold } from './reconcile';
import { askForComments, askForTasks, findLinkForUpdate, findLinksOfTasks, moveLink } from './reconcile.store';

interface Circumstances {
  /** Whether to look for comments whose webhook was lost. */
  looksForComments?: boolean;
}

/**
 * Applies a page of a list to the links of its tasks, each in its own transaction, so that no other process waits for a whole page. Tasks
 * that moved here bring their link with them. A link that is up to date afterward is finished at once, because visiting each one in a burst
 * of changes would be most of the work. A link that fails does not block the others: it is read individually, with back-off. Returns the
 * ids of the linked tasks.
 */
export async function takeSnapshots(
  { db, log }: Pick<Reconciling, 'db' | 'log'>,
  ctx: Context,
  integration: IntegrationRow,
  page: TaskSnapshot[],
  circumstances: Circumstances = {},
): Promise<Set<string>> {
  if (page.length === 0) return new Set();
  const snapshots = new Map(page.map((snapshot) => [snapshot.id, snapshot]));
  const links = await db.forTenant(ctx, (tx) => findLinksOfTasks(tx, integration, [...snapshots.keys()]));
  for (const link of links) {
    const snapshot = snapshots.get(link.task_id!)!;
    if (!isOfInterest(link, snapshot, integration, circumstances)) continue;
    try {
      await db.forTenant(ctx, (tx) => take(tx, ctx, integration, link, snapshot, circumstances));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error({ err: error, ticket: link.ticket_id }, 'What a list shows of a task could not be taken');
      await db.forTenant(ctx, (tx) => askForTasks(tx, { ...integration, id: link.integration_id }, { task_ids: [snapshot.id] }));
    }
  }
  return new Set(links.map(({ task_id }) => task_id!));
}

/** Whether a comment of the task may have been missed, if comments sync to the ticket. */
function mayOweComments(
  link: LinkRow,
  snapshot: TaskSnapshot,
  { comment_sync }: IntegrationRow,
  { looksForComments }: Circumstances,
): boolean {
  return looksForComments === true && (comment_sync === 'both' || comment_sync === 'to_ticket') && mayHaveLostComment(link, snapshot);
}

function isOfInterest(link: LinkRow, snapshot: TaskSnapshot, integration: IntegrationRow, circumstances: Circumstances): boolean {
  const isTold = link.task_told_at !== null && (link.task_seen_at === null || link.task_told_at > link.task_seen_at);
  return (
    isNews(link, snapshot) ||
    isTold ||
    mayOweComments(link, snapshot, integration, circumstances) ||
    (link.integration_id !== integration.id && snapshot.list_id === integration.list_id)
  );
}

async function take(
  tx: IntegrationsTx,
  ctx: Context,
  integration: IntegrationRow,
  found: LinkRow,
  snapshot: TaskSnapshot,
  circumstances: Circumstances,
): Promise<void> {
  const link = await findLinkForUpdate(tx, found);
  if (link?.task_id !== snapshot.id) return;
  if (link.integration_id !== integration.id && snapshot.list_id === integration.list_id && integration.is_active)
    await moveLink(tx, link, integration.id);
  if (mayOweComments(link, snapshot, integration, circumstances)) {
    const { time_step_ms } = toolOf(integration.provider);
    await askForComments(tx, link, commentsReadUntil(snapshot.updated_at, time_step_ms, new Date().toISOString()));
  }
  // The page reflects every webhook received before it was read, but not later ones.
  const told_at = found.task_told_at !== null && showsTold(snapshot, found.task_told_at) ? found.task_told_at : null;
  if (!isNews(link, snapshot) && told_at === null) return;
  const taken = await takeSnapshot(tx, ctx, link.ticket_id, snapshot, { told_at });
  if (taken && isSettled(taken)) await finishLink(tx, link.ticket_id, taken.copy.sequence, null);
}

/**
 * Whether nothing is left except what `finishLink` itself checks. A link with a problem is worked on, to find out whether the problem is
 * over.
 */
const isSettled = ({ link, to_task, is_open }: Taken): boolean =>
  link.work_at !== null && link.problem === null && !is_open && Object.keys(to_task).length === 0;
