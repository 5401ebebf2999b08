import { taskChangeReceived, taskSynced, taskSyncFailed, type Context, type SyncField } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import type { ExternalUser, PatchResult, TaskSnapshot } from '../provider/task-tool';
import type { IntegrationsTx } from '../schema';
import { askAgain, overdueAt, withTimes } from './awaiting';
import { toolOf } from './caller';
import { compare, fieldsOfChanges, named, type Comparison, type Values } from './compare';
import { taskView, type Pair } from './fields';
import { countWrite, writesOfALoop, writesOfASlowLoop, type Writes } from './loop';
import type { Shadow, Value } from './merge';
import { refusedShadow } from './refusals';
import { resignAsPrimary, wakeFollowers } from './sharing.store';
import { followRenamed, isFinishedTicket, outcomeOf } from './status';
import { note } from './sync-log.store';
import { findWorkForUpdate, type Work } from './work.store';

/** The change that a call made to the task before this snapshot was taken. */
export interface Pushed {
  /** In the task's terms. */
  values: Values;
  /** The ticket's values at that time. */
  ticket: Record<SyncField, Value>;
  refused: PatchResult['refused'];
}
interface Circumstances {
  /** Users who can be assigned at the tool, if they were requested. */
  members?: ExternalUser[] | undefined;
  pushed?: Pushed;
  /** The `task_told_at` that this snapshot was read for, set by a webhook. */
  told_at?: string | null;
}
/** The changes that are still to be sent to the task. */
export interface Taken extends Work {
  pair: Pair;
  to_task: Values;
  /** Whether the assignable users must be requested before every field can be decided. */
  is_open: boolean;
}

/**
 * Compares a snapshot of the task, from any call or list, with its ticket. Changes for the ticket are sent to tickets; changes for the task
 * make the link due, and its worker sends them. Returns undefined for a link that is over, or that is stopped here because of a loop. If
 * the snapshot is older than the last one, the last one is used.
 */
export async function takeSnapshot(
  tx: IntegrationsTx,
  ctx: Context,
  ticket_id: string,
  snapshot: TaskSnapshot,
  how: Circumstances = {},
): Promise<Taken | undefined> {
  const work = await findWorkForUpdate(tx, ticket_id);
  if (!work || (work.link.task_id !== null && work.link.task_id !== snapshot.id)) return undefined;
  const seen = work.link.task;
  const task = seen && seen.updated_at > snapshot.updated_at ? seen : snapshot;
  const now = new Date().toISOString();
  const asked = askAgain(followRenamed(work.link.shadow, seen, task), now);
  const shadow = how.pushed ? afterPush(asked, task, how.pushed, now) : asked;
  const pair: Pair = { tool: toolOf(work.integration.provider), ...work, task, shadow, members: how.members };
  const compared = compare(pair, now);
  const comparison = { ...compared, shadow: withTimes(compared.shadow, work.link.shadow, now) };
  if (how.pushed) await logPush(tx, work, how.pushed);
  for (const line of comparison.notes) await note(tx, work.integration, line);

  const isWrite = Object.keys(comparison.changes).length > 0;
  const written = isWrite || how.pushed ? countWrite(work.link, now) : undefined;
  if (written?.loop) {
    await stop(tx, ctx, work, written.loop);
    return undefined;
  }
  const finished_at = await tell(tx, ctx, pair, work, comparison);
  await keep(tx, work, pair, comparison, {
    finished_at,
    told_at: how.told_at ?? null,
    ...written?.counted,
  });
  if (work.sharing === 'primary' && (isShownAnew(seen, task) || seen?.updated_at !== task.updated_at)) await wakeFollowers(tx, work.link);
  if (isShownAnew(seen, task) || (finished_at === null) !== (work.link.finished_at === null))
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  return { ...work, pair: { ...pair, shadow: comparison.shadow }, to_task: comparison.to_task, is_open: comparison.is_open };
}

/**
 * The value that the tool returns after the call becomes the agreed value of each field that was sent. A field that it refused still
 * differs.
 */
function afterPush(before: Shadow, task: TaskSnapshot, { values, ticket, refused }: Pushed, now: string): Shadow {
  const shadow = { ...before };
  const shown = taskView(task, before);
  for (const field of Object.keys(values) as SyncField[]) {
    const refusal = refused.find((each) => each.field === field);
    const sent = values[field] ?? null;
    const isReadBack = field !== 'customer_email';
    shadow[field] = refusal
      ? refusedShadow(before[field], shown[field], sent, refusal.message, now)
      : { ticket: ticket[field], task: isReadBack ? shown[field] : sent };
  }
  return shadow;
}

async function logPush(tx: IntegrationsTx, { integration, copy }: Work, { values, refused }: Pushed): Promise<void> {
  const taken = (Object.keys(values) as SyncField[]).filter((field) => !refused.some((each) => each.field === field));
  if (taken.length > 0)
    await note(tx, integration, { level: 'info', ticket: copy, direction: 'to_task', message: `Brought to the task: ${named(taken)}` });
  for (const { field, message } of refused)
    await note(tx, integration, {
      level: 'warning',
      ticket: copy,
      direction: 'to_task',
      field,
      message: `The task did not take it: ${message}`,
    });
}

/** Sends the ticket one event with everything that changed. Returns since when the task is finished. */
async function tell(tx: IntegrationsTx, ctx: Context, { tool, task }: Pair, { link, copy, integration }: Work, { changes }: Comparison) {
  const outcome = outcomeOf(integration, task.status);
  const was = link.finished_at === null ? undefined : outcomeOf(integration, (link.task ?? task).status);
  // The ticket is not notified of a finished task if it is finished itself.
  const finished = outcome === was ? null : outcome ? (isFinishedTicket(copy.status) ? null : true) : false;
  const fields = fieldsOfChanges(changes);
  if (fields.length > 0 || finished !== null)
    await emit(tx, ctx, taskChangeReceived, link.ticket_id, {
      ...{ ticket_id: link.ticket_id, tool_name: tool.name, changes, finished },
      outcome: outcome ?? 'finished',
    });
  return outcome ? (link.finished_at ?? new Date().toISOString()) : null;
}

interface Kept extends Partial<Writes> {
  finished_at: string | null;
  told_at: string | null;
}
async function keep(
  tx: IntegrationsTx,
  { link }: Work,
  { task }: Pair,
  { shadow, to_task, is_open }: Comparison,
  { told_at, ...kept }: Kept,
): Promise<void> {
  const isDue = is_open || Object.keys(to_task).length > 0;
  await tx
    .updateTable('links')
    .set({
      ...kept,
      shadow: JSON.stringify(shadow),
      task: JSON.stringify(task),
      task_url: task.url,
      task_seen_at: sql<string>`greatest(task_seen_at, ${task.updated_at}::timestamptz)`,
      // This read answers that webhook, so clear the flag regardless of clock skew.
      task_told_at: sql<string | null>`case when task_told_at = ${told_at}::timestamptz then null else task_told_at end`,
      // If nothing is due now, the link becomes due when the answer to a change sent to the ticket is overdue.
      work_at: sql<string | null>`least(work_at, ${isDue ? sql`now()` : sql`${overdueAt(shadow) ?? null}::timestamptz`})`,
    })
    .where('ticket_id', '=', link.ticket_id)
    .execute();
}

/** Whether the task looks different to people. */
export const isShownAnew = (before: TaskSnapshot | null, now: TaskSnapshot | null): boolean =>
  before === null ||
  now === null ||
  before.title !== now.title ||
  before.url !== now.url ||
  JSON.stringify([before.status, before.assignees]) !== JSON.stringify([now.status, now.assignees]);

/** Ticket and task trigger each other's changes in a loop: nothing more is sent or applied until a person has checked it. */
async function stop(tx: IntegrationsTx, ctx: Context, { link, integration, copy }: Work, time: 'minute' | 'hour'): Promise<void> {
  const { ticket_id } = link;
  const often = time === 'minute' ? `${writesOfALoop} times in a minute` : `${writesOfASlowLoop} times in an hour`;
  const message = `${copy.ticket_number} and its task changed each other more than ${often}: their sync was stopped. Sync it again from the ticket.`;
  await tx
    .updateTable('links')
    .set({ state: 'stopped', problem: 'Ticket and task changed each other again and again', work_at: null })
    .where('ticket_id', '=', ticket_id)
    .execute();
  await resignAsPrimary(tx, link);
  await note(tx, integration, { level: 'error', ticket: copy, message });
  await emit(tx, ctx, taskSyncFailed, integration.id, {
    ...{ problem: 'loop', provider: integration.provider, message, integration_id: integration.id, ticket_id },
  });
  await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
}
