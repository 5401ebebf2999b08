import * as z from 'zod';
import { Attachment } from './attachments';
import { event, operation } from './define';
import { PageQuery } from './pagination';
import { draftText, Id, requiredText, Timestamp } from './scalars';
import { EmailProof } from './sender-checks';
import {
  ActingRule,
  ActingToken,
  Assignee,
  AttachmentIds,
  byTicket,
  CustomFieldChanges,
  Tags,
  Ticket,
  TicketPriority,
  TicketStatus,
} from './tickets';
import { ticketLimits } from './values/tickets';

const owner = 'tickets';

export const Comment = z.object({
  id: Id,
  ticket_id: Id,
  /** Markdown if staff or the task tool wrote it; plain text if it is from the customer or came by email. */
  content: z.string(),
  /** Internal notes are visible to the organization's staff only. */
  is_internal: z.boolean(),
  is_from_customer: z.boolean(),
  user_id: Id.nullable(),
  customer_email: z.string().nullable(),
  author: Assignee.pick({ first_name: true, last_name: true }).nullable(),
  /** The API token that wrote it. */
  token: ActingToken.nullable().default(null),
  /** The rule that wrote it. */
  rule: ActingRule.nullable().default(null),
  /** The author in the task tool, if the comment was written there; `tool_name` is for display: ClickUp. */
  tool_author: z.object({ name: z.string(), tool_name: z.string() }).nullable().default(null),
  /** The author in the help desk that it was imported from, if that is no member here. */
  imported_author: z.object({ name: z.string() }).nullable().default(null),
  /** Members mentioned in the text. */
  mentions: z.array(Id).default([]),
  attachments: z.array(Attachment).default([]),
  /** Written by email: the removed parts (quoted text, the email's HTML) are at `GET /tickets/{id}/original`. */
  has_original: z.boolean().default(false),
  /** For emails: how well the sender is authenticated; null for all other comments. Never sent to customers. */
  email_proof: EmailProof.nullable().default(null),
  /** The ticket in which it was written, if a merge moved it here. */
  merged_from_id: Id.nullable().default(null),
  created_at: Timestamp,
});
export type Comment = z.infer<typeof Comment>;

export const commentText = requiredText(ticketLimits.comment, 'Write something first');

/** Changes that can be made together with a comment, in one step: 'send and resolve', a macro. */
export const ChangesWithComment = z
  .strictObject({
    status: TicketStatus,
    priority: TicketPriority,
    assigned_to: Id.nullable(),
    tags: Tags,
    custom_fields: CustomFieldChanges,
  })
  .partial();
export type ChangesWithComment = z.infer<typeof ChangesWithComment>;

export const AddComment = z.strictObject({
  content: commentText,
  is_internal: z.boolean().default(false),
  /** Each must be an active member; they become watchers. */
  mentions: z.array(Id).max(20, 'At most 20 people').default([]),
  attachment_ids: AttachmentIds.default([]),
  /**
   * The last comment that the author saw, null for none. If there are newer ones by others, the comment is rejected with
   * `comment.outdated`. Omitted: no check.
   */
  last_seen_comment_id: Id.nullable().optional(),
  changes: ChangesWithComment.default({}),
});
export type AddComment = z.infer<typeof AddComment>;

const CommentQuery = PageQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  /** `desc` returns the latest first, for long conversations. */
  order: z.enum(['asc', 'desc']).default('asc'),
}).strict();
export const listComments = operation({
  name: 'tickets.listComments',
  summary: 'The conversation with internal notes, oldest first by default.',
  owner,
  method: 'GET',
  path: '/tickets/:id/comments',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: { ...byTicket, query: CommentQuery },
  output: Comment,
  paginated: true,
  problems: ['ticket.not_found'],
});
export const addComment = operation({
  name: 'tickets.addComment',
  summary: 'Reply to the customer or add an internal note.',
  owner,
  method: 'POST',
  path: '/tickets/:id/comments',
  allow: 'ticket.write',
  token: 'tickets:write',
  status: 201,
  idempotent: true,
  input: { ...byTicket, body: AddComment },
  output: Comment,
  problems: ['ticket.not_found', 'ticket.locked', 'comment.outdated', 'assignee.not_a_member', 'attachment.not_usable'],
});

// ---- drafts ---------------------------------------------------------------------------------------------------

/** A user's unsent text on one ticket: available on all of the user's devices, invisible to others. */
export const Draft = z.object({
  content: z.string(),
  is_internal: z.boolean(),
  updated_at: Timestamp.nullable(),
  /** The API token that wrote it for the user, who has not changed it since. */
  token: ActingToken.nullable().default(null),
});
export type Draft = z.infer<typeof Draft>;

export const readDraft = operation({
  name: 'tickets.readDraft',
  summary: 'Read your draft on a ticket; empty if there is none.',
  owner,
  method: 'GET',
  path: '/tickets/:id/draft',
  allow: 'ticket.write',
  input: byTicket,
  output: Draft,
  problems: ['ticket.not_found'],
});
export const saveDraft = operation({
  name: 'tickets.saveDraft',
  summary: 'Save your draft on a ticket; blank text removes it.',
  owner,
  method: 'PUT',
  path: '/tickets/:id/draft',
  allow: 'ticket.write',
  input: {
    ...byTicket,
    body: z.strictObject({ content: draftText(ticketLimits.comment), is_internal: z.boolean().default(false) }),
  },
  output: Draft,
  problems: ['ticket.not_found', 'ticket.locked'],
});

/** It never replaces a text of the member, because agents must not lose what they wrote. */
export const draftReply = operation({
  name: 'tickets.draftReply',
  summary:
    'Save a reply as the draft of a member, who reads and sends it. Replaces only what the same token drafted and the member has not changed.',
  owner,
  method: 'PUT',
  path: '/tickets/:id/drafts/:userId',
  allow: 'token',
  token: 'tickets:write',
  idempotent: true,
  input: { params: z.object({ id: Id, userId: Id }), body: z.strictObject({ content: commentText }) },
  output: Draft,
  problems: ['ticket.not_found', 'ticket.locked', 'assignee.not_a_member', 'draft.exists'],
});

/** An API token drafted a reply for a member. Open pages of that member load it; the text is not in the event. */
export const ticketReplyDrafted = event('ticket.reply_drafted', owner, z.object({ ticket_id: Id, user_id: Id, token: ActingToken }), {
  live: true,
});

export const ticketCommentAdded = event(
  'ticket.comment.added',
  owner,
  z.object({
    comment: Comment,
    ticket: Ticket,
    /** The ticket's previous status, if it changed in the same step. */
    status_from: TicketStatus.optional(),
  }),
  { live: true, public: true },
);
