import * as z from 'zod';
import { event, operation } from './define';
import { PageQuery } from './pagination';
import { blankToNull, email, Id, requiredText, text, Timestamp } from './scalars';
import { attachmentRules } from './values/attachments';
import { ticketChannels } from './values/customers';
import { closedMeanings } from './values/task-sync';
import { taskFilters, ticketLimits, ticketPriorities, ticketSorts, ticketStatuses } from './values/tickets';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

export const TicketStatus = z.enum(ticketStatuses);
export type TicketStatus = z.infer<typeof TicketStatus>;
export const TicketPriority = z.enum(ticketPriorities);
export type TicketPriority = z.infer<typeof TicketPriority>;

/** The assignee as far as a ticket shows it; a copy that tickets keeps of identity's members. */
export const Assignee = z.object({ user_id: Id, first_name: z.string().nullable(), last_name: z.string().nullable(), email: z.string() });
export type Assignee = z.infer<typeof Assignee>;

/** Where a task is to be found. */
export const TaskAddress = z.object({ provider: z.string(), task_id: z.string(), url: z.string() });
export type TaskAddress = z.infer<typeof TaskAddress>;

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
  /** The task that it rides with, whichever tool holds it. */
  task: TaskAddress.nullable().default(null),
  /** The same, where the tool is ClickUp (spec part 2, section 3). */
  clickup_task_id: z.string().nullable(),
  /** Since when its task is finished and the customer not told: the view 'Ready to tell the customer'. */
  task_finished_at: Timestamp.nullable().default(null),
  /** How that task ended, while `task_finished_at` is set. */
  task_outcome: z.enum(closedMeanings).default('finished'),
  created_at: Timestamp,
  updated_at: Timestamp,
  resolved_at: Timestamp.nullable(),
  /** When staff first answered the customer. */
  first_response_at: Timestamp.nullable().default(null),
  /** Until when the policy wants the first answer; null without a policy. While the clock pauses it stands where it stood. */
  response_due_at: Timestamp.nullable().default(null),
  /** Until when the policy wants it resolved; as above. */
  resolution_due_at: Timestamp.nullable().default(null),
  /** The earlier of the due times that still run: what lists are sorted by. Null while it pauses, when it is done, without a policy. */
  next_due_at: Timestamp.nullable().default(null),
  /** Since when the clocks pause, because the customer is to answer. */
  sla_paused_since: Timestamp.nullable().default(null),
  /** When a due time was first missed. */
  sla_breached_at: Timestamp.nullable().default(null),
  /** When it became older than the policy's escalation time. */
  escalated_at: Timestamp.nullable().default(null),
  /** The ticket that this duplicate was merged into; then it is closed. */
  merged_into_id: Id.nullable().default(null),
  /** Grows with every change; the entity tag. */
  version: z.number().int(),
});
export type TicketSummary = z.infer<typeof TicketSummary>;

export const Ticket = TicketSummary.omit({ description_preview: true }).extend({
  organization_id: Id,
  description: z.string().nullable(),
  /** Members who hear of what happens here beside the assignee. */
  watchers: z.array(Id).default([]),
  /** Through which door it came; null for those from before this was noted. */
  channel: z.enum(ticketChannels).nullable().default(null),
  /** The resolved or closed ticket that it goes on with (`customer_follow_up: new_ticket`). */
  follow_up_of_id: Id.nullable().default(null),
  /** Whether the website around the widget has proved the customer's address. */
  customer_verified: z.boolean().default(false),
});
export type Ticket = z.infer<typeof Ticket>;

// ---- inputs ---------------------------------------------------------------------------------------------------

export const staffRequired = 'Subject and customer email are required';
const tag = requiredText(50, 'A tag must not be blank');
export const Tags = z.array(tag).max(ticketLimits.tags);
/** Uploaded files (`POST /attachments`) that go with what is written; each belongs to one text only. */
export const AttachmentIds = z.array(Id).max(attachmentRules.maxFiles, `Not more than ${attachmentRules.maxFiles} files`);

export const CreateTicket = z.strictObject({
  subject: requiredText(ticketLimits.subject, staffRequired),
  description: blankToNull(ticketLimits.description),
  customer_email: email(staffRequired),
  customer_name: blankToNull(ticketLimits.name),
  category: blankToNull(ticketLimits.category),
  /** The organization's default priority when left out. */
  priority: TicketPriority.optional(),
  tags: Tags.default([]),
  attachment_ids: AttachmentIds.default([]),
});
export type CreateTicket = z.infer<typeof CreateTicket>;

export const UpdateTicket = z
  .strictObject({
    status: TicketStatus,
    priority: TicketPriority,
    assigned_to: Id.nullable(),
    subject: requiredText(ticketLimits.subject, staffRequired),
    description: blankToNull(ticketLimits.description),
    category: blankToNull(ticketLimits.category),
    tags: Tags,
    customer_name: blankToNull(ticketLimits.name),
    customer_email: email(staffRequired),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateTicket = z.infer<typeof UpdateTicket>;

/** Lists in a query are comma-separated or repeated: `status=open,in_progress`. */
const listOf = <T extends z.ZodType<string, string>>(item: T, max = 20) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')).filter((part) => part !== ''))
    .pipe(z.array(item).max(max));

/** A day means its beginning in UTC. */
const moment = z
  .union([Timestamp, z.iso.date().transform((day) => `${day}T00:00:00.000Z`)], 'Send a date, or a time in UTC')
  // The database knows no year 0.
  .refine((time) => time >= '0001', 'Send a date, or a time in UTC');

/** Which tickets: what a list is narrowed to and what a saved view remembers. Several values of one filter mean any of them. */
export const ticketSelection = {
  /** Contained in subject, customer name, e-mail or number, or all its words in the description or in one comment. */
  search: text(ticketLimits.search).optional(),
  status: listOf(TicketStatus).optional(),
  priority: listOf(TicketPriority).optional(),
  /** A member's id, `me` or `unassigned`. */
  assignee: z.union([z.literal('me'), z.literal('unassigned'), Id]).optional(),
  category: text(ticketLimits.category).optional(),
  tag: listOf(tag).optional(),
  /** Whether a task goes with it; `finished`: its task is, and the customer was not told. */
  task: z.enum(taskFilters).optional(),
  /** All tickets of one customer. */
  customer_email: email().optional(),
  created_from: moment.optional(),
  /** Not itself included. */
  created_to: moment.optional(),
  sort: z.enum(ticketSorts).default('newest'),
};
export const TicketFilter = PageQuery.extend({
  ...ticketSelection,
  /** Of these tickets, the ones that match the rest: how a loaded list learns what became of some of its rows. */
  ids: listOf(Id, 100).optional(),
}).strict();
export type TicketFilter = z.infer<typeof TicketFilter>;

export const BulkChange = z.strictObject({
  ids: z.array(Id).min(1, 'Choose some tickets first').max(100, 'Not more than 100 tickets at once'),
  changes: z
    .strictObject({
      status: TicketStatus,
      priority: TicketPriority,
      assigned_to: Id.nullable(),
      add_tags: Tags,
      remove_tags: Tags,
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change'),
});
export type BulkChange = z.infer<typeof BulkChange>;
/** `ticket` when it was changed (or needed no change), `code` of the problem when not. */
export const BulkResult = z.object({
  id: Id,
  ticket: TicketSummary.omit({ description_preview: true }).nullable(),
  code: z.string().nullable(),
});
export type BulkResult = z.infer<typeof BulkResult>;

export const byTicket = { params: z.object({ id: Id }) };

// ---- operations: staff ----------------------------------------------------------------------------------------

export const ticketTag = (ticket: { version: number }) => `v${ticket.version}`;

export const listTickets = operation({
  name: 'tickets.list',
  summary:
    'Tickets of the organization, narrowed, searched and sorted. A search counts to 1,000; one that is not sorted by age sorts the 1,000 newest it finds.',
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
  problems: ['attachment.not_usable'],
});
export const readTicket = operation({
  name: 'tickets.read',
  summary: 'One ticket, whole.',
  owner,
  method: 'GET',
  path: '/tickets/:id',
  allow: 'ticket.read',
  input: byTicket,
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
  idempotent: true,
  input: { ...byTicket, body: UpdateTicket },
  output: Ticket,
  etag: ticketTag,
  problems: ['ticket.not_found', 'ticket.changed', 'ticket.locked', 'assignee.not_a_member'],
});
export const changeTickets = operation({
  name: 'tickets.bulk',
  summary: 'Change up to 100 tickets alike; each stands for itself, and says how it went.',
  owner,
  method: 'POST',
  path: '/tickets/bulk',
  allow: 'ticket.write',
  input: { body: BulkChange },
  output: z.array(BulkResult),
  problems: ['assignee.not_a_member'],
});
export const mergeTicket = operation({
  name: 'tickets.merge',
  summary: 'Merge a duplicate into another ticket of the same customer: its conversation moves there, and it is closed.',
  owner,
  method: 'POST',
  path: '/tickets/:id/merge',
  allow: 'ticket.write',
  input: { ...byTicket, body: z.strictObject({ into_id: Id }) },
  /** The ticket that it was merged into. */
  output: Ticket,
  problems: ['ticket.not_found', 'ticket.merge_refused'],
});
const byWatcher = { params: z.object({ id: Id, userId: Id }) };
export const addWatcher = operation({
  name: 'tickets.addWatcher',
  summary: 'Let a member hear of what happens on a ticket.',
  owner,
  method: 'PUT',
  path: '/tickets/:id/watchers/:userId',
  allow: 'ticket.write',
  input: byWatcher,
  output: Ticket,
  problems: ['ticket.not_found', 'assignee.not_a_member'],
});
export const removeWatcher = operation({
  name: 'tickets.removeWatcher',
  summary: 'Take a member off the watchers of a ticket.',
  owner,
  method: 'DELETE',
  path: '/tickets/:id/watchers/:userId',
  allow: 'ticket.write',
  input: byWatcher,
  output: Ticket,
  problems: ['ticket.not_found'],
});

// ---- events ---------------------------------------------------------------------------------------------------

/** What changed, field by field; bodies are named, not carried twice. */
export const Changes = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }));
export type Changes = z.infer<typeof Changes>;

const seen = { live: true, public: true };
/** `quiet`: its customer gets no confirmation, because their mail wants no automatic answer, or too many mails opened tickets at once. */
export const ticketCreated = event('ticket.created', owner, z.object({ ticket: Ticket, quiet: z.boolean().optional() }), seen);
/** It came in one step with a public comment of staff, whose own event tells the customer of both. */
const withReply = { with_reply: z.boolean().optional() };
export const ticketUpdated = event('ticket.updated', owner, z.object({ ticket: Ticket, changes: Changes, ...withReply }), seen);
export const ticketAssigned = event('ticket.assigned', owner, z.object({ ticket: Ticket, from: Id.nullable() }), seen);
export const ticketResolved = event('ticket.resolved', owner, z.object({ ticket: Ticket, ...withReply }), seen);
export const ticketClosed = event('ticket.closed', owner, z.object({ ticket: Ticket, ...withReply }), seen);
export const ticketReopened = event('ticket.reopened', owner, z.object({ ticket: Ticket }), { live: true });
/** A duplicate was closed and its conversation moved; `ticket.updated` is announced for both beside it. */
export const ticketMerged = event('ticket.merged', owner, z.object({ ticket: Ticket, into: Ticket }), { live: true });
