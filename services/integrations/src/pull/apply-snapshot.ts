import { taskChangeProposed, taskSynced, taskSyncFailed, type Context, type SyncField } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { isSyncField, isTaskFieldName, type FieldName } from '../provider/field-names';
import type { ExternalUser, PatchResult, TaskSnapshot } from '../provider/task-tool';
import type { IntegrationsTx, LinkRow } from '../schema';
import { retryPending, firstRetryAt, withRetryTimes } from '../merge/pending-changes';
import { getTaskTool } from '../tool/tool-client';
import { compare, fieldsOfChanges, named, type Comparison, type Values } from '../merge/compare';
import { fieldLabel } from '../merge/custom-fields';
import { taskView, type Pair } from '../merge/fields';
import { countWrite, maxWritesPerMinute, maxWritesPerHour, type Writes } from '../merge/write-limit';
import type { Shadow, Value } from '../merge/merge';
import { refusedShadow } from '../merge/refusals';
import { handOverPrimary, markFollowersDue } from '../engine/sharing.store';
import { followRenamed, isFinishedTicket, outcomeOf } from '../merge/status';
import { logSync } from '../engine/sync-log.store';
import { loadLinkForUpdate, type LinkBundle } from '../engine/sync-link.store';
import { applyEvent, updateLinks } from '../engine/link-state';

/** The change that a call made to the task before this snapshot was taken. */
export interface PushResult {
  /** In the task's terms. */
  values: Values;
  /** The ticket's values at that time. */
  ticket: Record<SyncField, Value>;
  refused: PatchResult['refused'];
}
interface SnapshotOptions {
  /** Users who can be assigned at the tool, if they were requested. */
  members?: ExternalUser[] | undefined;
  push?: PushResult;
  /** The `task_notified_at` that this snapshot was read for, set by a webhook. */
  notified_at?: string | null;
}
/** The changes that are still to be sent to the task. */
export interface AppliedSnapshot extends LinkBundle {
  pair: Pair;
  to_task: Values;
  /** Whether the assignable users must be requested before every field can be decided. */
  is_open: boolean;
  /** Whether the link was due before. */
  was_due: boolean;
}

/**
 * Compares a snapshot of the task, from any call or list, with its ticket. Changes for the ticket are sent to tickets; changes for the task
 * make the link due, and its worker sends them. Returns undefined for a link that has ended, or that is stopped here because of a loop. If
 * the snapshot is older than the last one, the last one is used.
 */
export async function applySnapshot(
  tx: IntegrationsTx,
  ctx: Context,
  ticket_id: string,
  snapshot: TaskSnapshot,
  options: SnapshotOptions = {},
): Promise<AppliedSnapshot | undefined> {
  const bundle = await loadLinkForUpdate(tx, ticket_id);
  if (!bundle || (bundle.link.task_id !== null && bundle.link.task_id !== snapshot.id)) return undefined;
  const lastRead = bundle.link.task;
  const task = lastRead && lastRead.updated_at > snapshot.updated_at ? lastRead : snapshot;
  const now = new Date().toISOString();
  const open = retryPending(followRenamed(bundle.link.shadow, lastRead, task), now);
  const shadow = options.push ? afterPush(open, task, options.push, now) : open;
  const pair: Pair = { tool: getTaskTool(bundle.integration.provider), ...bundle, task, shadow, members: options.members };
  const compared = compare(pair, now);
  const comparison = { ...compared, shadow: withRetryTimes(compared.shadow, bundle.link.shadow, now) };
  if (options.push) await logPush(tx, bundle, options.push);
  for (const line of comparison.notes) await logSync(tx, bundle.integration, line);

  const isWrite = Object.keys(comparison.changes).length > 0;
  const written = isWrite || options.push ? countWrite(bundle.link, now) : undefined;
  if (written?.loop) {
    await stopLoop(tx, ctx, bundle, written.loop);
    return undefined;
  }
  const finished_at = await proposeChanges(tx, ctx, pair, bundle, comparison);
  const link = await saveSnapshot(tx, bundle, pair, comparison, {
    finished_at,
    notified_at: options.notified_at ?? null,
    ...written?.counted,
  });
  if (bundle.sharing === 'primary' && (hasVisibleChange(lastRead, task) || lastRead?.updated_at !== task.updated_at))
    await markFollowersDue(tx, bundle.link);
  if (hasVisibleChange(lastRead, task) || (finished_at === null) !== (bundle.link.finished_at === null))
    await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  const { shadow: compared_shadow, to_task, is_open } = comparison;
  return { ...bundle, link, pair: { ...pair, shadow: compared_shadow }, to_task, is_open, was_due: bundle.link.next_sync_at !== null };
}

/**
 * The value that the tool returns after the call becomes the agreed value of each field that was sent. A field that it refused still
 * differs.
 */
function afterPush(before: Shadow, task: TaskSnapshot, { values, ticket, refused }: PushResult, now: string): Shadow {
  const shadow = { ...before };
  const shown = taskView(task, before);
  for (const field of Object.keys(values) as FieldName[]) {
    const refusal = refused.find((each) => each.field === field);
    const sent = values[field] ?? null;
    if (isTaskFieldName(field)) {
      const { task: last = null, logged } = before[field] ?? {};
      const held = refusal ? refusedShadow(before[field], last, sent, refusal.message, now) : { ticket: null, task: sent };
      shadow[field] = { ...held, ...(logged !== undefined && { logged }) };
      continue;
    }
    const isReadBack = field !== 'customer_email';
    shadow[field] = refusal
      ? refusedShadow(before[field], shown[field], sent, refusal.message, now)
      : { ticket: ticket[field], task: isReadBack ? shown[field] : sent };
  }
  return shadow;
}

async function logPush(tx: IntegrationsTx, { integration, copy }: LinkBundle, { values, refused }: PushResult): Promise<void> {
  const accepted = (Object.keys(values) as FieldName[]).filter((field) => !refused.some((each) => each.field === field));
  if (accepted.length > 0)
    await logSync(tx, integration, {
      level: 'info',
      ticket: copy,
      direction: 'to_task',
      message: `Sent to the task: ${named(accepted, integration)}`,
    });
  for (const { field, message } of refused)
    await logSync(tx, integration, {
      level: 'warning',
      ticket: copy,
      direction: 'to_task',
      ...(isSyncField(field)
        ? { field, message: `The task did not accept it: ${message}` }
        : { message: `The task did not accept the value of “${fieldLabel(field, integration)}”: ${message}` }),
    });
}

/** Sends the ticket one event with everything that changed. Returns since when the task is finished. */
async function proposeChanges(
  tx: IntegrationsTx,
  ctx: Context,
  { tool, task }: Pair,
  { link, copy, integration }: LinkBundle,
  { changes }: Comparison,
) {
  const outcome = outcomeOf(integration, task.status);
  const was = link.finished_at === null ? undefined : outcomeOf(integration, (link.task ?? task).status);
  // The ticket is not notified of a finished task if it is finished itself.
  const finished = outcome === was ? null : outcome ? (isFinishedTicket(copy.status) ? null : true) : false;
  const fields = fieldsOfChanges(changes);
  if (fields.length > 0 || finished !== null)
    await emit(tx, ctx, taskChangeProposed, link.ticket_id, {
      ticket_id: link.ticket_id,
      tool_name: tool.name,
      changes,
      finished,
      outcome: outcome ?? 'finished',
    });
  return outcome ? (link.finished_at ?? new Date().toISOString()) : null;
}

interface SnapshotResult extends Partial<Writes> {
  finished_at: string | null;
  notified_at: string | null;
}
async function saveSnapshot(
  tx: IntegrationsTx,
  { link }: LinkBundle,
  { task }: Pair,
  { shadow, to_task, is_open }: Comparison,
  { notified_at, ...result }: SnapshotResult,
): Promise<LinkRow> {
  const isDue = is_open || Object.keys(to_task).length > 0;
  return updateLinks(tx)
    .set({
      ...result,
      shadow: JSON.stringify(shadow),
      task: JSON.stringify(task),
      task_url: task.url,
      task_read_at: sql<string>`greatest(task_read_at, ${task.updated_at}::timestamptz)`,
      // This read answers that webhook, so clear the flag regardless of clock skew.
      task_notified_at: sql<string | null>`case when task_notified_at = ${notified_at}::timestamptz then null else task_notified_at end`,
      // If nothing is due now, the link becomes due when the answer to a change sent to the ticket is overdue.
      next_sync_at: sql<string | null>`least(next_sync_at, ${isDue ? sql`now()` : sql`${firstRetryAt(shadow) ?? null}::timestamptz`})`,
    })
    .where('organization_id', '=', link.organization_id)
    .where('ticket_id', '=', link.ticket_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether the task looks different to people. */
export const hasVisibleChange = (before: TaskSnapshot | null, now: TaskSnapshot | null): boolean =>
  before === null ||
  now === null ||
  before.title !== now.title ||
  before.url !== now.url ||
  JSON.stringify([before.status, before.assignees]) !== JSON.stringify([now.status, now.assignees]);

/** Ticket and task trigger each other's changes in a loop: nothing more is sent or applied until a person has checked it. */
async function stopLoop(tx: IntegrationsTx, ctx: Context, { link, integration, copy }: LinkBundle, time: 'minute' | 'hour'): Promise<void> {
  const { ticket_id } = link;
  const rate = time === 'minute' ? `${maxWritesPerMinute} times in a minute` : `${maxWritesPerHour} times in an hour`;
  const message = `${copy.ticket_number} and its task changed each other more than ${rate}: their sync was stopped. Sync it again from the ticket.`;
  await applyEvent(tx, link, 'loop_detected', { problem: 'Ticket and task kept changing each other', next_sync_at: null });
  await handOverPrimary(tx, link);
  await logSync(tx, integration, { level: 'error', ticket: copy, message });
  await emit(tx, ctx, taskSyncFailed, integration.id, {
    problem: 'loop',
    provider: integration.provider,
    message,
    integration_id: integration.id,
    ticket_id,
  });
  await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
}
