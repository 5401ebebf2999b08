import type { Context } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { EmailData, NotificationsSchema } from '../schema';
import { findStatusVersion } from './delivery.store';
import { deleteEmail, saveEmailData, type Email } from './email.store';
import { inviteToSurvey } from './survey-invitation';

type EmailTx = Tx<NotificationsSchema>;

/** Emails about a new status. They wait before they are sent, because staff can undo the change (`STATUS_EMAIL_DELAY_SECONDS`). */
const statusKinds = ['ticket_waiting', 'ticket_resolved', 'survey_invitation'] as const;
type StatusKind = (typeof statusKinds)[number];
const isStatusKind = (kind: string): kind is StatusKind => (statusKinds as readonly string[]).includes(kind);

/**
 * The email to send now for a claimed email. Undefined if there is nothing left to send, because the status has changed since or the
 * survey has been sent with another email; the email is then deleted, as if it had never been queued. Decides about the survey in the
 * transaction of the claim, so that a worker that is killed afterwards has not lost it.
 */
export async function finishStatusEmail(tx: EmailTx, ctx: Context, email: Email): Promise<Email | undefined> {
  const { id, organization_id, ticket_id } = email;
  if (!isStatusKind(email.kind) || !organization_id || !ticket_id) return email;
  const data = email.data as EmailData[StatusKind];
  if (data.status_version !== undefined) {
    const latest = await findStatusVersion(tx, organization_id, ticket_id);
    if (latest !== undefined && latest > data.status_version) return void (await deleteEmail(tx, 'emails', id));
  }
  if (!('survey' in data) || data.survey !== null) return email;
  const survey = await inviteToSurvey(tx, ctx, organization_id, ticket_id);
  if (email.kind === 'survey_invitation' && !survey) return void (await deleteEmail(tx, 'emails', id));
  await saveEmailData(tx, id, { ...data, survey });
  return { ...email, data: { ...data, survey } };
}
