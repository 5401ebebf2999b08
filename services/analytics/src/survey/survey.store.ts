import { executePrepared, lockName, lockNameShared } from '@tandem/db';
import { sql } from 'kysely';
import { markDirty } from '../day-roll-ups/dirty-days.store';
import { findTimeZone, updateCounts } from '../organization/organization.store';
import type { AnalyticsTx, SurveyColumns } from '../schema';
import { noCounts } from '../ticket-facts/ticket-facts';

interface TicketId {
  organization_id: string;
  ticket_id: string;
}

/** A ticket has one rating, and one time at which its survey was sent first. */
export const merged = (before: SurveyColumns, { survey_sent_at, rating, feedback, rated_at }: SurveyColumns): SurveyColumns => ({
  survey_sent_at: [before.survey_sent_at, survey_sent_at].filter((at) => at !== null).sort()[0] ?? null,
  ...(rating === null ? { rating: before.rating, feedback: before.feedback, rated_at: before.rated_at } : { rating, feedback, rated_at }),
});
export const surveyColumns = ['survey_sent_at', 'rating', 'feedback', 'rated_at'] as const;

/** Until the commit, the first event of the ticket waits, or this one for it: neither can miss the other's row. */
export async function lockSurvey(tx: AnalyticsTx, { organization_id, ticket_id }: TicketId): Promise<void> {
  await lockNameShared(tx, `surveys/${organization_id}`);
  await lockName(tx, `survey/${ticket_id}`);
}
/** The same for all tickets of an organization. */
export const lockSurveys = (tx: AnalyticsTx, organization_id: string) => lockName(tx, `surveys/${organization_id}`);

/** Saves the survey data of an event. The ticket's own events may not have arrived yet. Returns whether a figure changed. */
export async function saveSurvey(tx: AnalyticsTx, id: TicketId, survey: SurveyColumns): Promise<boolean> {
  await lockSurvey(tx, id);
  const fact = await tx
    .selectFrom('ticket_facts')
    .select(['created_day', ...surveyColumns])
    .where('ticket_id', '=', id.ticket_id)
    .forUpdate()
    .executeTakeFirst();
  if (!fact) {
    const early = await tx.selectFrom('early_surveys').select(surveyColumns).where('ticket_id', '=', id.ticket_id).executeTakeFirst();
    const after = early ? merged(early, survey) : survey;
    await tx
      .insertInto('early_surveys')
      .values({ ...id, ...after })
      .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doUpdateSet(after))
      .execute();
    return false;
  }
  const after = merged(fact, survey);
  if (surveyColumns.every((column) => after[column] === fact[column])) return false;
  await tx.updateTable('ticket_facts').set(after).where('ticket_id', '=', id.ticket_id).execute();
  await markDirty(tx, id.organization_id, [fact.created_day]);
  await updateCounts(tx, id.organization_id, noCounts, await findTimeZone(tx));
  return true;
}

/** For a ticket whose first event has just been applied. */
export async function applyEarlySurvey(tx: AnalyticsTx, id: TicketId): Promise<void> {
  await lockSurvey(tx, id);
  const statement = sql<SurveyColumns>`
    delete from early_surveys where ticket_id = ${id.ticket_id} returning survey_sent_at, rating, feedback, rated_at`;
  const { rows } = await executePrepared(tx, statement.compile(tx));
  if (rows[0]) await tx.updateTable('ticket_facts').set(rows[0]).where('ticket_id', '=', id.ticket_id).execute();
}
