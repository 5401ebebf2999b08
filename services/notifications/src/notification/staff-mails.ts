import { Injectable } from '@nestjs/common';
import type { Context, Envelope } from '@tandem/contracts';
import { lockName, type Tx } from '@tandem/db';
import { EmailQueue } from '../email/email.queue';
import type { NotificationsSchema, StaffMail, StaffSlaMail, TicketNoticeKind } from '../schema';
import { addToDigest, countRecentStaffMails, hasRecentMail, hasUnreadNotice } from './staff-mail.store';
import { mailsBeforeDigest, staffMailWindowSeconds } from './notification';

type NotificationsTx = Tx<NotificationsSchema>;

export interface Recipient {
  organization_id: string;
  user_id: string;
  email: string;
  /** Whether the member also gets in-app notifications. */
  in_app: boolean;
}

/** Emails to staff, limited to avoid floods: the bell counts every event, but a mailbox does not have to. */
@Injectable()
export class StaffMails {
  constructor(private readonly emails: EmailQueue) {}

  /**
   * Sends one email about a customer's replies on a ticket until it is read or `staffMailWindowSeconds` have passed. Beyond
   * `mailsBeforeDigest` emails, collects events in a digest, which is an email row with a due time. The lock serializes events per address:
   * two at once would each count without the other.
   */
  async add(
    tx: NotificationsTx,
    ctx: Context,
    cause: Pick<Envelope, 'id'>,
    to: Recipient,
    kind: TicketNoticeKind,
    mail: StaffMail,
    due: StaffSlaMail['due'],
  ): Promise<void> {
    const { ticket_id, ticket_number, subject, actor_name } = mail;
    await lockName(tx, `staff-mails:${to.organization_id}:${to.email}`);
    if (kind === 'customer_replied' && (await this.wasRecentlyEmailed(tx, cause, to, mail.ticket_id))) return;
    if ((await countRecentStaffMails(tx, to)) >= mailsBeforeDigest)
      return this.addToDigestEmail(tx, ctx, cause, to, { ticket_id, ticket_number, subject, actor_name, kind, event_id: cause.id });
    if (kind === 'sla_warning' || kind === 'sla_breached' || kind === 'escalated')
      return this.emails.add(tx, ctx, cause, 'staff_sla', to.email, { ...mail, what: kind, due }, { ticket_id });
    return this.emails.add(tx, ctx, cause, `staff_${kind}`, to.email, mail, { ticket_id });
  }

  /**
   * Whether a recent email already covers this reply because the earlier notification is still unread. Without in-app notifications read
   * state is unknown, so only the time counts.
   */
  private async wasRecentlyEmailed(tx: NotificationsTx, cause: Pick<Envelope, 'id'>, to: Recipient, ticket_id: string): Promise<boolean> {
    if (!(await hasRecentMail(tx, to, ticket_id))) return false;
    return !to.in_app || (await hasUnreadNotice(tx, to, ticket_id, cause.id));
  }

  private async addToDigestEmail(
    tx: NotificationsTx,
    ctx: Context,
    cause: Pick<Envelope, 'id'>,
    to: Recipient,
    item: Parameters<typeof addToDigest>[2],
  ) {
    if (await addToDigest(tx, to, item)) return;
    const delayMs = staffMailWindowSeconds * 1_000;
    await this.emails.add(tx, ctx, cause, 'staff_digest', to.email, { items: [item], more: 0 }, { delayMs });
  }
}
