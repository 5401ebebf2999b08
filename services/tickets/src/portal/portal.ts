import type { Comment, PublicComment, PublicTicket, Ticket } from '@tandem/contracts';

/**
 * A comment as the customer sees it. Staff appear by name only. Internal notes must never get here; the types cannot express that, so it is
 * checked.
 */
export function publicComment(comment: Comment, customer_name: string | null): PublicComment {
  if (comment.is_internal) throw new Error('internal note in a customer view');
  const memberName = [comment.author?.first_name, comment.author?.last_name].filter(Boolean).join(' ');
  const staffName = memberName || comment.imported_author?.name;
  return {
    id: comment.id,
    content: comment.content,
    is_from_customer: comment.is_from_customer,
    author_name: (comment.is_from_customer ? customer_name : staffName) || null,
    attachments: comment.attachments,
    created_at: comment.created_at,
  };
}

/** A ticket as its customer sees it. Fields are listed explicitly, so that a new field stays internal until it is added here. */
export const portalView = (
  ticket: Omit<Ticket, 'assignee'>,
  comments: Comment[],
  more: Pick<PublicTicket, 'merged_into' | 'follow_up_of' | 'attachments' | 'writing' | 'earlier_cursor' | 'custom_fields'>,
): PublicTicket => ({
  id: ticket.id,
  ticket_number: ticket.ticket_number,
  subject: ticket.subject,
  description: ticket.description,
  status: ticket.status,
  priority: ticket.priority,
  category: ticket.category,
  customer_name: ticket.customer_name,
  customer_email: ticket.customer_email,
  language: ticket.language,
  created_at: ticket.created_at,
  updated_at: lastPublicChange(ticket, comments),
  resolved_at: ticket.resolved_at,
  ...more,
  comments: comments.map((comment) => publicComment(comment, ticket.customer_name)),
});

/** Time of the last change that the customer can see. `updated_at` also changes with internal notes and would reveal them. */
const lastPublicChange = (ticket: Pick<Ticket, 'created_at' | 'resolved_at'>, comments: Comment[]): string =>
  [ticket.created_at, ticket.resolved_at, ...comments.map((comment) => comment.created_at)]
    .filter((time) => time !== null)
    .reduce((latest, time) => (time > latest ? time : latest));
