import { taskSynced } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { differencesProblem } from '../merge/refusals';
import { ToolError } from '../provider/task-tool';
import { hasVisibleChange } from '../pull/apply-snapshot';
import { receiveComments } from '../pull/receive-comments';
import { createTask } from '../push/create-task';
import { StillInFlight } from '../push/in-flight';
import { listTickets } from '../push/list-tickets';
import { sendComments } from '../push/send-comments';
import type { LinkRow } from '../schema';
import { handleToolError } from './link-failure';
import type { Outcome } from './outcome';
import { reconcileTask, type ReconcileResult } from './reconcile-task';
import type { SyncContext } from './sync-context';
import { findLinkForUpdate, finishLink, loadLink, postponeLink, type LinkBundle } from './sync-link.store';

/**
 * Does all due work of one ticket and its task. Each step is saved immediately, so a process that is killed in between loses nothing. The
 * link is loaded once and passed from step to step; each step that writes it reads it again under a lock and returns it as saved.
 */
export async function syncLink(sync: SyncContext, ticket_id: string): Promise<Outcome> {
  const { db, ctx } = sync;
  const loaded = await db.forTenant(ctx, (tx) => loadLink(tx, ticket_id));
  if (!loaded) return { kind: 'done' };
  const done: Outcome = { kind: 'done', integration_id: loaded.integration.id };
  let bundle: LinkBundle | undefined = loaded;
  try {
    if (bundle.link.state === 'creating') bundle = await createTask(sync, bundle);
    const result: ReconcileResult | undefined = bundle && (await reconcileTask(sync, bundle));
    if (!result) return done;
    bundle = await listTickets(sync, result.bundle);
    await sendComments(sync, bundle);
    await receiveComments(sync, bundle);
    await finish(sync, loaded.link, result);
    return done;
  } catch (error) {
    const latest = bundle ?? loaded;
    if (error instanceof ToolError) return handleToolError(sync, latest, error);
    if (!(error instanceof StillInFlight)) throw error;
    await db.forTenant(ctx, (tx) => postponeLink(tx, latest.link, { at: error.until }, latest.link.problem));
    return done;
  }
}

/** `before` is the link at the start of the sync. */
async function finish({ db, ctx }: SyncContext, before: LinkRow, { bundle, sequence }: ReconcileResult): Promise<void> {
  const { ticket_id } = before;
  await db.forTenant(ctx, async (tx) => {
    const problem = differencesProblem((await findLinkForUpdate(tx, ticket_id))?.shadow ?? {}, bundle.integration);
    const finished = await finishLink(tx, ticket_id, sequence, problem);
    // A reader of the link saw it as due when the task had changed, so open pages need an event now.
    if (finished && (hasVisibleChange(before.task, finished.task) || before.problem !== problem))
      await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  });
}
