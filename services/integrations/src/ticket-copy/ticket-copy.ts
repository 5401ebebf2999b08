import type { Comment, TaskRules, Ticket } from '@tandem/contracts';
import type { TicketCopy } from '../schema';

/** A ticket as the sync needs it. `sequence` is the sequence of the event that contained it. */
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
  custom_fields: ticket.custom_fields,
  created_at: ticket.created_at,
  updated_at: ticket.updated_at,
});

/** Events arrive in any order and more than once: the event with the higher sequence for a ticket has the later state. */
export const isLater = (kept: Pick<TicketCopy, 'sequence'> | undefined, sequence: number): boolean =>
  kept === undefined || kept.sequence < sequence;

const syncedFields = [
  'subject',
  'description',
  'status',
  'priority',
  'tags',
  'customer_name',
  'customer_email',
  'assignee_email',
  'due_at',
  'custom_fields',
] as const;
/** Whether a synced field changed; the shadow decides which changes are actually sent. */
export const hasSyncedChange = (before: TicketCopy | undefined, after: TicketCopy): boolean =>
  before === undefined || syncedFields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

/** A resolved or closed ticket needs no task. */
export const isUnresolved = ({ status }: Pick<TicketCopy, 'status'>): boolean => status !== 'resolved' && status !== 'closed';

/**
 * Whether a ticket gets a task automatically: with `matching`, one value of each kind that has rules must match. `matchingCopies` in the
 * backfill's store is the same condition in SQL.
 */
export function matches(rules: TaskRules, copy: Pick<TicketCopy, 'category' | 'tags' | 'priority'>): boolean {
  if (rules.create !== 'matching') return rules.create === 'all';
  const oneOf = (wanted: string[], there: (string | null)[]) => wanted.length === 0 || wanted.some((value) => there.includes(value));
  return oneOf(rules.categories, [copy.category]) && oneOf(rules.tags, copy.tags) && oneOf(rules.priorities, [copy.priority]);
}

/** A public comment as posted on the task. It starts with the author's name, because one account posts all of them. */
export function commentForTask(comment: Comment, ticket: Pick<Ticket, 'customer_name' | 'customer_email'>): string {
  const staff = [comment.author?.first_name, comment.author?.last_name].filter(Boolean).join(' ') || 'Support';
  const someoneElse = comment.customer_email !== null && comment.customer_email.toLowerCase() !== ticket.customer_email.toLowerCase();
  const customer = someoneElse ? comment.customer_email : (ticket.customer_name ?? ticket.customer_email);
  const files = comment.attachments.map(({ file_name }) => file_name).join(', ');
  return `${comment.is_from_customer ? `${customer} (customer)` : staff}: ${comment.content}${files && `\n\nAttached: ${files}`}`;
}

/** Internal notes are never sent to the tool, and comments that came from it are not sent back. */
export const isForTask = (comment: Pick<Comment, 'is_internal' | 'tool_author'>): boolean =>
  !comment.is_internal && comment.tool_author === null;
