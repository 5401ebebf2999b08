import type { ExternalUser } from '../provider/task-tool';
import type { LinkRow } from '../schema';
import type { Around } from './around';
import { patched, patchOf, ticketAddress } from './draft';
import { needsMembers, ticketView } from './fields';
import { sharingLines } from './sharing';
import { findPrimary, findSharing, promoteNext } from './sharing.store';
import { takeSnapshot, type Taken } from './take-snapshot';
import { findWork, type Work } from './work.store';

/** Whether a webhook told of a later state of the task than the one that was seen: else nothing is read, and our own echoes cost no call. */
const isUnread = ({ task, task_told_at, task_seen_at }: LinkRow): boolean =>
  task === null || (task_told_at !== null && (task_seen_at === null || task_told_at > task_seen_at));

/** What came of it: up to which change of the ticket the task has everything, and what it did not take. */
export interface Agreement {
  sequence: number;
  refused: string[];
}
/** Changes while a call runs make another round; who cannot stop changing waits a moment. */
const rounds = 3;

/** Brings ticket and task together: reads the task where it may have changed, and sends it everything at once that it is to take. */
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
    agreement = { sequence: taken.copy.sequence, refused: agreement?.refused ?? [] };
    if (Object.keys(taken.to_task).length === 0) return agreement;
    const after = await push(around, taken, members ?? [], agreement.refused);
    if (!after) return undefined;
    if (Object.keys(after.to_task).length === 0 && after.copy.sequence === taken.copy.sequence) return agreement;
  }
  return agreement;
}

/** The primary link has read the task: its other tickets compare themselves with that, without a call. */
async function followPrimary({ db, ctx }: Around, { link, copy }: Work): Promise<Agreement | undefined> {
  return db.forTenant(ctx, async (tx) => {
    const primary = await findPrimary(tx, link);
    if (!primary) await promoteNext(tx, link);
    if (!primary?.task) return { sequence: copy.sequence, refused: [] };
    const taken = await takeSnapshot(tx, ctx, link.ticket_id, primary.task, { told_at: link.task_told_at });
    return taken && { sequence: taken.copy.sequence, refused: [] };
  });
}

/** One call for everything that the task is to take; what it then shows is what both agreed upon. */
async function push(
  around: Around,
  { pair, to_task, link, sharing }: Taken,
  members: ExternalUser[],
  messages: string[],
): Promise<Taken | undefined> {
  const { db, ctx, tool, call, config } = around;
  const listsTickets = to_task.description !== undefined && sharing === 'primary';
  const shared = listsTickets ? await db.forTenant(ctx, (tx) => findSharing(tx, link)) : undefined;
  const lines = shared && sharingLines(shared, (id) => ticketAddress(config.PUBLIC_URL, id));
  const patch = patchOf(pair, to_task, config.PUBLIC_URL, lines);
  const isEmpty = Object.keys(patch).length === 0;
  const { task, refused } = isEmpty ? { task: null, refused: [] } : await tool.updateTask(call, link.task_id!, patch);
  const accepted = Object.entries(to_task).filter(([field]) => !refused.some((each) => each.field === field));
  const shown = task ?? patched(pair.task, Object.fromEntries(accepted), members);
  messages.push(...refused.map(({ message }) => message));
  const pushed = { values: to_task, ticket: ticketView(pair.copy), refused };
  return db.forTenant(ctx, (tx) => takeSnapshot(tx, ctx, link.ticket_id, shown, { members, pushed }));
}
