import { taskSynced, taskUnlinked, type Context } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { ToolError } from '../provider/task-tool';
import type { IntegrationsTx, LinkRow } from '../schema';
import { agree } from './agree';
import type { Around } from './around';
import { backOffMs } from './back-off';
import { receiveComments, sendComments } from './comments';
import { makeTask } from './make-task';
import { breakConnection, isTokenDead } from './pause';
import { differencesProblem } from './refusals';
import { listTickets } from './list-tickets';
import { findLinksOfTaskForUpdate, resignAsPrimary } from './sharing.store';
import { note } from './sync-log.store';
import { isShownAnew } from './take-snapshot';
import { pauseUnavailable } from './unavailable';
import { TooEarly } from './under-way';
import { findLinkForUpdate, findWork, finishLink, postponeLink, type Work } from './work.store';

/**
 * What the result means for the connection: `done` nothing, `away` the tool does not answer, `limited` nothing of this urgency may be sent
 * before `retry_at`, `broken` nothing may be sent at all.
 */
export type Outcome = { kind: 'done' | 'away' | 'broken' } | { kind: 'limited'; retry_at: string };

/** Does all due work of one ticket and its task. Each step is saved at once, so a process that is killed in between loses nothing. */
export async function workOnLink(around: Around, ticket_id: string): Promise<Outcome> {
  const { db, ctx } = around;
  const work = await db.forTenant(ctx, (tx) => findWork(tx, ticket_id));
  if (!work) return { kind: 'done' };
  try {
    if (work.link.state === 'creating') await makeTask(around, work);
    const agreement = await agree(around, ticket_id);
    if (!agreement) return { kind: 'done' };
    await listTickets(around, ticket_id);
    await sendComments(around, ticket_id);
    await receiveComments(around, ticket_id);
    await db.forTenant(ctx, async (tx) => {
      const problem = differencesProblem((await findLinkForUpdate(tx, ticket_id))?.shadow ?? {});
      const finished = await finishLink(tx, ticket_id, agreement.sequence, problem);
      // A reader of the link saw it as due when the task had changed, so open pages need an event now.
      if (finished && (isShownAnew(work.link.task, finished.task) || work.link.problem !== problem))
        await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
    });
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof ToolError) return afterProblem(around, ticket_id, error);
    if (!(error instanceof TooEarly)) throw error;
    await db.forTenant(ctx, async (tx) => {
      const now = await findWork(tx, ticket_id);
      if (now) await postponeLink(tx, now.link, { at: error.until }, now.link.problem);
    });
    return { kind: 'done' };
  }
}

async function afterProblem(around: Around, ticket_id: string, error: ToolError, isRead = false): Promise<Outcome> {
  const { db, ctx, tool, connection, call } = around;
  const work = await db.forTenant(ctx, (tx) => findWork(tx, ticket_id));
  if (!work) return { kind: 'done' };
  const { link } = work;
  if (error.problem === 'rate_limited') {
    const retry_at = error.details.retry_at ?? new Date(Date.now() + 10_000).toISOString();
    await db.forTenant(ctx, (tx) => postponeLink(tx, link, { at: retry_at }, link.problem));
    return { kind: 'limited', retry_at };
  }
  if (error.problem === 'away') {
    const problem = `${tool.name} does not answer at the moment`;
    await db.forTenant(ctx, (tx) => postpone(tx, ctx, link, backOffMs(link.attempts + 1), problem));
    return { kind: 'away' };
  }
  if (error.problem === 'unauthorized') {
    try {
      if (await isTokenDead(tool, call)) {
        await db.forTenant(ctx, (tx) => breakConnection(tx, ctx, tool, connection));
        return { kind: 'broken' };
      }
    } catch (again) {
      if (again instanceof ToolError) return afterProblem(around, ticket_id, again);
      throw again;
    }
  }
  if (error.problem === 'missing' && link.task_id !== null && !isRead) {
    const again = await problemOfReading(around, link.task_id);
    if (again) return afterProblem(around, ticket_id, again, true);
    const problem = `${tool.name} has the task, and not what was to be changed of it`;
    await db.forTenant(ctx, (tx) => postponeLink(tx, link, { ms: backOffMs(link.attempts + 1) }, problem));
    return { kind: 'done' };
  }
  try {
    await giveUp(around, work, error);
  } catch (again) {
    if (again instanceof ToolError) return afterProblem(around, ticket_id, again);
    throw again;
  }
  return { kind: 'done' };
}

/** A 404 for a part of a task does not prove that the task is gone: only reading the task does. */
async function problemOfReading({ tool, call }: Around, task_id: string): Promise<ToolError | undefined> {
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
 * Handles an error that a retry does not fix. If the list is gone or not accessible, `lookAfter` handles that for all of its tickets, and
 * they keep their tasks.
 */
async function giveUp(around: Around, work: Work, error: ToolError): Promise<void> {
  const { link, integration } = work;
  if (error.problem === 'refused') return fail(around, work, error.message);
  // Before a link is given up the list is requested: a whole workspace may be unavailable for a while.
  if (error.problem === 'unauthorized' && !(await isListSeen(around, work))) return pauseUnavailable(around, integration);
  if (link.task_id !== null) {
    if (error.problem !== 'missing') return fail(around, work, `The connection may not see the task in ${around.tool.name}`);
    if (error.details.gone || (await isListSeen(around, work))) return lose(around, work);
  }
  await around.db.forTenant(around.ctx, async (tx) => {
    await tx
      .updateTable('integrations')
      .set({ look_at: sql<string>`now()` })
      .where('id', '=', integration.id)
      .execute();
    const problem = `${around.tool.name} does not know the list, or the connection may not see it`;
    await postpone(tx, around.ctx, link, backOffMs(link.attempts + 3), problem);
  });
}

/**
 * Requests the integration's own list, even if the task was last in another one: only that list is checked regularly, so a ticket must not
 * wait for a list that would never be paused. Throws if the tool does not answer this call either.
 */
async function isListSeen({ tool, call }: Around, { integration }: Work): Promise<boolean> {
  try {
    await tool.listChanged(call, integration.list_id, new Date().toISOString());
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.problem !== 'away' && error.problem !== 'rate_limited') return false;
    throw error;
  }
}

/** The task was deleted: its tickets continue without it, and Tandem creates no other task for them. */
async function lose({ db, ctx, tool }: Around, { link, integration }: Work): Promise<void> {
  await db.forTenant(ctx, async (tx) => {
    const problem = `The task was deleted in ${tool.name}`;
    for (const each of await findLinksOfTaskForUpdate(tx, link)) {
      const { ticket_id, task_id } = each;
      if (!(await end(tx, each, { state: 'gone', problem }))) continue;
      const ticket = { ticket_id, ticket_number: each.ticket_number };
      await note(tx, integration, { level: 'warning', ticket, message: `${problem}: the ticket goes on without it` });
      await emit(tx, ctx, taskUnlinked, ticket_id, { ticket_id, task_id, reason: 'task_deleted' });
    }
  });
}

async function fail({ db, ctx }: Around, { link, integration, copy }: Work, problem: string): Promise<void> {
  const { ticket_id } = link;
  await db.forTenant(ctx, async (tx) => {
    if (!(await end(tx, link, { state: 'failed', problem }))) return;
    await resignAsPrimary(tx, link);
    await note(tx, integration, { level: 'error', ticket: copy, message: problem });
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  });
}

async function end(tx: Parameters<typeof findWork>[0], link: LinkRow, to: { state: 'gone' | 'failed'; problem: string }): Promise<boolean> {
  const ended = await tx
    .updateTable('links')
    // Comments on a task that still exists are read when the sync resumes.
    .set({ ...to, work_at: null, attempts: 0, ...(to.state === 'gone' && { comments_told: [] }) })
    .where('ticket_id', '=', link.ticket_id)
    .where('state', '=', link.state)
    .where('task_id', 'is not distinct from', link.task_id)
    .returning('ticket_id')
    .executeTakeFirst();
  return ended !== undefined;
}
