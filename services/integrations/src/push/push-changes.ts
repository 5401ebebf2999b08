import type { SyncContext } from '../engine/sync-context';
import { findSharing } from '../engine/sharing.store';
import type { Values } from '../merge/compare';
import { ticketView, type Pair } from '../merge/fields';
import { isTaskFieldName } from '../provider/field-names';
import type { IntegrationRow, IntegrationsTx } from '../schema';
import { sharingLines } from '../merge/sharing';
import { statusForTask } from '../merge/status';
import { ToolError, type ExternalUser, type PatchResult } from '../provider/task-tool';
import { applySnapshot, type AppliedSnapshot } from '../pull/apply-snapshot';
import { describeList } from '../pull/describe-list';
import { applyPatch, patchOf, ticketUrl } from './draft';

/** Sends everything that the task lacks in one call. The resulting state of the task is then the agreed state of both sides. */
export async function pushChanges(
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
  const snapshot = task ?? applyPatch(pair.task, Object.fromEntries(accepted), members);
  const push = { values, ticket: ticketView(pair.copy), refused };
  return db.forTenant(ctx, async (tx) => {
    if (refused.some(({ field, isPlanLimit }) => isPlanLimit && isTaskFieldName(field))) await stopCustomFields(tx, pair.integration);
    return applySnapshot(tx, ctx, link.ticket_id, snapshot, { members, push });
  });
}

/** The plan allows no more custom fields: none is sent until the integration gets another account. */
const stopCustomFields = (tx: IntegrationsTx, { organization_id, id }: IntegrationRow) =>
  tx
    .updateTable('integrations')
    .set({ custom_fields_refused: true })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();

/** The values that were sent, in the task's terms, and the tool's result. */
interface Sent extends PatchResult {
  values: Values;
}

/**
 * The list may have renamed a status that it refuses: read the list again and send the status under its current name. If the list cannot be
 * read, the status stays refused and is sent again later.
 */
async function withRenamedStatus({ db, ctx, tool, call }: SyncContext, pair: Pair, sent: Sent): Promise<Sent> {
  if (!sent.refused.some(({ field }) => field === 'status')) return sent;
  try {
    const described = await describeList(db, ctx, pair.integration, call, new Date().toISOString());
    const status = statusForTask({ ...pair, integration: { ...pair.integration, ...described } }, pair.copy.status);
    if (status === undefined || status === sent.values.status) return sent;
    const again = await tool.updateTask(call, pair.task.id, { status });
    const others = sent.refused.filter(({ field }) => field !== 'status');
    return { values: { ...sent.values, status }, task: again.task ?? sent.task, refused: [...others, ...again.refused] };
  } catch (error) {
    if (error instanceof ToolError) return sent;
    throw error;
  }
}
