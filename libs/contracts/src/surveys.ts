import * as z from 'zod';
import { event, operation } from './define';
import { blankToNull, email, Id, Timestamp } from './scalars';
import { byTicket, CustomerLanguage, Ticket, TicketStatus } from './tickets';
import { surveyFeedbackLimit } from './values/customers';

const owner = 'tickets';

/** A customer's rating of the support on a ticket; one per ticket. */
export const Survey = z.object({
  ticket_id: Id,
  customer_email: z.string(),
  rating: z.number().int().min(1).max(5),
  feedback: z.string().nullable(),
  created_at: Timestamp,
});
export type Survey = z.infer<typeof Survey>;

/** The content of the survey page. */
export const PublicSurvey = z.object({
  ticket: z.object({
    id: Id,
    ticket_number: z.string(),
    subject: z.string(),
    status: TicketStatus,
    customer_name: z.string().nullable(),
    /** The page is in this language. */
    language: CustomerLanguage.nullable(),
  }),
  survey: Survey.pick({ rating: true, feedback: true, created_at: true }).nullable(),
});
export type PublicSurvey = z.infer<typeof PublicSurvey>;

/** As on all public pages, the ticket's id and its customer's address together give access. The emailed link contains both. */
const emailOfTicket = email('Please enter your email address to view the ticket.');
const byTicketId = { params: z.object({ ticketId: Id }) };
const ratingRequired = 'Please provide a rating before submitting.';

export const readPublicSurvey = operation({
  name: 'tickets.readPublicSurvey',
  summary: 'The ticket of a survey and the feedback submitted so far; ID and email must both match.',
  owner,
  method: 'GET',
  path: '/public/surveys/:ticketId',
  allow: 'portal',
  input: { ...byTicketId, query: z.strictObject({ email: emailOfTicket }) },
  output: PublicSurvey,
  problems: ['ticket.not_found'],
});
export const submitSurvey = operation({
  name: 'tickets.submitSurvey',
  summary: 'Submit the survey of a ticket, once.',
  owner,
  method: 'POST',
  path: '/public/surveys/:ticketId',
  allow: 'portal',
  status: 201,
  idempotent: true,
  input: {
    ...byTicketId,
    body: z.strictObject({
      email: emailOfTicket,
      rating: z.number(ratingRequired).int(ratingRequired).min(1, ratingRequired).max(5, ratingRequired),
      feedback: blankToNull(surveyFeedbackLimit),
    }),
  },
  output: PublicSurvey,
  problems: ['ticket.not_found', 'survey.already_submitted'],
});
export const readTicketSurvey = operation({
  name: 'tickets.readSurvey',
  summary: 'The customer’s rating of a ticket; null until submitted.',
  owner,
  method: 'GET',
  path: '/tickets/:id/survey',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: byTicket,
  output: Survey.nullable(),
  problems: ['ticket.not_found'],
});

/** Its subject is the ticket. Events that are older than the member `ticket` lack it. */
export const surveySubmitted = event('survey.submitted', owner, z.object({ survey: Survey, ticket: Ticket.optional() }), {
  live: true,
  public: true,
});
/** An email with a link to the survey was sent to the customer for the first time. Its subject is the ticket. */
export const surveySent = event('survey.sent', 'notifications', z.object({ ticket_id: Id, sent_at: Timestamp }));
