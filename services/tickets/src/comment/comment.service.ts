import { Controller } from '@nestjs/common';
import {
  addComment,
  listComments,
  ticketCommentAdded,
  type Comment,
  type Context,
  type InputOf,
  type Page,
  type Ticket,
  type TicketStatus,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import type { CommentRow, TicketsSchema, TicketsTx } from '../schema';
import { effectOf } from '../ticket/ticket';
import { announceChange, getTicket, getTicketForUpdate } from '../ticket/ticket.service';
import { saveTicket } from '../ticket/ticket.store';
import { findComments, insertComment } from './comment.store';

/** What staff write and read in a ticket's conversation. */
@Controller()
export class CommentService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listComments)
  list(ctx: Context, { params, query }: InputOf<typeof listComments>): Promise<Page<Comment>> {
    return this.db.forTenant(ctx, async (tx) => {
      await getTicket(tx, params.id);
      return findComments(tx, params.id, query);
    });
  }

  @Handles(addComment)
  add(ctx: Context, { params, body }: InputOf<typeof addComment>): Promise<Comment> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getTicketForUpdate(tx, params.id);
      const { comment } = await writeComment(tx, ctx, before, { ...body, author: authorOf(ctx) }, new Date().toISOString());
      return comment;
    });
  }
}

/** An API token or the system writes for the organization, without a name of its own. */
const authorOf = (ctx: Context): CommentAuthor => ({ user_id: ctx.actor.type === 'user' ? ctx.actor.user_id : null });

export type CommentAuthor = { user_id: string | null } | { customer_email: string };

/**
 * Adds a comment to a ticket that the caller has locked, and with it the ticket's next status where the comment moves it:
 * `ticket.comment.added`, then `ticket.updated` when the status moved.
 */
export async function writeComment(
  tx: TicketsTx,
  ctx: Context,
  before: Omit<Ticket, 'assignee'>,
  input: { content: string; is_internal: boolean; author: CommentAuthor; status?: TicketStatus },
  now: string,
): Promise<{ comment: Comment; ticket: Ticket }> {
  const from = 'customer_email' in input.author ? input.author : { customer_email: null, ...input.author };
  const row: CommentRow = {
    organization_id: before.organization_id,
    id: newId(),
    ticket_id: before.id,
    content: input.content,
    is_internal: input.is_internal,
    is_from_customer: from.customer_email !== null,
    user_id: 'user_id' in from ? from.user_id : null,
    customer_email: from.customer_email,
    mentions: [],
    merged_from_id: null,
    created_at: now,
  };
  const comment = await insertComment(tx, row);
  const effect = effectOf(before, { status: input.status }, now);
  const ticket = await saveTicket(tx, before.id, { ...effect, new_comments: 1 }, now);
  await emit(tx, ctx, ticketCommentAdded, ticket.id, { comment, ticket });
  await announceChange(tx, ctx, before, ticket);
  return { comment, ticket };
}
