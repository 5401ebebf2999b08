import type { Survey } from '@tandem/contracts';
import { sql } from 'kysely';
import type { SentSurveyRow, SurveyRow, TicketsTx } from '../schema';

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

/** Keeps the earliest time, in any order of the events. */
export async function saveSentSurvey(tx: TicketsTx, { organization_id, ticket_id, sent_at }: SentSurveyRow): Promise<void> {
  await sql`
    insert into sent_surveys as s (organization_id, ticket_id, sent_at)
    select t.organization_id, t.id, ${sent_at} from tickets t where t.organization_id = ${organization_id} and t.id = ${ticket_id}
    on conflict (organization_id, ticket_id) do update set sent_at = least(s.sent_at, excluded.sent_at)`.execute(tx);
}
