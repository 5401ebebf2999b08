import { applySnapshot } from '../pull/apply-snapshot';
import { needsMembers } from '../merge/fields';
import { pushChanges } from '../push/push-changes';
import type { LinkRow } from '../schema';
import { clearPrimary, findPrimary, markPrimaryDue, promoteNext } from './sharing.store';
import type { SyncContext } from './sync-context';
import type { LinkBundle } from './sync-link.store';

/**
 * Whether a webhook reported a later state of the task than the one read last. If not, nothing is read, so the webhooks of our own writes
 * cost no call.
 */
const isUnread = ({ task, task_notified_at, task_read_at }: LinkRow): boolean =>
  task === null || (task_notified_at !== null && (task_read_at === null || task_notified_at > task_read_at));

export interface ReconcileResult {
  bundle: LinkBundle;
  /** Every change to the ticket up to this sequence is on the task, except for values that the tool refused. */
  sequence: number;
}
/** A change that arrives during a call needs another round. The limit postpones a link whose sides never stop changing. */
const maxRounds = 3;

/** Syncs ticket and task: reads the task if it may have changed, and sends everything that the task lacks in one call. */
export async function reconcileTask(sync: SyncContext, loaded: LinkBundle): Promise<ReconcileResult | undefined> {
  const { db, ctx, tool, call } = sync;
  if (loaded.link.task_id === null) return undefined;
  if (loaded.sharing === 'follower') return followPrimary(sync, loaded);
  let result: ReconcileResult = { bundle: loaded, sequence: loaded.copy.sequence };
  for (let round = 0; round < maxRounds; round += 1) {
    const { bundle } = result;
    const { link, integration } = bundle;
    const notified_at = isUnread(link) ? link.task_notified_at : null;
    const snapshot = link.task === null || isUnread(link) ? await tool.getTask(call, link.task_id!) : link.task;
    const pair = { ...bundle, tool, task: snapshot, shadow: link.shadow };
    const members = needsMembers(pair) ? await sync.membersOf(integration, call) : undefined;
    const applied = await db.forTenant(ctx, (tx) => applySnapshot(tx, ctx, link.ticket_id, snapshot, { members, notified_at }));
    if (!applied) return undefined;
    result = { bundle: applied, sequence: applied.copy.sequence };
    if (Object.keys(applied.to_task).length === 0) return result;
    const pushed = await pushChanges(sync, applied, members ?? []);
    if (!pushed) return undefined;
    result = { ...result, bundle: pushed };
    if (Object.keys(pushed.to_task).length === 0 && pushed.copy.sequence === result.sequence) return result;
  }
  return result;
}

/** The primary link has already read the task, so the task's other tickets are compared with that snapshot, without a call. */
async function followPrimary({ db, ctx }: SyncContext, bundle: LinkBundle): Promise<ReconcileResult | undefined> {
  const { link, copy } = bundle;
  const unchanged = { bundle, sequence: copy.sequence };
  return db.forTenant(ctx, async (tx) => {
    const primary = await findPrimary(tx, link);
    if (primary?.state !== 'linked') {
      // A primary link that failed when no other link could replace it does not read the task.
      if (primary) await clearPrimary(tx, primary);
      await promoteNext(tx, link, primary);
      await markPrimaryDue(tx, link, 'read');
      return unchanged;
    }
    if (!primary.task) return unchanged;
    const applied = await applySnapshot(tx, ctx, link.ticket_id, primary.task, { notified_at: link.task_notified_at });
    return applied && { bundle: applied, sequence: applied.copy.sequence };
  });
}
