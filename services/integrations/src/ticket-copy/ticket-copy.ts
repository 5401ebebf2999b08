import type { Comment, TaskRules, Ticket } from '@tandem/contracts';
import type { TicketCopy } from '../schema';

/** A ticket as the sync needs it. `sequence`: of the event that carried it. */
export const copyOf = (ticket: Ticket, sequence: number): TicketCopy => ({
  organization_id: ticket.organization_id,
  ticket_id: ticket.id,
  sequence,
  ticket_number: ticket.ticket_number,
  subject: ticket.subject,
  description: ticket.description,
  status: ticket.status,
  priority: ticket.priority,
  category: ticket.category,
  tags: ticket.tags,
  customer_name: ticket.customer_name,
  customer_email: ticket.customer_email,
  assignee_email: ticket.assignee?.email ?? null,
  due_at: ticket.resolution_due_at,
  created_at: ticket.created_at,
  updated_at: ticket.updated_at,
});

/** Events arrive in any order and more than once: the one with the higher number of its ticket is the later state. */
export const isLater = (kept: Pick<TicketCopy, 'sequence'> | undefined, sequence: number): boolean =>
  kept === undefined || kept.sequence < sequence;

const travelling = [
  ...(['subject', 'description', 'status', 'priority', 'tags', 'customer_name', 'customer_email'] as const),
  ...(['assignee_email', 'due_at'] as const),
];
/** Whether anything changed that a task may show; what then really is to be sent, the shadow decides. */
export const mayTravel = (before: TicketCopy | undefined, after: TicketCopy): boolean =>
  before === undefined || travelling.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

/** What is done for the customer needs no task any more. */
export const isWorkedOn = ({ status }: Pick<TicketCopy, 'status'>): boolean => status !== 'resolved' && status !== 'closed';

/**
 * Whether a ticket becomes a task by itself: `matching` wants one of the values of each kind that names some. `matchingCopies` in the backfill's
 * store says the same in SQL.
 */
export function matches(rules: TaskRules, copy: Pick<TicketCopy, 'category' | 'tags' | 'priority'>): boolean {
  if (rules.create !== 'matching') return rules.create === 'all';
  const oneOf = (wanted: string[], there: (string | null)[]) => wanted.length === 0 || wanted.some((value) => there.includes(value));
  return oneOf(rules.categories, [copy.category]) && oneOf(rules.tags, copy.tags) && oneOf(rules.priorities, [copy.priority]);
}

/** A public comment as the task's people read it: who says it stands before it, since all of them are posted by one account. */
export function commentForTask(comment: Comment, ticket: Pick<Ticket, 'customer_name' | 'customer_email'>): string {
  const staff = [comment.author?.first_name, comment.author?.last_name].filter(Boolean).join(' ') || 'Support';
  const someoneElse = comment.customer_email !== null && comment.customer_email.toLowerCase() !== ticket.customer_email.toLowerCase();
  const customer = someoneElse ? comment.customer_email : (ticket.customer_name ?? ticket.customer_email);
  const files = comment.attachments.map(({ file_name }) => file_name).join(', ');
  return `${comment.is_from_customer ? `${customer} (customer)` : staff}: ${comment.content}${files && `\n\nAttached: ${files}`}`;
}

/** Internal notes never leave the house, and what came from the task tool does not go back there. */
export const isForTask = (comment: Pick<Comment, 'is_internal' | 'tool_author'>): boolean =>
  !comment.is_internal && comment.tool_author === null;
