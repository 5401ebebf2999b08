import { ToolError, type ExternalUser, type PatchResult } from '../provider/task-tool';
import { describeList } from '../pull/describe-list';
import type { LinkRow } from '../schema';
import type { SyncContext } from './sync-context';
import type { Values } from '../merge/compare';
import { applyPatch, patchOf, ticketUrl } from '../push/draft';
import { needsMembers, ticketView, type Pair } from '../merge/fields';
import { sharingLines } from '../merge/sharing';
import { clearPrimary, findPrimary, findSharing, promoteNext, markPrimaryDue } from './sharing.store';
import { statusForTask } from '../merge/status';
import { applySnapshot, type AppliedSnapshot } from '../pull/apply-snapshot';
import { loadLink, type LinkBundle } from './sync-link.store';

/**
 * Whether a webhook reported a later state of the task than the one read last. If not, nothing is read, so the webhooks of our own writes
 * cost no call.
 */
const isUnread = ({ task, task_notified_at, task_read_at }: LinkRow): boolean =>
  task === null || (task_notified_at !== null && (task_read_at === null || task_notified_at > task_read_at));

/** Every change of the ticket up to this sequence is on the task, as far as the task accepts it. */
export interface ReconcileResult {
  sequence: number;
}
/** A change that arrives during a call needs another round. The limit postpones a link whose sides never stop changing. */
const rounds = 3;

/** Syncs ticket and task: reads the task if it may have changed, and sends everything that the task lacks in one call. */
export async function reconcileTask(sync: SyncContext, ticket_id: string): Promise<ReconcileResult | undefined> {
  let result: ReconcileResult | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const work = await sync.db.forTenant(sync.ctx, (tx) => loadLink(tx, ticket_id));
    if (!work || work.link.task_id === null) return undefined;
    const { link, integration } = work;
    if (work.sharing === 'follower') return followPrimary(sync, work);
    const notified_at = isUnread(link) ? link.task_notified_at : null;
    const snapshot = link.task === null || isUnread(link) ? await sync.tool.getTask(sync.call, link.task_id!) : link.task;
    const pair = { ...work, tool: sync.tool, task: snapshot, shadow: link.shadow };
    const members = needsMembers(pair) ? await sync.membersOf(integration, sync.call) : undefined;
    const applied = await sync.db.forTenant(sync.ctx, (tx) => applySnapshot(tx, sync.ctx, ticket_id, snapshot, { members, notified_at }));
    if (!applied) return undefined;
    result = { sequence: applied.copy.sequence };
    if (Object.keys(applied.to_task).length === 0) return result;
    const after = await push(sync, applied, members ?? []);
    if (!after) return undefined;
    if (Object.keys(after.to_task).length === 0 && after.copy.sequence === applied.copy.sequence) return result;
  }
  return result;
}

/** The primary link has already read the task, so the task's other tickets are compared with that snapshot, without a call. */
async function followPrimary({ db, ctx }: SyncContext, { link, copy }: LinkBundle): Promise<ReconcileResult | undefined> {
  return db.forTenant(ctx, async (tx) => {
    const primary = await findPrimary(tx, link);
    if (primary?.state !== 'linked') {
      // A primary link that failed when no other link could replace it does not read the task.
      if (primary) await clearPrimary(tx, primary);
      await promoteNext(tx, link, primary);
      await markPrimaryDue(tx, link, 'read');
      return { sequence: copy.sequence };
    }
    if (!primary.task) return { sequence: copy.sequence };
    const applied = await applySnapshot(tx, ctx, link.ticket_id, primary.task, { notified_at: link.task_notified_at });
    return applied && { sequence: applied.copy.sequence };
  });
}

/** Sends everything that the task lacks in one call. The state of the task after it becomes the agreed state of both sides. */
async function push(
  sync: SyncContext,
  { pair, to_task, link, sharing }: AppliedSnapshot,
  members: ExternalUser[],
): Promise<AppliedSnapshot | undefined> {
  const { db, ctx, tool, call, config } = sync;
  const listsTickets = to_task.description !== undefined && sharing === 'primary';
  const shared = listsTickets ? await db.forTenant(ctx, (tx) => findSharing(tx, link)) : undefined;
  const lines = shared && sharingLines(shared, (id) => ticketUrl(config.PUBLIC_URL, id));
  const patch = patchOf(pair, to_task, config.PUBLIC_URL, lines);
  const isEmpty = Object.keys(patch).length === 0;
  const first: Sent = { values: to_task, ...(isEmpty ? { task: null, refused: [] } : await tool.updateTask(call, link.task_id!, patch)) };
  const { values, task, refused } = await withRenamedStatus(sync, pair, first);
  const accepted = Object.entries(values).filter(([field]) => !refused.some((each) => each.field === field));
  const shown = task ?? applyPatch(pair.task, Object.fromEntries(accepted), members);
  const pushed = { values, ticket: ticketView(pair.copy), refused };
  return db.forTenant(ctx, (tx) => applySnapshot(tx, ctx, link.ticket_id, shown, { members, push: pushed }));
}

/** The values that were sent, in the task's terms, and the tool's result. */
interface Sent extends PatchResult {
  values: Values;
}

/**
 * The list may have renamed a status that it refuses: read the list again and send the status under its present name. If the list cannot be
 * read, the status stays refused and is sent again later.
 */
async function withRenamedStatus({ db, ctx, tool, call }: SyncContext, pair: Pair, sent: Sent): Promise<Sent> {
  if (!sent.refused.some(({ field }) => field === 'status')) return sent;
  try {
    await describeList(db, ctx, pair.integration, call, new Date().toISOString());
    const now = await db.forTenant(ctx, (tx) => loadLink(tx, pair.copy.ticket_id));
    const status = now && statusForTask({ ...pair, integration: now.integration }, pair.copy.status);
    if (status === undefined || status === sent.values.status) return sent;
    const again = await tool.updateTask(call, pair.task.id, { status });
    const others = sent.refused.filter(({ field }) => field !== 'status');
    return { values: { ...sent.values, status }, task: again.task ?? sent.task, refused: [...others, ...again.refused] };
  } catch (error) {
    if (error instanceof ToolError) return sent;
    throw error;
  }
}
