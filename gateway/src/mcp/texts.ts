import { AppError, Id, listTickets, readTicket, type Assignee, type Comment, type Ticket, type TicketSummary } from '@tandem/contracts';
import * as z from 'zod';
import type { ToolContext } from './tool';
import type { Untrusted } from './untrusted';

export const ticketReference = z.string().trim().min(1).max(100).describe('The number of the ticket (ACME-12) or its id');

/** Throws `ticket.not_found`, including for tickets of other organizations. */
export async function findTicket({ call }: Pick<ToolContext, 'call'>, reference: string): Promise<Ticket> {
  const id = Id.safeParse(reference);
  if (id.success) return call(readTicket, { params: { id: id.data } });
  const number = reference.replace(/^#/, '').toLowerCase();
  const { items } = await call(listTickets, { query: { search: number, limit: 25 } });
  const found = items.find(({ ticket_number }) => ticket_number.toLowerCase() === number);
  if (found === undefined) throw new AppError('ticket.not_found');
  return call(readTicket, { params: { id: found.id } });
}

export const nameOf = ({ first_name, last_name, email }: Pick<Assignee, 'first_name' | 'last_name'> & { email?: string }): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? 'a member');

const wrapped = (untrusted: Untrusted, text: string | null) => (text === null ? null : untrusted(text));

/** The part of a ticket that lists show. */
export const ticketRow = (ticket: Omit<TicketSummary, 'description_preview' | 'is_unread'>, { untrusted, linkTo }: ToolContext) => ({
  id: ticket.id,
  number: ticket.ticket_number,
  subject: untrusted(ticket.subject),
  status: ticket.status,
  priority: ticket.priority,
  customer_email: untrusted(ticket.customer_email),
  customer_name: wrapped(untrusted, ticket.customer_name),
  assignee: ticket.assignee && { id: ticket.assignee.user_id, name: untrusted(nameOf(ticket.assignee)) },
  category: wrapped(untrusted, ticket.category),
  tags: ticket.tags.map((tag) => untrusted(tag)),
  next_due_at: ticket.next_due_at,
  created_at: ticket.created_at,
  updated_at: ticket.updated_at,
  url: linkTo(`/tickets/${ticket.id}`),
});
type TicketRow = ReturnType<typeof ticketRow>;

export const rowText = ({ number, status, priority, assignee, customer_email, next_due_at, subject }: TicketRow): string =>
  [
    `${number}: ${status}, ${priority}`,
    assignee === null ? 'unassigned' : `assigned to ${assignee.name}`,
    `customer ${customer_email}`,
    ...(next_due_at === null ? [] : [`due ${next_due_at}`]),
    `subject ${subject}`,
  ].join('; ');

export const ticketDetails = (ticket: Ticket, context: ToolContext) => ({
  ...ticketRow(ticket, context),
  description: wrapped(context.untrusted, ticket.description),
  external_id: wrapped(context.untrusted, ticket.external_id),
  channel: ticket.channel,
  task: ticket.task && { provider: ticket.task.provider, id: ticket.task.task_id, url: ticket.task.url },
  response_due_at: ticket.response_due_at,
  resolution_due_at: ticket.resolution_due_at,
  first_response_at: ticket.first_response_at,
  resolved_at: ticket.resolved_at,
  sla_breached_at: ticket.sla_breached_at,
  escalated_at: ticket.escalated_at,
  merged_into_id: ticket.merged_into_id,
  reopen_count: ticket.reopen_count,
});

/** `reply`: a public comment by staff; `note`: only staff can see it. */
const kindOf = ({ is_internal, is_from_customer }: Comment): keyof typeof kindLabels =>
  is_internal ? 'note' : is_from_customer ? 'customer' : 'reply';

function authorOf({ author, token, tool_author, imported_author, is_from_customer, customer_email }: Comment): string {
  if (token !== null) return token.name;
  if (author !== null) return nameOf(author);
  if (tool_author !== null) return tool_author.name;
  if (imported_author !== null) return imported_author.name;
  return (is_from_customer ? customer_email : null) ?? 'Tandem';
}

export const commentRow = (comment: Comment, untrusted: Untrusted) => ({
  id: comment.id,
  kind: kindOf(comment),
  author: untrusted(authorOf(comment)),
  created_at: comment.created_at,
  content: untrusted(comment.content),
  files: comment.attachments.map(({ file_name }) => untrusted(file_name)),
});
type CommentRow = ReturnType<typeof commentRow>;

const kindLabels = { customer: 'Customer', reply: 'Reply to the customer', note: 'Internal note' } as const;
export const commentText = ({ kind, author, created_at, content, files }: CommentRow): string =>
  `${kindLabels[kind]} by ${author} at ${created_at}${files.length === 0 ? '' : ` with the files ${files.join(', ')}`}:\n${content}`;

/** The closing line of a list. */
export const more = (next_cursor: string | null): string[] => (next_cursor === null ? [] : [`There are more. Next cursor: ${next_cursor}`]);
