import * as z from 'zod';
import { AnnounceAttachment, announceAttachment, Attachment, linkAttachment } from './attachments';
import { commentText } from './comments';
import { event, operation } from './define';
import { PageQuery } from './pagination';
import { blankToNull, email, Id, requiredText, text, Timestamp } from './scalars';
import { FormField } from './custom-fields';
import { AttachmentIds, byTicket, CustomerLanguage, CustomFieldChanges, CustomFieldValue, TicketPriority, TicketStatus } from './tickets';
import { ticketLimits } from './values/tickets';

const owner = 'tickets';

/** A comment as the customer sees it: without internal data, and without the author's address. */
export const PublicComment = z.object({
  id: Id,
  /** Markdown, unless `is_from_customer`. */
  content: z.string(),
  is_from_customer: z.boolean(),
  author_name: z.string().nullable(),
  attachments: z.array(Attachment).default([]),
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
  /** Null if it is not known. */
  language: CustomerLanguage.nullable().default(null),
  created_at: Timestamp,
  updated_at: Timestamp,
  resolved_at: Timestamp.nullable(),
  /** The ticket that has the conversation after this one was merged. */
  merged_into: z.object({ id: Id, ticket_number: z.string() }).nullable().default(null),
  /** The resolved or closed ticket that this one follows up on. */
  follow_up_of: z.object({ id: Id, ticket_number: z.string() }).nullable().default(null),
  /**
   * What happens to a new message from the customer: it is added to the conversation (`comment`), reopens the ticket (`reopen`), starts a
   * new ticket (`new_ticket`), or is not accepted (`locked`).
   */
  writing: z.enum(['comment', 'reopen', 'new_ticket', 'locked']),
  /** The custom fields that customers see and that have a value. */
  custom_fields: z.array(z.object({ field: FormField, value: CustomFieldValue })).default([]),
  /** Files attached to the description. */
  attachments: z.array(Attachment).default([]),
  /** The latest 50, oldest first. */
  comments: z.array(PublicComment),
  /** The cursor for the earlier comments (`GET /public/tickets/{id}/comments`); null if there are none. */
  earlier_cursor: z.string().nullable().default(null),
});
export type PublicTicket = z.infer<typeof PublicTicket>;

const publicRequired = 'Subject and email are required fields.';

export const SubmitTicket = z.strictObject({
  subject: requiredText(ticketLimits.subject, publicRequired),
  description: blankToNull(ticketLimits.description),
  customer_email: email(publicRequired),
  customer_name: blankToNull(ticketLimits.name),
  category: blankToNull(ticketLimits.category),
  /** Default: the organization's default priority. */
  priority: TicketPriority.optional(),
  attachment_ids: AttachmentIds.default([]),
  /** Only fields that the form asks for (`GET /public/form-fields`). */
  custom_fields: CustomFieldChanges.default({}),
  /** The language of the form. */
  language: CustomerLanguage.nullish(),
  /** Hidden from people (honeypot): a client that fills it in has to pass a browser challenge. */
  website: z.string().max(500).optional(),
});
export type SubmitTicket = z.infer<typeof SubmitTicket>;

const lookupEmail = email('Please enter your email address to view the ticket.');

/** The message, and the new ticket that contains it if the organization starts a new ticket for each follow-up. */
export const AddedPublicComment = z.object({
  comment: PublicComment.nullable(),
  new_ticket: z.object({ id: Id, ticket_number: z.string() }).nullable(),
});
export type AddedPublicComment = z.infer<typeof AddedPublicComment>;

export const submitTicket = operation({
  name: 'tickets.submit',
  summary: 'Create a ticket as a customer.',
  owner,
  method: 'POST',
  path: '/public/tickets',
  allow: 'portal',
  limit: 'ticket_submission',
  status: 201,
  idempotent: true,
  input: { body: SubmitTicket },
  output: PublicTicket,
  problems: ['attachment.not_usable', 'challenge.required'],
});
export const readPublicTicket = operation({
  name: 'tickets.readPublic',
  summary: 'A ticket as its customer sees it; ID and email must both match.',
  owner,
  method: 'GET',
  path: '/public/tickets/:id',
  allow: 'portal',
  input: { ...byTicket, query: z.strictObject({ email: lookupEmail }) },
  output: PublicTicket,
  problems: ['ticket.not_found'],
});
export const addPublicComment = operation({
  name: 'tickets.addPublicComment',
  summary: 'Add a comment as the customer.',
  owner,
  method: 'POST',
  path: '/public/tickets/:id/comments',
  allow: 'portal',
  status: 201,
  idempotent: true,
  input: { ...byTicket, body: z.strictObject({ email: lookupEmail, content: commentText, attachment_ids: AttachmentIds.default([]) }) },
  output: AddedPublicComment,
  problems: ['ticket.not_found', 'ticket.locked', 'attachment.not_usable'],
});
export const listPublicComments = operation({
  name: 'tickets.listPublicComments',
  summary: 'Earlier comments of a ticket, newest first; ID and email must both match.',
  owner,
  method: 'GET',
  path: '/public/tickets/:id/comments',
  allow: 'portal',
  input: { ...byTicket, query: PageQuery.extend({ email: lookupEmail }).strict() },
  output: PublicComment,
  paginated: true,
  problems: ['ticket.not_found'],
});
/** Like `announceAttachment` for staff. The id authorizes its use, and only the uploading browser gets it. */
export const announcePublicAttachment = operation({
  name: 'tickets.announcePublicAttachment',
  summary: 'Announce a file as a customer; the response contains the upload URL.',
  owner,
  method: 'POST',
  path: '/public/attachments',
  allow: 'portal',
  limit: 'public_upload',
  status: 201,
  input: { body: AnnounceAttachment },
  output: announceAttachment.output,
  problems: ['attachment.refused'],
});
export const linkPublicAttachment = operation({
  name: 'tickets.linkPublicAttachment',
  summary: 'A signed URL for a file of a ticket’s description or public comments; ID and email must both match.',
  owner,
  method: 'POST',
  path: '/public/tickets/:id/attachments/:attachmentId/link',
  allow: 'portal',
  input: { params: z.object({ id: Id, attachmentId: Id }), body: z.strictObject({ email: lookupEmail }) },
  output: linkAttachment.output,
  problems: ['ticket.not_found', 'attachment.not_found'],
});
export const lookupTickets = operation({
  name: 'tickets.lookup',
  summary: 'Email the ticket links of an address. The response does not reveal whether there are any.',
  owner,
  method: 'POST',
  path: '/public/tickets/lookup',
  allow: 'portal',
  limit: 'ticket_submission',
  status: 202,
  input: {
    body: z.strictObject({
      email: lookupEmail,
      ticket_number: text(20).optional(),
      /** The language of the page, for the email. */
      language: CustomerLanguage.nullish(),
    }),
  },
  /** `ticket` is set if the organization has `instant_lookup` enabled and address and number both match. */
  output: z.object({ message: z.string(), ticket: z.object({ id: Id }).nullable().default(null) }),
  problems: ['challenge.required'],
});

export const ticketLookupRequested = event(
  'ticket.lookup_requested',
  owner,
  z.object({
    email: z.string(),
    tickets: z.array(z.object({ id: Id, ticket_number: z.string(), subject: z.string(), status: TicketStatus })).max(20),
    language: CustomerLanguage.nullable().default(null),
  }),
);
