import { syncFields, taskLinked, taskSynced, type SyncField } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { ToolError, type ExternalUser, type TaskSnapshot } from '../provider/task-tool';
import type { IntegrationsTx, TicketCopy } from '../schema';
import { findEarlyComments } from '../pull/early-comments';
import type { SyncContext } from '../engine/sync-context';
import { draftNeedsMembers, draftOf, ticketMarker } from './draft';
import { unmappedMessage } from '../merge/compare';
import { directionOf, emailField, taskView, ticketView, toTask, type Pair } from '../merge/fields';
import { sentShadow, taskFields, unknownShadow, type TaskField } from '../merge/custom-fields';
import { isSame, type Shadow } from '../merge/merge';
import { isFinishedStatus, mappedStatus } from '../merge/status';
import { logSync } from '../engine/sync-log.store';
import { mayBeInFlight, assertNotInFlight, searchTime } from './in-flight';
import { loadLinkForUpdate, type LinkBundle } from '../engine/sync-link.store';
import { applyEvent, updateLinks } from '../engine/link-state';

/**
 * Creates the task of a ticket exactly once. The start is saved before the call, so that after a crash or a lost response the task is
 * searched for before another one is created. Returns the linked link; undefined if the link was removed in the meantime.
 */
export async function createTask(sync: SyncContext, bundle: LinkBundle): Promise<LinkBundle | undefined> {
  const { db, ctx, tool, call } = sync;
  const { link, integration, copy } = bundle;
  if (link.create_started_at !== null) {
    assertNotInFlight(link.retry_search_at);
    const found = await tool.findTask(call, integration.list_id, ticketMarker(link.ticket_id), link.create_started_at);
    if (found) return db.forTenant(ctx, (tx) => linkFoundTask(tx, sync, link.ticket_id, found));
  } else if (!(await db.forTenant(ctx, (tx) => recordStart(tx, link.ticket_id)))) return undefined;
  const members = draftNeedsMembers({ tool, integration, copy }) ? await sync.membersOf(integration, call) : [];
  const without = new Set<SyncField>();
  const { task, later, fields } = await create(sync, bundle, members, without);
  return db.forTenant(ctx, async (tx) => {
    const locked = await loadLinkForUpdate(tx, link.ticket_id);
    // The link was removed while the task was being created: the task stays in the tool, unlinked.
    if (locked?.link.state !== 'creating') return undefined;
    const pair: Pair = { tool, integration, copy, task, shadow: {}, members };
    const shadow = { ...withUnsentFields(agreedShadow(pair), later), ...sentShadow(fields) };
    const linked = await linkTask(tx, sync, locked, { task, copy, shadow, comments_read_until: task.updated_at });
    for (const field of ['status', 'assignee'] as const) await logUnmapped(tx, pair, field, without);
    return linked;
  });
}

async function recordStart(tx: IntegrationsTx, ticket_id: string): Promise<boolean> {
  const started = await updateLinks(tx)
    .set({ create_started_at: sql<string>`now()` })
    .where('ticket_id', '=', ticket_id)
    .where('state', '=', 'creating')
    .where('create_started_at', 'is', null)
    .returning('ticket_id')
    .executeTakeFirst();
  return started !== undefined;
}

/**
 * Creates the task with as much of the draft as the tool accepts: without a field that it refuses by name, or with the title and our own
 * lines only. `later` are the fields that were left out; they are sent afterward one by one, so that each is accepted, or refused with its
 * own reason.
 */
async function create(
  sync: SyncContext,
  bundle: LinkBundle,
  members: ExternalUser[],
  without: Set<SyncField>,
): Promise<{ task: TaskSnapshot; later: SyncField[]; fields: TaskField[] }> {
  const { db, ctx, tool, call, config } = sync;
  let { integration } = bundle;
  let fields = taskFields({ ...bundle, tool }).filter(({ value }) => value !== null);
  for (;;) {
    try {
      const draft = draftOf({ ...bundle, integration, tool, members }, config.PUBLIC_URL, without, fields);
      const task = await tool.createTask(call, integration.list_id, draft);
      const isInLines = (field: SyncField) => field === 'customer_email' && emailField({ tool, integration }) === undefined;
      return { task, later: [...without].filter((field) => !isInLines(field)), fields };
    } catch (error) {
      if (mayBeInFlight(error)) await db.forTenant(ctx, (tx) => recordInFlight(tx, bundle.link.ticket_id, config.TASK_TOOL_TIMEOUT_MS));
      if (!(error instanceof ToolError) || error.problem === 'unreachable') throw error;
      if (fields.length > 0 && mayConcernCustomFields(error)) {
        fields = [];
        if (error.details.field !== undefined && !error.details.isPlanLimit) {
          await db.forTenant(ctx, (tx) => logRefusal(tx, bundle, 'custom_fields', error.message));
          continue;
        }
      }
      const refused = error.problem === 'refused' ? fieldsToOmit(error, without) : [];
      // The tool refused, so no task was created: clear the start.
      if (refused.length === 0) await db.forTenant(ctx, (tx) => clearStart(tx, bundle.link.ticket_id));
      if (refused.length === 0) throw error;
      for (const field of refused) without.add(field);
      const [only, ...others] = refused;
      const named = others.length === 0 ? only : undefined;
      // The address then becomes part of the description.
      if (named === 'customer_email') integration = { ...integration, custom_fields_refused: true };
      await db.forTenant(ctx, (tx) => logRefusal(tx, bundle, named, error.message));
    }
  }
}

/** A tool does not name the custom field that it refuses: the customer's address stands for all of them. */
const mayConcernCustomFields = ({ problem, details: { field } }: ToolError): boolean =>
  problem === 'refused' && (field === undefined || field === 'customer_email');

/**
 * The fields to leave out of the next attempt: the one that the tool names, otherwise everything except the title; none if that has
 * already been tried.
 */
function fieldsToOmit({ details: { field } }: ToolError, without: ReadonlySet<SyncField>): SyncField[] {
  if (field !== undefined && field !== 'title' && !without.has(field)) return [field];
  return field === 'title' ? [] : syncFields.filter((each) => each !== 'title' && !without.has(each));
}

const recordInFlight = (tx: IntegrationsTx, ticket_id: string, timeoutMs: number) =>
  updateLinks(tx)
    .set({ retry_search_at: searchTime(timeoutMs) })
    .where('ticket_id', '=', ticket_id)
    .execute();

const clearStart = (tx: IntegrationsTx, ticket_id: string) =>
  updateLinks(tx).set({ create_started_at: null }).where('ticket_id', '=', ticket_id).execute();

/** `refused` is what the tool refused; undefined if it named nothing. */
async function logRefusal(
  tx: IntegrationsTx,
  { integration, copy }: LinkBundle,
  refused: SyncField | 'custom_fields' | undefined,
  message: string,
): Promise<void> {
  const field = refused === 'custom_fields' ? undefined : refused;
  const without =
    refused === undefined
      ? 'The task was created with its title only. The other fields are sent one by one'
      : refused === 'custom_fields'
        ? 'The task was created without custom fields. They are sent one by one'
        : 'The task was created without this field';
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
async function linkFoundTask(
  tx: IntegrationsTx,
  sync: SyncContext,
  ticket_id: string,
  task: TaskSnapshot,
): Promise<LinkBundle | undefined> {
  const locked = await loadLinkForUpdate(tx, ticket_id);
  if (locked?.link.state !== 'creating') return undefined;
  const { integration, copy } = locked;
  const pair: Pair = { tool: sync.tool, integration, copy, task, shadow: {}, members: undefined };
  const shadow = { ...agreedShadow(pair), ...unknownShadow(taskFields({ ...locked, tool: sync.tool })) };
  for (const field of syncFields) {
    const agreed = shadow[field];
    if (!agreed || field === 'customer_email' || field === 'assignee' || isSame(toTask(pair, field, agreed.ticket), agreed.task)) continue;
    shadow[field] = { ticket: agreed.ticket === null ? '' : null, task: agreed.task };
  }
  return linkTask(tx, sync, locked, { task, copy, shadow, comments_read_until: null });
}

interface LinkedTask {
  task: TaskSnapshot;
  /** The ticket that the task was created from. */
  copy: TicketCopy;
  shadow: Shadow;
  /** Null for a task that was found by a search: it may already have comments. */
  comments_read_until: string | null;
}
async function linkTask(
  tx: IntegrationsTx,
  { ctx, tool, connection }: SyncContext,
  locked: LinkBundle,
  { task, copy, shadow, comments_read_until }: LinkedTask,
): Promise<LinkBundle | undefined> {
  const { ticket_id } = locked.link;
  const since = locked.link.create_started_at ?? locked.link.created_at;
  const link = await applyEvent(tx, locked.link, 'task_created', {
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
  });
  const message = `Created a task in the list “${locked.integration.list_name}”`;
  await logSync(tx, locked.integration, { level: 'info', ticket: copy, direction: 'to_task', message });
  await emit(tx, ctx, taskLinked, ticket_id, { ticket_id, provider: tool.key, task_id: task.id, url: task.url });
  await emit(tx, ctx, taskSynced, ticket_id, { ticket_id });
  return link && { ...locked, link };
}

async function logUnmapped(tx: IntegrationsTx, pair: Pair, field: 'status' | 'assignee', without: ReadonlySet<SyncField>): Promise<void> {
  const { integration, copy } = pair;
  if (without.has(field) || !['both', 'to_task'].includes(directionOf(pair, field))) return;
  const value = ticketView(copy)[field];
  const hasEquivalent =
    field === 'status' ? mappedStatus(integration, copy.status) !== undefined : value === null || pair.task.assignees.length > 0;
  if (hasEquivalent) return;
  await logSync(tx, integration, {
    level: 'warning',
    ticket: copy,
    field,
    direction: 'to_task',
    message: unmappedMessage(field, integration, value),
  });
}
