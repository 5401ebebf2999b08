import { ToolError, type ExternalUser, type PatchResult } from '../provider/task-tool';
import { describeList } from '../reconcile/describe-list';
import type { LinkRow } from '../schema';
import type { Around } from './around';
import type { Values } from './compare';
import { patched, patchOf, ticketAddress } from './draft';
import { needsMembers, ticketView, type Pair } from './fields';
import { sharingLines } from './sharing';
import { endAsPrimary, findPrimary, findSharing, promoteNext, wakePrimary } from './sharing.store';
import { statusForTask } from './status';
import { takeSnapshot, type Taken } from './take-snapshot';
import { findWork, type Work } from './work.store';

/**
 * Whether a webhook reported a later state of the task than the one read last. If not, nothing is read, so the webhooks of our own writes
 * cost no call.
 */
const isUnread = ({ task, task_told_at, task_seen_at }: LinkRow): boolean =>
  task === null || (task_told_at !== null && (task_seen_at === null || task_told_at > task_seen_at));

/** Every change of the ticket up to this sequence is on the task, as far as the task accepts it. */
export interface Agreement {
  sequence: number;
}
/** A change that arrives during a call needs another round. The limit postpones a link whose sides never stop changing. */
const rounds = 3;

/** Syncs ticket and task: reads the task if it may have changed, and sends everything that the task lacks in one call. */
export async function agree(around: Around, ticket_id: string): Promise<Agreement | undefined> {
  let agreement: Agreement | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const work = await around.db.forTenant(around.ctx, (tx) => findWork(tx, ticket_id));
    if (!work || work.link.task_id === null) return undefined;
    const { link, integration } = work;
    if (work.sharing === 'follower') return followPrimary(around, work);
    const told_at = isUnread(link) ? link.task_told_at : null;
    const snapshot = link.task === null || isUnread(link) ? await around.tool.getTask(around.call, link.task_id!) : link.task;
    const pair = { ...work, tool: around.tool, task: snapshot, shadow: link.shadow };
    const members = needsMembers(pair) ? await around.membersOf(integration, around.call) : undefined;
    const taken = await around.db.forTenant(around.ctx, (tx) => takeSnapshot(tx, around.ctx, ticket_id, snapshot, { members, told_at }));
    if (!taken) return undefined;
    agreement = { sequence: taken.copy.sequence };
    if (Object.keys(taken.to_task).length === 0) return agreement;
    const after = await push(around, taken, members ?? []);
    if (!after) return undefined;
    if (Object.keys(after.to_task).length === 0 && after.copy.sequence === taken.copy.sequence) return agreement;
  }
  return agreement;
}

/** The primary link has already read the task, so the task's other tickets are compared with that snapshot, without a call. */
async function followPrimary({ db, ctx }: Around, { link, copy }: Work): Promise<Agreement | undefined> {
  return db.forTenant(ctx, async (tx) => {
    const primary = await findPrimary(tx, link);
    if (primary?.state !== 'linked') {
      // A primary link that failed when no other link could replace it does not read the task.
      if (primary) await endAsPrimary(tx, primary);
      await promoteNext(tx, link, primary);
      await wakePrimary(tx, link, 'read');
      return { sequence: copy.sequence };
    }
    if (!primary.task) return { sequence: copy.sequence };
    const taken = await takeSnapshot(tx, ctx, link.ticket_id, primary.task, { told_at: link.task_told_at });
    return taken && { sequence: taken.copy.sequence };
  });
}

/** Sends everything that the task lacks in one call. The state of the task after it becomes the agreed state of both sides. */
async function push(around: Around, { pair, to_task, link, sharing }: Taken, members: ExternalUser[]): Promise<Taken | undefined> {
  const { db, ctx, tool, call, config } = around;
  const listsTickets = to_task.description !== undefined && sharing === 'primary';
  const shared = listsTickets ? await db.forTenant(ctx, (tx) => findSharing(tx, link)) : undefined;
  const lines = shared && sharingLines(shared, (id) => ticketAddress(config.PUBLIC_URL, id));
  const patch = patchOf(pair, to_task, config.PUBLIC_URL, lines);
  const isEmpty = Object.keys(patch).length === 0;
  const first: Sent = { values: to_task, ...(isEmpty ? { task: null, refused: [] } : await tool.updateTask(call, link.task_id!, patch)) };
  const { values, task, refused } = await withRenamedStatus(around, pair, first);
  const accepted = Object.entries(values).filter(([field]) => !refused.some((each) => each.field === field));
  const shown = task ?? patched(pair.task, Object.fromEntries(accepted), members);
  const pushed = { values, ticket: ticketView(pair.copy), refused };
  return db.forTenant(ctx, (tx) => takeSnapshot(tx, ctx, link.ticket_id, shown, { members, pushed }));
}

/** The values that were sent, in the task's terms, and the tool's result. */
interface Sent extends PatchResult {
  values: Values;
}

/**
 * The list may have renamed a status that it refuses: read the list again and send the status under its present name. If the list cannot be
 * read, the status stays refused and is sent again later.
 */
async function withRenamedStatus({ db, ctx, tool, call }: Around, pair: Pair, sent: Sent): Promise<Sent> {
  if (!sent.refused.some(({ field }) => field === 'status')) return sent;
  try {
    await describeList(db, ctx, pair.integration, call, new Date().toISOString());
    const now = await db.forTenant(ctx, (tx) => findWork(tx, pair.copy.ticket_id));
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
