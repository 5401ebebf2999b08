import { Controller } from '@nestjs/common';
import {
  AppError,
  readPublicSurvey,
  readTicketSurvey,
  submitSurvey,
  surveySubmitted,
  type Context,
  type InputOf,
  type PublicSurvey,
  type Survey,
  type Ticket,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { asCustomer, assertCustomerOwns } from '../portal/customer';
import type { TicketsSchema, TicketsTx } from '../schema';
import { checkTicket } from '../ticket/ticket.service';
import { findTicketById } from '../ticket/ticket.store';
import { findSurvey, insertSurvey } from './survey.store';

/** Customer satisfaction surveys: one answer per ticket, read by staff. A merge leaves the answer with its ticket. */
@Controller()
export class SurveyService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readPublicSurvey)
  readPublic(ctx: Context, { params, query }: InputOf<typeof readPublicSurvey>): Promise<PublicSurvey> {
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = assertCustomerOwns(await findTicketById(tx, params.ticketId), query.email);
      return publicSurvey(ticket, await findSurvey(tx, ticket.id));
    });
  }

  @Handles(submitSurvey)
  submit(ctx: Context, { params, body }: InputOf<typeof submitSurvey>): Promise<PublicSurvey> {
    const { email, ...answer } = body;
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = assertCustomerOwns(await findTicketById(tx, params.ticketId), email);
      const survey = await saveSurvey(tx, asCustomer(ctx), ticket, answer, new Date().toISOString());
      if (!survey) throw new AppError('survey.already_submitted');
      // Again, because the insert has waited for a transaction that anonymizes the ticket.
      assertCustomerOwns(await findTicketById(tx, params.ticketId), email);
      return storeResponse(tx, publicSurvey(ticket, survey));
    });
  }

  @Handles(readTicketSurvey)
  read(ctx: Context, { params }: InputOf<typeof readTicketSurvey>): Promise<Survey | null> {
    const read = async (tx: TicketsTx) => {
      const [survey] = await Promise.all([findSurvey(tx, params.id), checkTicket(tx, params.id)]);
      return survey ?? null;
    };
    return this.db.readTenant(ctx, read, { isPrepared: true });
  }
}

/** Saves and announces a customer's answer. Undefined if the ticket already has one. */
export async function saveSurvey(
  tx: TicketsTx,
  ctx: Context,
  ticket: Ticket,
  answer: Pick<Survey, 'rating' | 'feedback'>,
  created_at: string,
): Promise<Survey | undefined> {
  const { id: ticket_id, organization_id, customer_email } = ticket;
  const survey = await insertSurvey(tx, { organization_id, ticket_id, customer_email, ...answer, created_at });
  if (survey) await emit(tx, ctx, surveySubmitted, ticket_id, { survey, ticket });
  return survey;
}

const publicSurvey = (
  { id, ticket_number, subject, status, customer_name, language }: Ticket,
  survey: Survey | undefined,
): PublicSurvey => ({
  ticket: { id, ticket_number, subject, status, customer_name, language },
  survey: survey ? { rating: survey.rating, feedback: survey.feedback, created_at: survey.created_at } : null,
});
