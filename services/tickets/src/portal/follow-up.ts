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
import { mergeCc, statusAfterCustomerComment } from '../ticket/ticket';
import type { StoredTicket } from '../ticket/ticket-fields';
import { writeTicket } from '../ticket/ticket.service';
import { findFollowUp } from './portal.store';

/** What a customer message does now. A merged ticket is locked, because its conversation continues in the target. */
export function followUpMode(ticket: Pick<Ticket, 'status' | 'merged_into_id'>, followUp: CustomerFollowUp): PublicTicket['writing'] {
  if (ticket.merged_into_id !== null) return 'locked';
  return customerMayComment(ticket.status) ? 'comment' : followUp;
}

export interface CustomerMessage {
  content: string;
  attachment_ids?: string[];
  /** Channel of the message, and of the follow-up ticket if it opens one. */
  channel: NonNullable<Ticket['channel']>;
  /** It arrived by email, and its original is stored. */
  has_original?: boolean;
  email_proof?: EmailProof;
  /** Addresses that get a copy of each reply, in addition to those of the ticket. */
  cc?: string[];
  /** Send no confirmation if it opens a follow-up ticket, and no reply by a rule. */
  quiet?: boolean;
}

/**
 * Adds a customer message as a comment, a reopen or a follow-up ticket, depending on the organization's `customer_follow_up`. Used by
 * portal, widget and email. The caller has locked the ticket and checked that it is the customer's. If a follow-up ticket is opened,
 * `comment` is null and `ticket` is the new one. Throws `ticket.locked`.
 */
export async function addCustomerMessage(
  tx: TicketsTx,
  ctx: Context,
  ticket: StoredTicket,
  words: CustomerMessage,
): Promise<{ comment: Comment | null; ticket: Ticket }> {
  const writing = followUpMode(ticket, await findFollowUp(tx, ticket.organization_id));
  const now = new Date().toISOString();
  const { content, channel, attachment_ids = [], has_original = false, quiet = false, email_proof } = words;
  const cc = mergeCc(ticket, words.cc ?? []);
  if (writing === 'locked') throw new AppError('ticket.locked');
  if (writing === 'new_ticket') {
    const { subject, customer_email, customer_name, category, language } = ticket;
    const input = { subject, description: content, customer_email, customer_name, category, language, cc, attachment_ids };
    const opened = await writeTicket(tx, ctx, { ...input, channel, quiet, follow_up_of_id: ticket.id }, now);
    if (!opened) throw new AppError('service.unavailable', { retryAfterSeconds: 2 });
    return { comment: null, ticket: opened };
  }
  const author = { customer_email: ticket.customer_email };
  const changes = { status: writing === 'reopen' ? ('open' as const) : statusAfterCustomerComment(ticket.status), cc };
  const comment = { content, is_internal: false, author, attachment_ids, has_original, email_proof, changes, quiet };
  return writeComment(tx, ctx, ticket, comment, now);
}
