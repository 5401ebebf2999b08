import {
  AppError,
  customerMayComment,
  type Comment,
  type Context,
  type CustomerFollowUp,
  type EmailProof,
  type PublicTicket,
  type Ticket,
} from '@tandem/contracts';
import { writeComment } from '../comment/comment.service';
import type { TicketsTx } from '../schema';
import { statusAfterCustomerComment } from '../ticket/ticket';
import { writeTicket } from '../ticket/ticket.service';
import { findFollowUp } from './portal.store';

/** What happens to what the customer writes now. A merged ticket's conversation goes on in the other one. */
export function writingOf(ticket: Pick<Ticket, 'status' | 'merged_into_id'>, followUp: CustomerFollowUp): PublicTicket['writing'] {
  if (ticket.merged_into_id !== null) return 'locked';
  return customerMayComment(ticket.status) ? 'comment' : followUp;
}

export interface CustomersWords {
  content: string;
  attachment_ids?: string[];
  /** Through which door they came: that of the new ticket, where they start one. */
  channel: NonNullable<Ticket['channel']>;
  /** They came by mail, and more of it is kept. */
  has_original?: boolean;
  email_proof?: EmailProof;
  /** The ticket that they start, if they do, is confirmed to nobody. */
  quiet?: boolean;
}

/**
 * Puts a customer's words where the organization wants them (`customer_follow_up`): the one way for page, widget and mail. The ticket is
 * locked by the caller, and the customer's own. `comment` is null where a new ticket took them as its description, and `ticket` is that one.
 * Throws `ticket.locked`.
 */
export async function takeCustomersWords(
  tx: TicketsTx,
  ctx: Context,
  ticket: Omit<Ticket, 'assignee'>,
  words: CustomersWords,
): Promise<{ comment: Comment | null; ticket: Ticket }> {
  const writing = writingOf(ticket, await findFollowUp(tx, ticket.organization_id));
  const now = new Date().toISOString();
  const { content, channel, attachment_ids = [], has_original = false, quiet = false, email_proof } = words;
  if (writing === 'locked') throw new AppError('ticket.locked');
  if (writing === 'new_ticket') {
    const { subject, customer_email, customer_name, category } = ticket;
    const input = { subject, description: content, customer_email, customer_name, category, tags: [], attachment_ids };
    const opened = await writeTicket(tx, ctx, { ...input, channel, quiet, follow_up_of_id: ticket.id }, now);
    if (!opened) throw new AppError('service.unavailable', { retryAfterSeconds: 2 });
    return { comment: null, ticket: opened };
  }
  const author = { customer_email: ticket.customer_email };
  const changes = { status: writing === 'reopen' ? ('open' as const) : statusAfterCustomerComment(ticket.status) };
  const comment = { content, is_internal: false, author, attachment_ids, has_original, email_proof, changes };
  return writeComment(tx, ctx, ticket, comment, now);
}
