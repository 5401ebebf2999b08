import { Controller } from '@nestjs/common';
import {
  AppError,
  mergeTicket,
  ticketMerged,
  ticketUpdated,
  type Changes,
  type Context,
  type InputOf,
  type Ticket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { insertComment } from '../comment/comment.store';
import { moveDrafts } from '../draft/draft.store';
import type { TicketsSchema, TicketsTx } from '../schema';
import { saveWithTimers } from '../sla/sla-timers';
import { fieldChanges, monotonicNow, mergeTags, watcherChanges, mergeWatchers } from '../ticket/ticket';
import { findTicketsForUpdate, saveTicket } from '../ticket/ticket.store';
import { recordActivity } from '../timeline/activity.store';
import { mergeRefusal } from './merge';
import { hasOriginal, moveAttachments, moveComments, moveOriginals } from './merge.store';

type LockedTicket = Omit<Ticket, 'assignee'>;

/** Merges a duplicate ticket into another one. */
@Controller()
export class MergeService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(mergeTicket)
  merge(ctx: Context, { params, body }: InputOf<typeof mergeTicket>): Promise<Ticket> {
    return this.db.forTenant(ctx, (tx) => mergeTickets(tx, ctx, params.id, body.into_id));
  }
}

/**
 * Moves the conversation of `source_id` into `target_id` and closes the source. Locks both in id order: a concurrent comment on either is
 * written before the merge and moves along, or waits for the merge and is then refused on the source.
 */
export async function mergeTickets(tx: TicketsTx, ctx: Context, source_id: string, target_id: string): Promise<Ticket> {
  const locked = await findTicketsForUpdate(tx, [source_id, target_id]);
  const source = locked.find(({ id }) => id === source_id);
  const target = locked.find(({ id }) => id === target_id);
  if (!source || !target) throw new AppError('ticket.not_found');
  const refusal = mergeRefusal(source, target);
  if (refusal !== undefined) throw new AppError('ticket.merge_refused', { detail: refusal });
  const now = monotonicNow(source.updated_at, monotonicNow(target.updated_at));

  const comments = await moveConversation(tx, source, target);
  const into = await saveTicket(
    tx,
    target,
    {
      new_comments: comments.arrived,
      new_public_replies: source.public_reply_count,
      tags: mergeTags(target.tags, source.tags),
      watchers: mergeWatchers(target.watchers, source.watchers),
    },
    now,
  );
  const counted = { new_comments: -comments.left, new_public_replies: -source.public_reply_count };
  const closing = { ...counted, status: 'closed' as const, merged_into_id: target.id, task_finished_at: null };
  const ticket = await saveWithTimers(tx, ctx, source, closing, now);
  await announceMerge(tx, ctx, { before: source, after: ticket }, { before: target, after: into });
  return into;
}

/** Moves comments, files and drafts. The description of the source becomes a customer comment on the target. */
async function moveConversation(tx: TicketsTx, source: LockedTicket, target: LockedTicket): Promise<{ left: number; arrived: number }> {
  const moved = await moveComments(tx, source.id, target.id);
  const description_id = source.description ? newId() : null;
  if (description_id) {
    await insertComment(tx, {
      organization_id: source.organization_id,
      id: description_id,
      ticket_id: target.id,
      content: source.description!,
      is_internal: false,
      is_from_customer: true,
      user_id: null,
      customer_email: source.customer_email,
      tool_author: null,
      token: null,
      mentions: [],
      has_original: await hasOriginal(tx, source.id),
      email_proof: null,
      merged_from_id: source.id,
      created_at: source.created_at,
    });
  }
  await moveAttachments(tx, source.id, target.id, description_id);
  await moveOriginals(tx, source.id, target.id, description_id);
  await moveDrafts(tx, source.id, target.id);
  return { left: moved, arrived: moved + (description_id ? 1 : 0) };
}

interface Step {
  before: LockedTicket;
  after: Ticket;
}

/**
 * Emits no `ticket.closed`: the customer's question is not resolved, it only continues in the target. The activities include the number
 * of the other ticket, since people know tickets by number.
 */
async function announceMerge(tx: TicketsTx, ctx: Context, source: Step, target: Step): Promise<void> {
  const named = ({ id, ticket_number }: Ticket) => ({ from: null, to: { id, ticket_number } });
  const closed: Changes = { ...fieldChanges(source.before, source.after), merged_into: named(target.after) };
  const grown: Changes = { ...fieldChanges(target.before, target.after), merged: named(source.after) };
  await recordActivity(tx, ctx, source.after, 'changed', closed, source.after.updated_at);
  await recordActivity(tx, ctx, target.after, 'merged', grown, target.after.updated_at);
  await emit(tx, ctx, ticketUpdated, source.after.id, { ticket: source.after, changes: closed });
  const changes = { ...grown, ...watcherChanges(target.before, target.after) };
  await emit(tx, ctx, ticketUpdated, target.after.id, { ticket: target.after, changes });
  await emit(tx, ctx, ticketMerged, source.after.id, { ticket: source.after, into: target.after });
}
