import { taskSynced, taskUnlinked, type Context } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { ToolError } from '../provider/task-tool';
import type { IntegrationsTx, LinkRow } from '../schema';
import { reconcileTask } from './reconcile-task';
import type { Outcome } from './outcome';
import type { SyncContext } from './sync-context';
import { backOffMs } from './back-off';
import { receiveComments, sendComments } from '../push/comments';
import { createTask } from '../push/create-task';
import { markConnectionBroken, isTokenRejected } from '../tool/connection-health';
import { differencesProblem } from '../merge/refusals';
import { listTickets } from '../push/list-tickets';
import { findLinksOfTaskForUpdate, handOverPrimary } from './sharing.store';
import { logSync } from './sync-log.store';
import { hasVisibleChange } from '../pull/apply-snapshot';
import { pauseUnavailable } from '../tool/list-health';
import { StillInFlight } from '../push/in-flight';
import { findLinkForUpdate, loadLink, finishLink, postponeLink, type LinkBundle } from './sync-link.store';

/**
 * What the result means for the connection: `done` nothing, `unreachable` the tool does not answer, `limited` nothing of this urgency may be sent
 * before `retry_at`, `broken` nothing may be sent at all.
 */

/** Does all due work of one ticket and its task. Each step is saved at once, so a process that is killed in between loses nothing. */
export async function syncLink(sync: SyncContext, ticket_id: string): Promise<Outcome> {
  const { db, ctx } = sync;
  const work = await db.forTenant(ctx, (tx) => loadLink(tx, ticket_id));
  if (!work) return { kind: 'done' };
  try {
    if (work.link.state === 'creating') await createTask(sync, work);
    const result = await reconcileTask(sync, ticket_id);
    if (!result) return { kind: 'done' };
    await listTickets(sync, ticket_id);
    await sendComments(sync, ticket_id);
    await receiveComments(sync, ticket_id);
    await db.forTenant(ctx, async (tx) => {
      const problem = differencesProblem((await findLinkForUpdate(tx, ticket_id))?.shadow ?? {});
      const finished = await finishLink(tx, ticket_id, result.sequence, problem);
      // A reader of the link saw it as due when the task had changed, so open pages need an event now.
      if (finished && (hasVisibleChange(work.link.task, finished.task) || work.link.problem !== problem))
        await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
    });
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof ToolError) return handleToolError(sync, ticket_id, error);
    if (!(error instanceof StillInFlight)) throw error;
    await db.forTenant(ctx, async (tx) => {
      const now = await loadLink(tx, ticket_id);
      if (now) await postponeLink(tx, now.link, { at: error.until }, now.link.problem);
    });
    return { kind: 'done' };
  }
}

async function handleToolError(sync: SyncContext, ticket_id: string, error: ToolError, isRead = false): Promise<Outcome> {
  const { db, ctx, tool, connection, call } = sync;
  const work = await db.forTenant(ctx, (tx) => loadLink(tx, ticket_id));
  if (!work) return { kind: 'done' };
  const { link } = work;
  if (error.problem === 'rate_limited') {
    const retry_at = error.details.retry_at ?? new Date(Date.now() + 10_000).toISOString();
    await db.forTenant(ctx, (tx) => postponeLink(tx, link, { at: retry_at }, link.problem));
    return { kind: 'limited', retry_at };
  }
  if (error.problem === 'unreachable') {
    const problem = `${tool.name} does not answer at the moment`;
    await db.forTenant(ctx, (tx) => postpone(tx, ctx, link, backOffMs(link.attempts + 1), problem));
    return { kind: 'unreachable' };
  }
  if (error.problem === 'unauthorized') {
    try {
      if (await isTokenRejected(tool, call)) {
        await db.forTenant(ctx, (tx) => markConnectionBroken(tx, ctx, tool, connection));
        return { kind: 'broken' };
      }
    } catch (again) {
      if (again instanceof ToolError) return handleToolError(sync, ticket_id, again);
      throw again;
    }
  }
  if (error.problem === 'missing' && link.task_id !== null && !isRead) {
    const again = await errorOnRead(sync, link.task_id);
    if (again) return handleToolError(sync, ticket_id, again, true);
    const problem = `${tool.name} has the task, and not what was to be changed of it`;
    await db.forTenant(ctx, (tx) => postponeLink(tx, link, { ms: backOffMs(link.attempts + 1) }, problem));
    return { kind: 'done' };
  }
  try {
    await handlePermanentError(sync, work, error);
  } catch (again) {
    if (again instanceof ToolError) return handleToolError(sync, ticket_id, again);
    throw again;
  }
  return { kind: 'done' };
}

/** A 404 for a part of a task does not prove that the task is gone: only reading the task does. */
async function errorOnRead({ tool, call }: SyncContext, task_id: string): Promise<ToolError | undefined> {
  try {
    await tool.getTask(call, task_id);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

/** Open pages are notified, so that they show the problem while it lasts. */
async function postpone(tx: IntegrationsTx, ctx: Context, link: LinkRow, ms: number, problem: string): Promise<void> {
  await postponeLink(tx, link, { ms }, problem);
  if (link.problem !== problem) await emit(tx, ctx, taskSynced, link.ticket_id, { ticket_id: link.ticket_id });
}

/**
 * Handles an error that a retry does not fix. If the list is gone or not accessible, `reconcileList` handles that for all of its tickets, and
 * they keep their tasks.
 */
async function handlePermanentError(sync: SyncContext, work: LinkBundle, error: ToolError): Promise<void> {
  const { link, integration } = work;
  if (error.problem === 'refused') return fail(sync, work, error.message);
  // Before a link is given up the list is requested: a whole workspace may be unavailable for a while.
  if (error.problem === 'unauthorized' && !(await canReadList(sync, work))) return pauseUnavailable(sync, integration);
  if (link.task_id !== null) {
    if (error.problem !== 'missing') return fail(sync, work, `The connection may not see the task in ${sync.tool.name}`);
    if (error.details.gone || (await canReadList(sync, work))) return markTaskDeleted(sync, work);
  }
  await sync.db.forTenant(sync.ctx, async (tx) => {
    await tx
      .updateTable('integrations')
      .set({ next_check_at: sql<string>`now()` })
      .where('id', '=', integration.id)
      .execute();
    const problem = `${sync.tool.name} does not know the list, or the connection may not see it`;
    await postpone(tx, sync.ctx, link, backOffMs(link.attempts + 3), problem);
  });
}

/**
 * Requests the integration's own list, even if the task was last in another one: only that list is checked regularly, so a ticket must not
 * wait for a list that would never be paused. Throws if the tool does not answer this call either.
 */
async function canReadList({ tool, call }: SyncContext, { integration }: LinkBundle): Promise<boolean> {
  try {
    await tool.listChanged(call, integration.list_id, new Date().toISOString());
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.problem !== 'unreachable' && error.problem !== 'rate_limited') return false;
    throw error;
  }
}

/** The task was deleted: its tickets continue without it, and Tandem creates no other task for them. */
async function markTaskDeleted({ db, ctx, tool }: SyncContext, { link, integration }: LinkBundle): Promise<void> {
  await db.forTenant(ctx, async (tx) => {
    const problem = `The task was deleted in ${tool.name}`;
    for (const each of await findLinksOfTaskForUpdate(tx, link)) {
      const { ticket_id, task_id } = each;
      if (!(await end(tx, each, { state: 'gone', problem }))) continue;
      const ticket = { ticket_id, ticket_number: each.ticket_number };
      await logSync(tx, integration, { level: 'warning', ticket, message: `${problem}: the ticket goes on without it` });
      await emit(tx, ctx, taskUnlinked, ticket_id, { ticket_id, task_id, reason: 'task_deleted' });
    }
  });
}

async function fail({ db, ctx }: SyncContext, { link, integration, copy }: LinkBundle, problem: string): Promise<void> {
  const { ticket_id } = link;
  await db.forTenant(ctx, async (tx) => {
    if (!(await end(tx, link, { state: 'failed', problem }))) return;
    await handOverPrimary(tx, link);
    await logSync(tx, integration, { level: 'error', ticket: copy, message: problem });
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  });
}

async function end(tx: Parameters<typeof loadLink>[0], link: LinkRow, to: { state: 'gone' | 'failed'; problem: string }): Promise<boolean> {
  const ended = await tx
    .updateTable('links')
    // Comments on a task that still exists are read when the sync resumes.
    .set({ ...to, next_sync_at: null, attempts: 0, ...(to.state === 'gone' && { pending_comment_ids: [] }) })
    .where('ticket_id', '=', link.ticket_id)
    .where('state', '=', link.state)
    .where('task_id', 'is not distinct from', link.task_id)
    .returning('ticket_id')
    .executeTakeFirst();
  return ended !== undefined;
}
