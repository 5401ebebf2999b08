import * as z from 'zod';
import { event, operation } from './define';
import { PageQuery } from './pagination';
import { blankToNull, email, Id, requiredText, text, Timestamp } from './scalars';
import { defaultPriority, ticketLimits, ticketPriorities, ticketStatuses } from './values/tickets';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

export const TicketStatus = z.enum(ticketStatuses);
export type TicketStatus = z.infer<typeof TicketStatus>;
export const TicketPriority = z.enum(ticketPriorities);
export type TicketPriority = z.infer<typeof TicketPriority>;

/** The assignee as far as a ticket shows it; a copy that tickets keeps of identity's members. */
export const Assignee = z.object({ user_id: Id, first_name: z.string().nullable(), last_name: z.string().nullable(), email: z.string() });
export type Assignee = z.infer<typeof Assignee>;

/** A row of the list: never the body, only its beginning. */
export const TicketSummary = z.object({
  id: Id,
  ticket_number: z.string(),
  subject: z.string(),
  /** The first 200 characters of the description. */
  description_preview: z.string().nullable(),
  status: TicketStatus,
  priority: TicketPriority,
  category: z.string().nullable(),
  tags: z.array(z.string()),
  customer_name: z.string().nullable(),
  customer_email: z.string(),
  assigned_to: Id.nullable(),
  assignee: Assignee.nullable(),
  comment_count: z.number().int(),
  clickup_task_id: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  resolved_at: Timestamp.nullable(),
  /** Grows with every change; the entity tag. */
  version: z.number().int(),
});
export type TicketSummary = z.infer<typeof TicketSummary>;

export const Ticket = TicketSummary.omit({ description_preview: true }).extend({ organization_id: Id, description: z.string().nullable() });
export type Ticket = z.infer<typeof Ticket>;

export const Comment = z.object({
  id: Id,
  ticket_id: Id,
  content: z.string(),
  /** Internal notes never leave the organization's staff. */
  is_internal: z.boolean(),
  is_from_customer: z.boolean(),
  user_id: Id.nullable(),
  customer_email: z.string().nullable(),
  author: Assignee.pick({ first_name: true, last_name: true }).nullable(),
  created_at: Timestamp,
});
export type Comment = z.infer<typeof Comment>;

/** A ticket as its customer sees it: nobody's internals, no assignee's address. */
export const PublicComment = z.object({
  id: Id,
  content: z.string(),
  is_from_customer: z.boolean(),
  author_name: z.string().nullable(),
  created_at: Timestamp,
});
export type PublicComment = z.infer<typeof PublicComment>;
export const PublicTicket = z.object({
  id: Id,
  ticket_number: z.string(),
  subject: z.string(),
  description: z.string().nullable(),
  status: TicketStatus,
  priority: TicketPriority,
  category: z.string().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  resolved_at: Timestamp.nullable(),
  comments: z.array(PublicComment),
});
export type PublicTicket = z.infer<typeof PublicTicket>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const staffRequired = 'Subject and customer email are required';
const publicRequired = 'Subject and email are required fields.';
const tags = z.array(requiredText(50, 'A tag must not be blank')).max(20);

export const CreateTicket = z.strictObject({
  subject: requiredText(ticketLimits.subject, staffRequired),
  description: blankToNull(ticketLimits.description),
  customer_email: email(staffRequired),
  customer_name: blankToNull(ticketLimits.name),
  category: blankToNull(ticketLimits.category),
  priority: TicketPriority.default(defaultPriority),
  tags: tags.default([]),
});
export type CreateTicket = z.infer<typeof CreateTicket>;

export const SubmitTicket = z.strictObject({
  subject: requiredText(ticketLimits.subject, publicRequired),
  description: blankToNull(ticketLimits.description),
  customer_email: email(publicRequired),
  customer_name: blankToNull(ticketLimits.name),
  category: blankToNull(ticketLimits.category),
  priority: TicketPriority.default(defaultPriority),
});
export type SubmitTicket = z.infer<typeof SubmitTicket>;

export const UpdateTicket = z
  .strictObject({
    status: TicketStatus,
    priority: TicketPriority,
    assigned_to: Id.nullable(),
    subject: requiredText(ticketLimits.subject, staffRequired),
    description: blankToNull(ticketLimits.description),
    category: blankToNull(ticketLimits.category),
    tags,
    customer_name: blankToNull(ticketLimits.name),
    customer_email: email(staffRequired),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateTicket = z.infer<typeof UpdateTicket>;

/** Lists in a query are comma-separated or repeated: `status=open,in_progress`. */
const listOf = <T extends z.ZodType<string, string>>(item: T) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')).filter((part) => part !== ''))
    .pipe(z.array(item).max(20));

export const TicketFilter = PageQuery.extend({
  search: text(ticketLimits.search).optional(),
  status: listOf(TicketStatus).optional(),
  priority: listOf(TicketPriority).optional(),
  /** A member's id, `me` or `unassigned`. */
  assignee: z.union([z.literal('me'), z.literal('unassigned'), Id]).optional(),
}).strict();
export type TicketFilter = z.infer<typeof TicketFilter>;

const commentText = requiredText(ticketLimits.comment, 'Write something first');
export const AddComment = z.strictObject({ content: commentText, is_internal: z.boolean().default(false) });
export type AddComment = z.infer<typeof AddComment>;

const byId = { params: z.object({ id: Id }) };
const lookupEmail = email('Please enter your email address to view the ticket.');

// ---- operations: staff ----------------------------------------------------------------------------------------

export const ticketTag = (ticket: { version: number }) => `v${ticket.version}`;

export const listTickets = operation({
  name: 'tickets.list',
  summary: 'Tickets of the organization, newest first.',
  owner,
  method: 'GET',
  path: '/tickets',
  allow: 'ticket.read',
  input: { query: TicketFilter },
  output: TicketSummary,
  paginated: true,
});
export const createTicket = operation({
  name: 'tickets.create',
  summary: 'Open a ticket on behalf of a customer.',
  owner,
  method: 'POST',
  path: '/tickets',
  allow: 'ticket.write',
  status: 201,
  idempotent: true,
  input: { body: CreateTicket },
  output: Ticket,
});
export const readTicket = operation({
  name: 'tickets.read',
  summary: 'One ticket, whole.',
  owner,
  method: 'GET',
  path: '/tickets/:id',
  allow: 'ticket.read',
  input: byId,
  output: Ticket,
  etag: ticketTag,
  problems: ['ticket.not_found'],
});
export const updateTicket = operation({
  name: 'tickets.update',
  summary: 'Change fields of a ticket; with `If-Match` only if nobody was faster.',
  owner,
  method: 'PATCH',
  path: '/tickets/:id',
  allow: 'ticket.write',
  input: { ...byId, body: UpdateTicket },
  output: Ticket,
  etag: ticketTag,
  problems: ['ticket.not_found', 'ticket.changed', 'assignee.not_a_member'],
});
export const listComments = operation({
  name: 'tickets.listComments',
  summary: 'The conversation, oldest first, with internal notes.',
  owner,
  method: 'GET',
  path: '/tickets/:id/comments',
  allow: 'ticket.read',
  input: { ...byId, query: PageQuery.extend({ limit: z.coerce.number().int().min(1).max(100).default(100) }).strict() },
  output: Comment,
  paginated: true,
  problems: ['ticket.not_found'],
});
export const addComment = operation({
  name: 'tickets.addComment',
  summary: 'Reply to the customer, or write an internal note.',
  owner,
  method: 'POST',
  path: '/tickets/:id/comments',
  allow: 'ticket.write',
  status: 201,
  idempotent: true,
  input: { ...byId, body: AddComment },
  output: Comment,
  problems: ['ticket.not_found'],
});

// ---- operations: portal ---------------------------------------------------------------------------------------

export const submitTicket = operation({
  name: 'tickets.submit',
  summary: 'A customer opens a ticket.',
  owner,
  method: 'POST',
  path: '/public/tickets',
  allow: 'portal',
  limit: 'ticket_submission',
  status: 201,
  idempotent: true,
  input: { body: SubmitTicket },
  output: PublicTicket,
});
export const readPublicTicket = operation({
  name: 'tickets.readPublic',
  summary: 'A ticket as its customer sees it; id and e-mail must both match.',
  owner,
  method: 'GET',
  path: '/public/tickets/:id',
  allow: 'portal',
  input: { ...byId, query: z.strictObject({ email: lookupEmail }) },
  output: PublicTicket,
  problems: ['ticket.not_found'],
});
export const addPublicComment = operation({
  name: 'tickets.addPublicComment',
  summary: 'The customer writes in the conversation.',
  owner,
  method: 'POST',
  path: '/public/tickets/:id/comments',
  allow: 'portal',
  status: 201,
  idempotent: true,
  input: { ...byId, body: z.strictObject({ email: lookupEmail, content: commentText }) },
  output: PublicComment,
  problems: ['ticket.not_found', 'ticket.locked'],
});
export const lookupTickets = operation({
  name: 'tickets.lookup',
  summary: 'Mail the links of the tickets of an address. The answer never tells whether there are any.',
  owner,
  method: 'POST',
  path: '/public/tickets/lookup',
  allow: 'portal',
  limit: 'ticket_submission',
  status: 202,
  input: { body: z.strictObject({ email: lookupEmail, ticket_number: text(20).optional() }) },
  output: z.object({ message: z.string() }),
});

// ---- events ---------------------------------------------------------------------------------------------------

/** What changed, field by field; bodies are named, not carried twice. */
export const Changes = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }));
export type Changes = z.infer<typeof Changes>;

const seen = { live: true, public: true };
export const ticketCreated = event('ticket.created', owner, z.object({ ticket: Ticket }), seen);
export const ticketUpdated = event('ticket.updated', owner, z.object({ ticket: Ticket, changes: Changes }), seen);
export const ticketAssigned = event('ticket.assigned', owner, z.object({ ticket: Ticket, from: Id.nullable() }), seen);
export const ticketResolved = event('ticket.resolved', owner, z.object({ ticket: Ticket }), seen);
export const ticketClosed = event('ticket.closed', owner, z.object({ ticket: Ticket }), seen);
export const ticketReopened = event('ticket.reopened', owner, z.object({ ticket: Ticket }), { live: true });
export const ticketCommentAdded = event('ticket.comment.added', owner, z.object({ comment: Comment, ticket: Ticket }), seen);
export const ticketLookupRequested = event(
  'ticket.lookup_requested',
  owner,
  z.object({
    email: z.string(),
    tickets: z.array(z.object({ id: Id, ticket_number: z.string(), subject: z.string(), status: TicketStatus })).max(20),
  }),
);
