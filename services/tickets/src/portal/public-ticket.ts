import { publicCommentsShown } from '@tandem/contracts/values';
import type { AddedPublicComment, Context, PublicTicket, Ticket } from '@tandem/contracts';
import { findFilesOfTicket } from '../attachment/attachment.store';
import { findPublicComments } from '../comment/comment.store';
import { publicFields } from '../custom-field/ticket-values';
import type { TicketsTx } from '../schema';
import { findMergedInto, findTicketById, findTicketForUpdate } from '../ticket/ticket.store';
import { asCustomer, assertCustomerOwns } from './customer';
import { addCustomerMessage, followUpMode, type CustomerMessage } from './follow-up';
import { portalView, publicComment } from './portal';
import { findFollowUp, findRelatedTicket } from './portal.store';

/** The view of a ticket that was opened in this transaction and therefore has no comments yet. */
export async function newPublicTicket(tx: TicketsTx, ticket: Ticket): Promise<PublicTicket> {
  return portalView(ticket, [], {
    merged_into: null,
    follow_up_of: null,
    attachments: await findFilesOfTicket(tx, ticket.organization_id, ticket.id),
    custom_fields: await publicFields(tx, ticket),
    writing: 'comment',
    earlier_cursor: null,
  });
}

/** A ticket as its customer sees it. Used by portal and widget. */
export async function readAsCustomer(tx: TicketsTx, id: string, email: string): Promise<PublicTicket> {
  const ticket = assertCustomerOwns(await findTicketById(tx, id), email);
  const latest = await findPublicComments(tx, ticket.id, { limit: publicCommentsShown });
  return portalView(ticket, latest.items.reverse(), {
    merged_into: await findRelated(ticket, ticket.merged_into_id, (other) => findMergedInto(tx, other)),
    follow_up_of: await findRelated(ticket, ticket.follow_up_of_id, (other) => findRelatedTicket(tx, other)),
    attachments: await findFilesOfTicket(tx, ticket.organization_id, ticket.id),
    custom_fields: await publicFields(tx, ticket),
    writing: followUpMode(ticket, await findFollowUp(tx, ticket.organization_id)),
    earlier_cursor: latest.pagination.next_cursor,
  });
}

/** Adds a customer message. Used by portal and widget. */
export async function writeAsCustomer(
  tx: TicketsTx,
  ctx: Context,
  id: string,
  email: string,
  words: CustomerMessage,
): Promise<AddedPublicComment> {
  const ticket = assertCustomerOwns(await findTicketForUpdate(tx, id), email);
  const written = await addCustomerMessage(tx, asCustomer(ctx), ticket, words);
  if (written.comment) return { comment: publicComment(written.comment, ticket.customer_name), new_ticket: null };
  return { comment: null, new_ticket: { id: written.ticket.id, ticket_number: written.ticket.ticket_number } };
}

type RelatedTicket = Pick<Ticket, 'id' | 'ticket_number' | 'customer_email'>;

/** Links a related ticket only if it still belongs to the same customer. */
async function findRelated(ticket: Ticket, id: string | null, find: (id: string) => Promise<RelatedTicket | undefined>) {
  const other = id === null ? undefined : await find(id);
  return other?.customer_email === ticket.customer_email ? { id: other.id, ticket_number: other.ticket_number } : null;
}
