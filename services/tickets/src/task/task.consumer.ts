import { Injectable } from '@nestjs/common';
import {
  taskChangeProposed,
  taskChangeAcknowledged,
  taskCommentReceived,
  taskLinked,
  taskUnlinked,
  ticketUpdated,
  type Context,
  type DataOf,
  type Envelope,
  type TaskAddress,
  type Ticket,
} from '@tandem/contracts';
import { Consumes, emit } from '@tandem/messaging';
import { writeComment } from '../comment/comment.service';
import type { TicketsTx } from '../schema';
import { saveWithTimers } from '../sla/sla-timers';
import { computeChange, fieldChanges, isResolvedOrClosed, monotonicNow } from '../ticket/ticket';
import { runRules } from '../rule/rule-engine';
import { emitChange } from '../ticket/ticket-events';
import { getTicket } from '../ticket/ticket.service';
import { findMergedInto, findTicketForUpdate, saveTicket } from '../ticket/ticket.store';
import type { StoredTicket, TicketChange } from '../ticket/ticket-fields';
import { recordFinished } from './finished-task.service';
import { recordActivity } from '../timeline/activity.store';
import { validateChanges, noteOf, type TicketContext, type TaskChanges } from './task';
import { findActiveMemberByEmail, findMember, findTaskSequence, insertTaskComment, saveTaskSequence } from './task.store';

/** The context for changes made by users of the task tool. */
const byTaskTool = (ctx: Context): Context => ({ ...ctx, actor: { type: 'task-tool' } });

/**
 * Applies task events to tickets. Task contents must never make a handler throw: a failed event is retried, and the events after it would
 * wait. A ticket of another organization is treated as not found.
 */
@Injectable()
export class TaskConsumer {
  @Consumes(taskLinked, { name: 'task-links', from: 'beginning' })
  onLinked(ctx: Context, { ticket_id, ...task }: DataOf<typeof taskLinked>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return saveTask(tx, { ...ctx, actor: envelope.actor }, ticket_id, task, envelope.sequence);
  }

  @Consumes(taskUnlinked, { name: 'task-unlinks', from: 'beginning' })
  onUnlinked(ctx: Context, { ticket_id }: DataOf<typeof taskUnlinked>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return saveTask(tx, { ...ctx, actor: envelope.actor }, ticket_id, null, envelope.sequence);
  }

  /** Applies the change field by field and emits the result in the same transaction, because integrations waits for it in every case. */
  @Consumes(taskChangeProposed, { name: 'task-changes', from: 'beginning' })
  async onChange(ctx: Context, data: DataOf<typeof taskChangeProposed>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    const before = await findTicketForUpdate(tx, data.ticket_id);
    if (!before || before.anonymized_at !== null) return;
    const { patch, refused } = validateChanges(before, data.changes, await loadContext(tx, before, data.changes));
    const now = monotonicNow(before.updated_at);
    const effect = computeChange(before, patch, now);
    const finished = await finishedEffect(tx, before, { ...before, ...effect }, data, envelope.sequence, now);
    const ticket = await apply(tx, byTaskTool(ctx), before, { ...effect, ...finished }, now);
    const accepted = Object.keys(data.changes).filter((field) => !(field in refused));
    await emit(tx, byTaskTool(ctx), taskChangeAcknowledged, ticket.id, { ticket, accepted, refused });
  }

  /** Adds an internal note; if the ticket was merged, to the ticket in which its conversation continues. */
  @Consumes(taskCommentReceived, { name: 'task-comments', from: 'beginning' })
  async onComment(ctx: Context, data: DataOf<typeof taskCommentReceived>, tx: TicketsTx): Promise<void> {
    const ticket = await lockConversation(tx, data.ticket_id);
    if (!ticket || ticket.anonymized_at !== null) return;
    const { organization_id } = ticket;
    // Bounded to fit an index; the ids of the tools have about twenty characters.
    const external_id = data.external_id.replaceAll('\u0000', '').slice(0, 200).toWellFormed();
    if (!(await insertTaskComment(tx, { organization_id, ticket_id: data.ticket_id, external_id }))) return;
    const { content, tool_author } = noteOf(data);
    const note = { content, is_internal: true, author: { tool_author } };
    await writeComment(tx, byTaskTool(ctx), ticket, note, new Date().toISOString());
  }
}

/**
 * Saves a ticket's task, or that it has none. Increments the version, because the ticket's fields change. Keeps `updated_at`, because
 * linking ten thousand old tickets would otherwise sort them before everything that people changed.
 */
async function saveTask(tx: TicketsTx, ctx: Context, ticket_id: string, task: TaskAddress | null, sequence: number): Promise<void> {
  const before = await findTicketForUpdate(tx, ticket_id);
  if (!before || before.anonymized_at !== null || (await findTaskSequence(tx, ticket_id)) >= sequence) return;
  if (isSameTask(before.task, task)) return saveTaskSequence(tx, ticket_id, sequence);
  const effect: TicketChange = {
    task,
    clickup_task_id: task?.provider === 'clickup' ? task.task_id : null,
    task_sequence: sequence,
    ...(task === null && { task_finished_at: null }),
  };
  const changes = { task: { from: before.task, to: task } };
  const ticket = await saveTicket(tx, before, effect, before.updated_at);
  recordActivity(tx, ctx, before, 'changed', changes, new Date().toISOString());
  // Open pages were notified when the link was created, possibly before it was saved here.
  await emit(tx, ctx, ticketUpdated, ticket_id, { ticket, changes });
}

const isSameTask = (a: TaskAddress | null, b: TaskAddress | null): boolean =>
  a?.provider === b?.provider && a?.task_id === b?.task_id && a?.url === b?.url;

async function loadContext(tx: TicketsTx, ticket: StoredTicket, { assignee_email }: TaskChanges): Promise<TicketContext> {
  const isAsked = assignee_email !== undefined;
  return {
    assignee: isAsked && ticket.assigned_to !== null ? await findMember(tx, ticket.assigned_to) : null,
    member: isAsked && assignee_email.to !== null ? await findActiveMemberByEmail(tx, assignee_email.to) : undefined,
    merged_into: ticket.merged_into_id === null ? null : ((await findMergedInto(tx, ticket.merged_into_id))?.ticket_number ?? null),
  };
}

/** Whether to set or clear the reminder to notify the customer. It is not set for a task that was unlinked after this event. */
async function finishedEffect(
  tx: TicketsTx,
  before: StoredTicket,
  after: StoredTicket,
  { finished, outcome = 'finished' }: Pick<DataOf<typeof taskChangeProposed>, 'finished' | 'outcome'>,
  sequence: number,
  now: string,
): Promise<Pick<TicketChange, 'task_finished_at' | 'task_outcome'>> {
  if (finished === false && after.task_finished_at !== null) return { task_finished_at: null };
  const isKnown = before.task_finished_at !== null && before.task_outcome === outcome;
  if (finished !== true || isKnown || isResolvedOrClosed(after.status)) return {};
  const isUnlinked = before.task === null && (await findTaskSequence(tx, before.id)) > sequence;
  return isUnlinked ? {} : { task_finished_at: now, task_outcome: outcome };
}

/** Applies everything in one version with one `ticket.updated`. The caller has already removed the refused fields. */
async function apply(tx: TicketsTx, ctx: Context, before: StoredTicket, effect: TicketChange, now: string): Promise<Ticket> {
  if (Object.keys(effect).length === 0) return getTicket(tx, before.id);
  const ticket = await saveWithTimers(tx, ctx, before, effect, now);
  await emitChange(tx, ctx, before, ticket);
  if (!isResolvedOrClosed(ticket.status)) recordFinished(tx, ctx, before, ticket);
  const changes = fieldChanges(before, ticket);
  if (Object.keys(changes).length === 0) return ticket;
  return runRules(tx, ctx, ticket, { triggers: ['ticket_updated'], changes });
}

/** Locks a single ticket. Locking the merged one as well could deadlock with a merge, which locks two tickets in id order. */
async function lockConversation(tx: TicketsTx, ticket_id: string): Promise<StoredTicket | undefined> {
  for (;;) {
    const end = await findMergedInto(tx, ticket_id);
    const ticket = end && (await findTicketForUpdate(tx, end.id));
    if (!ticket || ticket.merged_into_id === null) return ticket;
  }
}
