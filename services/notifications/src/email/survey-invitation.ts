import { surveySent, type Context } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { emit } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { insertSurveyInvitation } from './delivery.store';

/** True for the first call of a ticket only, which also publishes the invitation. The caller adds the survey to its email. */
export async function inviteToSurvey(
  tx: Tx<NotificationsSchema>,
  ctx: Context,
  organization_id: string,
  ticket_id: string,
): Promise<boolean> {
  const sent_at = await insertSurveyInvitation(tx, organization_id, ticket_id);
  if (sent_at === undefined) return false;
  await emit(tx, ctx, surveySent, ticket_id, { ticket_id, sent_at });
  return true;
}
