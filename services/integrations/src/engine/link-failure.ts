import { taskSynced, taskUnlinked, type Context } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { ToolError } from '../provider/task-tool';
import type { IntegrationsTx, LinkRow } from '../schema';
import { isTokenRejected, markConnectionBroken } from '../tool/connection-health';
import { pauseUnavailable } from '../tool/list-health';
import { backOffMs } from './back-off';
import { applyEvent } from './link-state';
import type { Outcome } from './outcome';
import { findLinksOfTaskForUpdate, handOverPrimary } from './sharing.store';
import type { SyncContext } from './sync-context';
import { postponeLink, type LinkBundle } from './sync-link.store';
import { logSync } from './sync-log.store';

/** Handles an error of a call during the sync of a link. `bundle` is the link as it was last read. */
export async function handleToolError(sync: SyncContext, bundle: LinkBundle, error: ToolError, isTaskRead = false): Promise<Outcome> {
  const { link, integration } = bundle;
  const done: Outcome = { kind: 'done', integration_id: integration.id };
  try {
    switch (error.problem) {
      case 'rate_limited':
        return await waitForRateLimit(sync, link, error);
      case 'unreachable':
        await postponeWithProblem(sync, link, backOffMs(link.attempts + 1), `${sync.tool.name} does not answer at the moment`);
        return { kind: 'unreachable' };
      case 'unauthorized':
        if (await isConnectionBroken(sync)) return { kind: 'broken' };
        await handleUnauthorized(sync, bundle);
        return done;
      case 'missing':
        if (link.task_id !== null && !isTaskRead) return await handleMissingPart(sync, bundle, link.task_id);
        await handleMissing(sync, bundle, error);
        return done;
      case 'refused':
        await markFailed(sync, bundle, error.message);
        return done;
    }
  } catch (again) {
    // A check above failed with another error of the tool.
    if (again instanceof ToolError) return handleToolError(sync, bundle, again, isTaskRead);
    throw again;
  }
}

async function waitForRateLimit({ db, ctx }: SyncContext, link: LinkRow, error: ToolError): Promise<Outcome> {
  const retry_at = error.details.retry_at ?? new Date(Date.now() + 10_000).toISOString();
  await db.forTenant(ctx, (tx) => postponeLink(tx, link, { at: retry_at }, link.problem));
  return { kind: 'limited', retry_at };
}

async function isConnectionBroken({ db, ctx, tool, call, connection }: SyncContext): Promise<boolean> {
  if (!(await isTokenRejected(tool, call))) return false;
  await db.forTenant(ctx, (tx) => markConnectionBroken(tx, ctx, tool, connection));
  return true;
}

/** Requests the list before it marks a link as failed, because a whole workspace may be unavailable for a while. */
async function handleUnauthorized(sync: SyncContext, bundle: LinkBundle): Promise<void> {
  if (!(await canReadList(sync, bundle))) return pauseUnavailable(sync, bundle.integration);
  if (bundle.link.task_id !== null) return markFailed(sync, bundle, `The connection may not see the task in ${sync.tool.name}`);
  await checkListNow(sync, bundle);
}

/** A 404 for a part of a task does not prove that the task was deleted: only reading the task does. */
async function handleMissingPart(sync: SyncContext, bundle: LinkBundle, task_id: string): Promise<Outcome> {
  try {
    await sync.tool.getTask(sync.call, task_id);
  } catch (error) {
    if (error instanceof ToolError) return handleToolError(sync, bundle, error, true);
    throw error;
  }
  const { link, integration } = bundle;
  const problem = `${sync.tool.name} found the task, but not the field, tag or comment to change`;
  await sync.db.forTenant(sync.ctx, (tx) => postponeLink(tx, link, { ms: backOffMs(link.attempts + 1) }, problem));
  return { kind: 'done', integration_id: integration.id };
}

async function handleMissing(sync: SyncContext, bundle: LinkBundle, error: ToolError): Promise<void> {
  if (bundle.link.task_id !== null && (error.details.gone || (await canReadList(sync, bundle)))) return markTaskDeleted(sync, bundle);
  await checkListNow(sync, bundle);
}

/** The list may be deleted or inaccessible: `reconcileList` finds out for all of its tickets, and they keep their tasks. */
async function checkListNow(sync: SyncContext, { link, integration }: LinkBundle): Promise<void> {
  await sync.db.forTenant(sync.ctx, async (tx) => {
    await tx
      .updateTable('integrations')
      .set({ next_check_at: sql<string>`now()` })
      .where('id', '=', integration.id)
      .execute();
    const problem = `${sync.tool.name} did not find the list, or the connection has no access to it`;
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

const postponeWithProblem = ({ db, ctx }: SyncContext, link: LinkRow, ms: number, problem: string): Promise<void> =>
  db.forTenant(ctx, (tx) => postpone(tx, ctx, link, ms, problem));

/** Open pages are notified, so that they show the problem while it lasts. */
async function postpone(tx: IntegrationsTx, ctx: Context, link: LinkRow, ms: number, problem: string): Promise<void> {
  await postponeLink(tx, link, { ms }, problem);
  if (link.problem !== problem) await emit(tx, ctx, taskSynced, link.ticket_id, { ticket_id: link.ticket_id });
}

/** The task was deleted: its tickets continue without it, and Tandem creates no other task for them. */
async function markTaskDeleted({ db, ctx, tool }: SyncContext, { link, integration }: LinkBundle): Promise<void> {
  await db.forTenant(ctx, async (tx) => {
    const problem = `The task was deleted in ${tool.name}`;
    for (const each of await findLinksOfTaskForUpdate(tx, link)) {
      const { ticket_id, task_id } = each;
      const values = { problem, next_sync_at: null, attempts: 0, pending_comment_ids: [] };
      if (!(await applyEvent(tx, each, 'task_deleted', values))) continue;
      const ticket = { ticket_id, ticket_number: each.ticket_number };
      await logSync(tx, integration, { level: 'warning', ticket, message: `${problem}. The ticket is no longer linked.` });
      await emit(tx, ctx, taskUnlinked, ticket_id, { ticket_id, task_id, reason: 'task_deleted' });
    }
  });
}

/** Comments on the task, which still exists, are read when the sync resumes. */
async function markFailed({ db, ctx }: SyncContext, { link, integration, copy }: LinkBundle, problem: string): Promise<void> {
  const { ticket_id } = link;
  await db.forTenant(ctx, async (tx) => {
    if (!(await applyEvent(tx, link, 'sync_failed', { problem, next_sync_at: null, attempts: 0 }))) return;
    await handOverPrimary(tx, link);
    await logSync(tx, integration, { level: 'error', ticket: copy, message: problem });
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  });
}
