import { Controller } from '@nestjs/common';
import {
  addComment,
  listComments,
  AppError,
  ticketCommentAdded,
  type ChangesWithComment,
  type UpdateTicket,
  type Comment,
  type Context,
  type EmailProof,
  type InputOf,
  type Page,
  type RuleTrigger,
  type Ticket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { attachFiles } from '../attachment/attachment.store';
import { checkDemoQuota } from '../demo/demo-quota';
import { actingToken, assertMayReply, userIdOf } from '../caller';
import { checkBeforeResolving, withFieldValues } from '../custom-field/ticket-values';
import { runRules } from '../rule/rule-engine';
import type { CommentRow, TicketsSchema, TicketsTx } from '../schema';
import { saveWithTimers } from '../sla/sla-timers';
import { awake, computeChange, fieldChanges, monotonicNow, mergeWatchers } from '../ticket/ticket';
import { emitChange } from '../ticket/ticket-events';
import { assertNotAnonymized, assertNotMerged, checkAssignee, getTicketForUpdate, notAMember } from '../ticket/ticket.service';
import type { StoredTicket } from '../ticket/ticket-fields';
import { findActiveMembers } from '../ticket/ticket.store';
import { removeDraft } from '../draft/draft.store';
import { moveForward } from '../read/read.store';
import { countComments, findComments, insertComment, isOutdated } from './comment.store';

/** Comments as staff read and write them. */
@Controller()
export class CommentService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listComments)
  list(ctx: Context, { params, query }: InputOf<typeof listComments>): Promise<Page<Comment>> {
    const read = async (tx: TicketsTx) => {
      const total = getCommentCount(tx, params.id);
      const [page] = await Promise.all([findComments(tx, params.id, query, total), total]);
      return page;
    };
    return this.db.readTenant(ctx, read, { isPrepared: true });
  }

  @Handles(addComment)
  add(ctx: Context, { params, body }: InputOf<typeof addComment>): Promise<Comment> {
    if (!body.is_internal) assertMayReply(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      const { last_seen_comment_id: seen, ...input } = body;
      const before = await getTicketForUpdate(tx, params.id);
      const author = authorOf(ctx);
      if (seen !== undefined && (await isOutdated(tx, before.id, seen, author.user_id))) throw new AppError('comment.outdated');
      const { comment } = await writeComment(tx, ctx, before, { ...input, author }, new Date().toISOString());
      if (author.user_id) await removeDraft(tx, author.user_id, before.id, comment.is_internal);
      return storeResponse(tx, comment);
    });
  }
}

/** The ticket's stored number of comments. */
async function getCommentCount(tx: TicketsTx, ticket_id: string): Promise<number> {
  const count = await countComments(tx, ticket_id);
  if (count === undefined) throw new AppError('ticket.not_found');
  return count;
}

/** API tokens and the system write on behalf of the organization, without a user id. */
const authorOf = (ctx: Context): { user_id: string | null } => ({ user_id: userIdOf(ctx) });

export interface NewComment {
  content: string;
  is_internal: boolean;
  /** With a customer address, an internal comment is an untrusted email: unknown sender, automatic reply or disowned (`NoteReason`). */
  author: { user_id: string | null } | { customer_email: string } | { tool_author: NonNullable<Comment['tool_author']> };
  /** It arrived by email, and its original is stored in `mail_originals`. */
  has_original?: boolean;
  email_proof?: EmailProof;
  mentions?: string[];
  /** Uploaded files to attach. */
  attachment_ids?: string[];
  /** Rules send no reply: the customer's email forbids automatic ones. */
  quiet?: boolean;
  /** Ticket changes to make together with the comment. */
  changes?: ChangesWithComment & Pick<UpdateTicket, 'cc'>;
}

/**
 * Adds a comment to a ticket that the caller has locked, and applies `changes` in the same version: emits `ticket.comment.added`, then
 * `ticket.updated` if something changed.
 */
export async function writeComment(
  tx: TicketsTx,
  ctx: Context,
  before: StoredTicket,
  input: NewComment,
  clock: string,
): Promise<{ comment: Comment; ticket: Ticket }> {
  assertNotAnonymized(before);
  await assertNotMerged(tx, before);
  const now = monotonicNow(before.updated_at, clock);
  const mentions = await checkedMentions(tx, input.mentions ?? []);
  const change = computeChange(before, await withFieldValues(tx, before, input.changes ?? {}), now);
  if (change) await checkBeforeResolving(tx, ctx, before, change);
  if (change) await checkAssignee(tx, change, 'changes.assigned_to');
  const from = 'customer_email' in input.author ? input.author : { customer_email: null, ...input.author };
  const row: CommentRow = {
    organization_id: before.organization_id,
    id: newId(),
    ticket_id: before.id,
    content: input.content,
    is_internal: input.is_internal,
    is_from_customer: from.customer_email !== null && !input.is_internal,
    user_id: 'user_id' in from ? from.user_id : null,
    customer_email: from.customer_email,
    tool_author: 'tool_author' in from ? from.tool_author : null,
    imported_author: null,
    token: actingToken(ctx),
    rule: null,
    mentions,
    has_original: input.has_original ?? false,
    email_proof: input.email_proof ?? null,
    merged_from_id: null,
    created_at: now,
  };
  await checkDemoQuota(tx, ctx, row.content);
  const written = await insertComment(tx, row);
  const to = { ticket_id: before.id, comment_id: row.id };
  const comment = { ...written, attachments: await attachFiles(tx, ctx, input.attachment_ids ?? [], to) };
  const others = mentions.filter((id) => id !== row.user_id);
  const watchers = mergeWatchers(before.watchers, others);
  // The first public staff comment counts as the first response.
  const isReply = !row.is_internal && !row.is_from_customer;
  const answered = isReply && before.first_response_at === null ? { first_response_at: now } : {};
  const cleared = isReply && before.task_finished_at !== null ? { task_finished_at: null } : {};
  const counted = { new_comments: 1, new_public_replies: isReply ? 1 : 0, last_comment_at: now };
  // A snooze lasts at most until the customer replies.
  const woken = row.is_from_customer ? awake(before) : {};
  const last = row.is_internal ? {} : { customer_replied_last: row.is_from_customer };
  const ticket = await saveWithTimers(
    tx,
    ctx,
    before,
    { ...change, ...answered, ...cleared, ...counted, ...last, ...woken, watchers },
    now,
  );
  // The author has read what they wrote.
  if (row.user_id) await moveForward(tx, { organization_id: row.organization_id, user_id: row.user_id, ticket_id: before.id }, now);
  const status_from = ticket.status === before.status ? undefined : before.status;
  await emit(tx, ctx, ticketCommentAdded, ticket.id, { comment, ticket, status_from });
  await emitChange(tx, ctx, before, ticket, isReply);
  return { comment, ticket: await runCommentRules(tx, ctx, before, ticket, row, input.quiet) };
}

/** A note causes rules only by the fields that were changed with it. */
function runCommentRules(
  tx: TicketsTx,
  ctx: Context,
  before: StoredTicket,
  ticket: Ticket,
  { content, is_internal, is_from_customer }: CommentRow,
  quiet = false,
): Promise<Ticket> {
  const changes = fieldChanges(before, ticket);
  const triggers: RuleTrigger[] = is_internal ? [] : [is_from_customer ? 'customer_replied' : 'staff_replied'];
  if (Object.keys(changes).length > 0) triggers.push('ticket_updated');
  return runRules(tx, ctx, ticket, { triggers, changes, comment: is_internal ? null : content, quiet });
}

/** Unique mentions. Each must be an active member, because mentioned people are notified. */
async function checkedMentions(tx: TicketsTx, mentions: string[]): Promise<string[]> {
  if (mentions.length === 0) return [];
  const active = await findActiveMembers(tx, mentions);
  const unknown = mentions.findIndex((id) => !active.includes(id));
  if (unknown >= 0) throw notAMember(`mentions.${unknown}`);
  return [...new Set(mentions)];
}
