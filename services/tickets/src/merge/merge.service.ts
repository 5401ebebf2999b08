import { Controller } from '@nestjs/common';
import {
  AppError,
  mergeTicket,
  ticketMerged,
  ticketUpdated,
  unmergeTicket,
  type Changes,
  type Context,
  type InputOf,
  type Ticket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { insertComment } from '../comment/comment.store';
import { checkDemoQuota } from '../demo/demo-quota';
import { moveDrafts } from '../draft/draft.store';
import type { MergeRestore, TicketsSchema, TicketsTx } from '../schema';
import { saveWithTimers } from '../sla/sla-timers';
import { awake, fieldChanges, monotonicNow, mergeCc, mergeTags, watcherChanges, mergeWatchers } from '../ticket/ticket';
import { findTicketsForUpdate, saveTicket } from '../ticket/ticket.store';
import { recordActivity } from '../timeline/activity.store';
import { mergeRefusal } from './merge';
import {
  deleteMerge,
  findAttachments,
  findLastComments,
  findMerge,
  hasOriginal,
  moveAttachments,
  moveBack,
  moveComments,
  moveOriginals,
  moveTargetVersion,
  saveMerge,
} from './merge.store';

type LockedTicket = Omit<Ticket, 'assignee'>;

/** Merges a duplicate ticket into another one. */
@Controller()
export class MergeService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(mergeTicket)
  merge(ctx: Context, { params, body }: InputOf<typeof mergeTicket>): Promise<Ticket> {
    return this.db.forTenant(ctx, (tx) => mergeTickets(tx, ctx, params.id, body.into_id));
  }

  @Handles(unmergeTicket)
  unmerge(ctx: Context, { params }: InputOf<typeof unmergeTicket>): Promise<Ticket> {
    return this.db.forTenant(ctx, (tx) => unmergeTickets(tx, ctx, params.id));
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

  const moved = await moveConversation(tx, source, target);
  const arrived = moved.comment_ids.length + (moved.description_comment_id ? 1 : 0);
  const into = await saveTicket(
    tx,
    target,
    {
      new_comments: arrived,
      new_public_replies: source.public_reply_count,
      // The moved comments may be older than what a user has read here.
      ...(arrived > 0 && { ...(await findLastComments(tx, target.id)), last_comment_at: now }),
      tags: mergeTags(target.tags, source.tags),
      watchers: mergeWatchers(target.watchers, source.watchers),
      cc: mergeCc(target, source.cc),
    },
    now,
  );
  const counted = { new_comments: -moved.comment_ids.length, new_public_replies: -source.public_reply_count };
  const closing = { ...counted, status: 'closed' as const, merged_into_id: target.id, task_finished_at: null, ...awake(source) };
  const ticket = await saveWithTimers(tx, ctx, source, closing, now);
  const versions = { source_version: ticket.version, target_version: into.version };
  const { organization_id, status, task_finished_at, public_reply_count } = source;
  await saveMerge(
    tx,
    { organization_id, source_id, target_id, ...versions, created_at: now },
    {
      ...moved,
      source: { status, task_finished_at, public_reply_count },
      target: { tags: target.tags, watchers: target.watchers, cc: target.cc },
    },
  );
  await announceMerge(tx, ctx, { before: source, after: ticket }, { before: target, after: into });
  return into;
}

/**
 * Undoes a merge: moves everything back and restores the status of the source and the tags and watchers of the target. Refused once either
 * ticket has changed, because a reply to the merged conversation could then belong to both. Several merges into one ticket are undone one by
 * one, the latest first. Returns the source.
 */
export async function unmergeTickets(tx: TicketsTx, ctx: Context, source_id: string): Promise<Ticket> {
  const merge = await findMerge(tx, source_id);
  const locked = await findTicketsForUpdate(tx, merge ? [source_id, merge.target_id] : [source_id]);
  const source = locked.find(({ id }) => id === source_id);
  if (!source) throw new AppError('ticket.not_found');
  const target = locked.find(({ id }) => id === merge?.target_id);
  if (source.anonymized_at !== null)
    throw new AppError('ticket.unmerge_refused', { detail: `${source.ticket_number} was anonymized, so the merge cannot be undone.` });
  if (!merge && source.merged_into_id !== null)
    throw new AppError('ticket.unmerge_refused', { detail: `The merge of ${source.ticket_number} can no longer be undone.` });
  if (!merge || !target || source.merged_into_id !== target.id)
    throw new AppError('ticket.unmerge_refused', { detail: `${source.ticket_number} is not merged into another ticket.` });
  const changed = source.version !== merge.source_version ? source : target.version !== merge.target_version ? target : undefined;
  if (changed) throw new AppError('ticket.unmerge_refused', { detail: `${changed.ticket_number} has changed since the merge.` });

  const now = monotonicNow(source.updated_at, monotonicNow(target.updated_at));
  const { restore } = merge;
  const arrived = restore.comment_ids.length;
  await moveBack(tx, target.id, source.id, restore);
  if (restore.draft_user_ids.length > 0) await moveDrafts(tx, target.id, source.id, restore.draft_user_ids);
  await deleteMerge(tx, source.id);
  const { public_reply_count, ...fields } = restore.source;
  const counted = {
    new_comments: -arrived - (restore.description_comment_id ? 1 : 0),
    new_public_replies: -public_reply_count,
  };
  const from = await saveTicket(tx, target, { ...counted, ...restore.target, ...(await findLastComments(tx, target.id)) }, now);
  // The target has the state that an earlier merge left, if the undone merge was its next change.
  await moveTargetVersion(tx, target.id, merge.target_version - 1, from.version);
  const back = {
    new_comments: arrived,
    new_public_replies: public_reply_count,
    merged_into_id: null,
    ...(await findLastComments(tx, source.id)),
  };
  const ticket = await saveWithTimers(tx, ctx, source, { ...fields, ...back }, now);
  await announceUnmerge(tx, ctx, { before: source, after: ticket }, { before: target, after: from });
  return ticket;
}

/** Moves comments, files and drafts. The description of the source becomes a customer comment on the target. */
async function moveConversation(
  tx: TicketsTx,
  source: LockedTicket,
  target: LockedTicket,
): Promise<Omit<MergeRestore, 'source' | 'target'>> {
  const attachments = await findAttachments(tx, source.id);
  const has_original = await hasOriginal(tx, source.id);
  const comment_ids = await moveComments(tx, source.id, target.id);
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
      imported_author: null,
      token: null,
      rule: null,
      mentions: [],
      has_original,
      email_proof: null,
      merged_from_id: source.id,
      created_at: source.created_at,
    });
  }
  await moveAttachments(tx, source.id, target.id, description_id);
  await moveOriginals(tx, source.id, target.id, description_id);
  const draft_user_ids = await moveDrafts(tx, source.id, target.id);
  return { comment_ids, description_comment_id: description_id, attachments, has_original, draft_user_ids };
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
  await checkDemoQuota(tx, ctx);
  const named = ({ id, ticket_number }: Ticket) => ({ from: null, to: { id, ticket_number } });
  const closed: Changes = { ...fieldChanges(source.before, source.after), merged_into: named(target.after) };
  const grown: Changes = { ...fieldChanges(target.before, target.after), merged: named(source.after) };
  recordActivity(tx, ctx, source.after, 'changed', closed, source.after.updated_at);
  recordActivity(tx, ctx, target.after, 'merged', grown, target.after.updated_at);
  await emit(tx, ctx, ticketUpdated, source.after.id, { ticket: source.after, changes: closed });
  const changes = { ...grown, ...watcherChanges(target.before, target.after) };
  await emit(tx, ctx, ticketUpdated, target.after.id, { ticket: target.after, changes });
  await emit(tx, ctx, ticketMerged, source.after.id, { ticket: source.after, into: target.after });
}

/** Emits no `ticket.reopened`, as the merge emitted no `ticket.closed`. */
async function announceUnmerge(tx: TicketsTx, ctx: Context, source: Step, target: Step): Promise<void> {
  await checkDemoQuota(tx, ctx);
  const named = ({ id, ticket_number }: Ticket) => ({ from: { id, ticket_number }, to: null });
  const opened: Changes = { ...fieldChanges(source.before, source.after), merged_into: named(target.after) };
  const shrunk: Changes = { ...fieldChanges(target.before, target.after), merged: named(source.after) };
  recordActivity(tx, ctx, source.after, 'changed', opened, source.after.updated_at);
  recordActivity(tx, ctx, target.after, 'changed', shrunk, target.after.updated_at);
  await emit(tx, ctx, ticketUpdated, source.after.id, { ticket: source.after, changes: opened });
  const changes = { ...shrunk, ...watcherChanges(target.before, target.after) };
  await emit(tx, ctx, ticketUpdated, target.after.id, { ticket: target.after, changes });
}
