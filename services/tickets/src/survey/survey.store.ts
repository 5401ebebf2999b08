import type { Survey } from '@tandem/contracts';
import type { SurveyRow, TicketsTx } from '../schema';

const shown = ['ticket_id', 'customer_email', 'rating', 'feedback', 'created_at'] as const;

/** Undefined if the ticket already has an answer: of two concurrent ones the first is kept. */
export const insertSurvey = (tx: TicketsTx, survey: SurveyRow): Promise<Survey | undefined> =>
  tx
    .insertInto('surveys')
    .values(survey)
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doNothing())
    .returning(shown)
    .executeTakeFirst();

export const findSurvey = (tx: TicketsTx, ticket_id: string): Promise<Survey | undefined> =>
  tx.selectFrom('surveys').select(shown).where('ticket_id', '=', ticket_id).executeTakeFirst();
