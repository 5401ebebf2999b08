import { syncFields, taskLinked, taskSynced, type SyncField } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { ToolError, type ExternalUser, type TaskSnapshot } from '../provider/task-tool';
import type { IntegrationsTx, TicketCopy } from '../schema';
import { findEarlyComments } from '../pull/early-comments';
import type { SyncContext } from '../engine/sync-context';
import { draftNeedsMembers, draftOf, ticketMarker, unmappedMessage } from './draft';
import { directionOf, emailField, taskView, ticketView, toTask, type Pair } from '../merge/fields';
import { isSame, type Shadow } from '../merge/merge';
import { isFinishedStatus, mappedStatus } from '../merge/status';
import { logSync } from '../engine/sync-log.store';
import { mayBeInFlight, assertNotInFlight, searchTime } from './in-flight';
import { loadLinkForUpdate, type LinkBundle } from '../engine/sync-link.store';

/**
 * Creates the task of a ticket exactly once. The start is saved before the call, so that after a crash or a lost response the task is
 * searched before another one is created.
 */
export async function createTask(sync: SyncContext, work: LinkBundle): Promise<void> {
  const { db, ctx, tool, call } = sync;
  const { link, integration, copy } = work;
  if (link.create_started_at !== null) {
    assertNotInFlight(link.retry_search_at);
    const found = await tool.findTask(call, integration.list_id, ticketMarker(link.ticket_id), link.create_started_at);
    if (found) return db.forTenant(ctx, (tx) => linkFoundTask(tx, sync, link.ticket_id, found));
  } else if (!(await db.forTenant(ctx, (tx) => recordStart(tx, link.ticket_id)))) return;
  const members = draftNeedsMembers({ tool, integration, copy }) ? await sync.membersOf(integration, call) : [];
  const without = new Set<SyncField>();
  const { task, later } = await create(sync, work, members, without);
  await db.forTenant(ctx, async (tx) => {
    const now = await loadLinkForUpdate(tx, link.ticket_id);
    // The link was removed while the task was being created: the task stays in the tool, unlinked.
    if (now?.link.state !== 'creating') return;
    const pair: Pair = { tool, integration, copy, task, shadow: {}, members };
    await linkTask(tx, sync, now, task, copy, withUnsentFields(agreedShadow(pair), later), task.updated_at);
    for (const field of ['status', 'assignee'] as const) await logUnmapped(tx, pair, field, without);
  });
}

async function recordStart(tx: IntegrationsTx, ticket_id: string): Promise<boolean> {
  const begun = await tx
    .updateTable('links')
    .set({ create_started_at: sql<string>`now()` })
    .where('ticket_id', '=', ticket_id)
    .where('state', '=', 'creating')
    .where('create_started_at', 'is', null)
    .returning('ticket_id')
    .executeTakeFirst();
  return begun !== undefined;
}

/**
 * Creates the task with as much of the draft as the tool accepts: without a field that it refuses by name, or with the title and our own
 * lines only. `later` are the fields that were left out; they are sent afterward one by one, so that each is accepted, or refused with its
 * own reason.
 */
async function create(
  sync: SyncContext,
  work: LinkBundle,
  members: ExternalUser[],
  without: Set<SyncField>,
): Promise<{ task: TaskSnapshot; later: SyncField[] }> {
  const { db, ctx, tool, call, config } = sync;
  let { integration } = work;
  for (;;) {
    try {
      const draft = draftOf({ ...work, integration, tool, members }, config.PUBLIC_URL, without);
      const task = await tool.createTask(call, integration.list_id, draft);
      const isInLines = (field: SyncField) => field === 'customer_email' && emailField({ tool, integration }) === undefined;
      return { task, later: [...without].filter((field) => !isInLines(field)) };
    } catch (error) {
      if (mayBeInFlight(error)) await db.forTenant(ctx, (tx) => recordInFlight(tx, work.link.ticket_id, config.TASK_TOOL_TIMEOUT_MS));
      if (!(error instanceof ToolError) || error.problem === 'unreachable') throw error;
      const refused = error.problem === 'refused' ? fieldsToOmit(error, without) : [];
      // The tool refused, so no task was created: clear the start.
      if (refused.length === 0) await db.forTenant(ctx, (tx) => clearStart(tx, work.link.ticket_id));
      if (refused.length === 0) throw error;
      for (const field of refused) without.add(field);
      const [only, ...others] = refused;
      const named = others.length === 0 ? only : undefined;
      // The address then becomes part of the description.
      if (named === 'customer_email') integration = { ...integration, custom_fields_refused: true };
      await db.forTenant(ctx, (tx) => logRefusal(tx, work, named, error.message));
    }
  }
}

/**
 * The fields to leave out of the next attempt: the one that the tool names, otherwise everything except the title; none if that was tried
 * already.
 */
function fieldsToOmit({ details: { field } }: ToolError, without: ReadonlySet<SyncField>): SyncField[] {
  if (field !== undefined && field !== 'title' && !without.has(field)) return [field];
  return field === 'title' ? [] : syncFields.filter((each) => each !== 'title' && !without.has(each));
}

const recordInFlight = (tx: IntegrationsTx, ticket_id: string, timeoutMs: number) =>
  tx
    .updateTable('links')
    .set({ retry_search_at: searchTime(timeoutMs) })
    .where('ticket_id', '=', ticket_id)
    .execute();

const clearStart = (tx: IntegrationsTx, ticket_id: string) =>
  tx.updateTable('links').set({ create_started_at: null }).where('ticket_id', '=', ticket_id).execute();

/** `field` is the field that was refused; undefined if the tool named none. */
async function logRefusal(
  tx: IntegrationsTx,
  { integration, copy }: LinkBundle,
  field: SyncField | undefined,
  message: string,
): Promise<void> {
  const without =
    field === undefined ? 'The task was created with its title only, the rest is sent field by field' : 'The task was made without it';
  await logSync(tx, integration, {
    level: 'warning',
    ticket: copy,
    direction: 'to_task',
    ...(field && { field }),
    message: `${without}: ${message}`,
  });
  if (field === 'customer_email')
    await tx.updateTable('integrations').set({ custom_fields_refused: true }).where('id', '=', integration.id).execute();
}

/** The shadow of a task that was just created: both sides agree on the values of the draft. */
function agreedShadow({ copy, task }: Pair): Shadow {
  const [ticket, shown] = [ticketView(copy), taskView(task, {})];
  const shadow: Shadow = {};
  for (const field of syncFields)
    shadow[field] = { ticket: ticket[field], task: field === 'customer_email' ? ticket[field] : shown[field] };
  return shadow;
}

/** Fields that the task was created without count as changed by the ticket, so that they are sent. */
function withUnsentFields(shadow: Shadow, fields: readonly SyncField[]): Shadow {
  const unsent = fields.flatMap((field) => {
    const held = shadow[field];
    return held
      ? [[field, { ticket: held.ticket === null ? '' : null, task: field === 'customer_email' ? null : held.task }] as const]
      : [];
  });
  return { ...shadow, ...Object.fromEntries(unsent) };
}

/** It is unknown what the ticket contained when the task was created: fields that differ now count as changed by the ticket. */
async function linkFoundTask(tx: IntegrationsTx, sync: SyncContext, ticket_id: string, task: TaskSnapshot): Promise<void> {
  const now = await loadLinkForUpdate(tx, ticket_id);
  if (now?.link.state !== 'creating') return;
  const pair: Pair = { tool: sync.tool, integration: now.integration, copy: now.copy, task, shadow: {}, members: undefined };
  const shadow = agreedShadow(pair);
  for (const field of syncFields) {
    const held = shadow[field];
    if (!held || field === 'customer_email' || field === 'assignee' || isSame(toTask(pair, field, held.ticket), held.task)) continue;
    shadow[field] = { ticket: held.ticket === null ? '' : null, task: held.task };
  }
  await linkTask(tx, sync, now, task, now.copy, shadow, null);
}

async function linkTask(
  tx: IntegrationsTx,
  sync: SyncContext,
  now: LinkBundle,
  task: TaskSnapshot,
  copy: TicketCopy,
  shadow: Shadow,
  /** Null for a task that was found by a search: it may already have comments. */
  comments_read_until: string | null,
): Promise<void> {
  const { ctx, tool, connection } = sync;
  const { ticket_id } = now.link;
  const since = now.link.create_started_at ?? now.link.created_at;
  await tx
    .updateTable('links')
    .set({
      state: 'linked',
      task_id: task.id,
      task_url: task.url,
      task: JSON.stringify(task),
      task_read_at: task.updated_at,
      pending_comment_ids: await findEarlyComments(tx, tool, connection, { task_id: task.id, since }),
      comments_read_until,
      shadow: JSON.stringify(shadow),
      ticket_sequence: copy.sequence,
      create_started_at: null,
      attempts: 0,
      problem: null,
      synced_at: sql<string>`now()`,
      finished_at: isFinishedStatus(task.status) ? sql<string>`now()` : null,
    })
    .where('ticket_id', '=', ticket_id)
    .execute();
  await logSync(tx, now.integration, {
    level: 'info',
    ticket: copy,
    direction: 'to_task',
    message: `A task was made in the list “${now.integration.list_name}”`,
  });
  await emit(tx, ctx, taskLinked, ticket_id, { ticket_id, provider: tool.key, task_id: task.id, url: task.url });
  await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
}

async function logUnmapped(tx: IntegrationsTx, pair: Pair, field: 'status' | 'assignee', without: ReadonlySet<SyncField>): Promise<void> {
  const { integration, copy } = pair;
  if (without.has(field) || !['both', 'to_task'].includes(directionOf(pair, field))) return;
  const value = ticketView(copy)[field];
  const isSaid =
    field === 'status' ? mappedStatus(integration, copy.status) !== undefined : value === null || pair.task.assignees.length > 0;
  if (isSaid) return;
  await logSync(tx, integration, {
    level: 'warning',
    ticket: copy,
    field,
    direction: 'to_task',
    message: unmappedMessage(field, integration, value),
  });
}
