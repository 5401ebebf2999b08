import * as z from 'zod';
import { commentText } from './comments';
import { event, operation } from './define';
import { blankToNull, email, Id, requiredText, text, Timestamp } from './scalars';
import { byTicket, TicketPriority, TicketStatus } from './tickets';
import { ticketLimits } from './values/tickets';

const owner = 'tickets';

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
  /** The ticket in which the conversation goes on, when this one was merged. */
  merged_into: z.object({ id: Id, ticket_number: z.string() }).nullable().default(null),
  comments: z.array(PublicComment),
});
export type PublicTicket = z.infer<typeof PublicTicket>;

const publicRequired = 'Subject and email are required fields.';

export const SubmitTicket = z.strictObject({
  subject: requiredText(ticketLimits.subject, publicRequired),
  description: blankToNull(ticketLimits.description),
  customer_email: email(publicRequired),
  customer_name: blankToNull(ticketLimits.name),
  category: blankToNull(ticketLimits.category),
  /** The organization's default priority when left out. */
  priority: TicketPriority.optional(),
});
export type SubmitTicket = z.infer<typeof SubmitTicket>;

const lookupEmail = email('Please enter your email address to view the ticket.');

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
  input: { ...byTicket, query: z.strictObject({ email: lookupEmail }) },
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
  input: { ...byTicket, body: z.strictObject({ email: lookupEmail, content: commentText }) },
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

export const ticketLookupRequested = event(
  'ticket.lookup_requested',
  owner,
  z.object({
    email: z.string(),
    tickets: z.array(z.object({ id: Id, ticket_number: z.string(), subject: z.string(), status: TicketStatus })).max(20),
  }),
);
