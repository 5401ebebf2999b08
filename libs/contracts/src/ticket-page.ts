import * as z from 'zod';
import { Attachment, listAttachments } from './attachments';
import { Comment, Draft, listComments, readDraft } from './comments';
import { operation, type Operation } from './define';
import { listTicketEmails } from './notifications';
import { Pagination } from './pagination';
import { readTicketSla, TicketSla } from './sla';
import { readPosition, ReadPosition } from './ticket-reads';
import { readTicketSurvey, Survey } from './surveys';
import { readTicketTask } from './ticket-tasks';
import { byTicket, listTickets, readTicket, Ticket, TicketSummary } from './tickets';
import { Activity, readTimeline } from './timeline';

const pageOf = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), pagination: Pagination });

interface Part {
  /** The operation that returns this part when it is requested alone. */
  operation: Operation;
  /** The query with which the part is requested. */
  query?: Readonly<Record<string, string | number>>;
}

/** The parts of a ticket's page besides the ticket, with their operations. A client that requests one part alone sends the same query. */
export const ticketPageParts = {
  comments: { operation: listComments, query: { order: 'desc', limit: 50 } },
  sla: { operation: readTicketSla },
  draft: { operation: readDraft },
  read_position: { operation: readPosition },
  attachments: { operation: listAttachments },
  /** Includes the ticket itself, so it requests one more than the page shows. */
  customer_tickets: { operation: listTickets, query: { limit: 6 } },
  task: { operation: readTicketTask },
  emails: { operation: listTicketEmails },
  timeline: { operation: readTimeline, query: { limit: 20 } },
  survey: { operation: readTicketSurvey },
} as const satisfies Record<string, Part>;
export type TicketPagePart = keyof typeof ticketPageParts;
export const ticketPagePartNames = Object.keys(ticketPageParts) as [TicketPagePart, ...TicketPagePart[]];

export const TicketPage = z.object({
  ticket: Ticket,
  /** Newest first. */
  comments: pageOf(Comment).nullable(),
  /** Also null without a policy. */
  sla: TicketSla.nullable(),
  draft: Draft.nullable(),
  /** How far the caller had read the ticket before this page was opened. */
  read_position: ReadPosition.nullable(),
  attachments: z.array(Attachment).nullable(),
  /** The newest tickets of the same customer, including this one. */
  customer_tickets: pageOf(TicketSummary).nullable(),
  task: readTicketTask.output.nullable(),
  emails: listTicketEmails.output.nullable(),
  timeline: pageOf(Activity).nullable(),
  /** Also null until the customer has submitted it. */
  survey: Survey.nullable(),
  /** The parts that could not be loaded; each is null above. */
  unavailable: z.array(z.enum(ticketPagePartNames)),
});
export type TicketPage = z.infer<typeof TicketPage>;

export const readTicketPage = operation({
  name: 'gateway.readTicketPage',
  summary:
    'Read everything that the page of a ticket shows, in one call. A part whose service is unavailable is null and listed in `unavailable`.',
  owner: 'gateway',
  method: 'GET',
  path: '/tickets/:id/page',
  allow: 'ticket.read',
  handwritten: true,
  input: byTicket,
  output: TicketPage,
  etag: 'content',
  problems: readTicket.problems,
});
