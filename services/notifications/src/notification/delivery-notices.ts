import { Injectable } from '@nestjs/common';
import { emailBounced, emailFailed, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import { findFollowers } from '../email/delivery.store';
import { isAboutTicket } from '../email/email';
import { findEmail } from '../email/email.store';
import type { CustomerMail, EmailKind, NotificationsSchema } from '../schema';
import { onDeliveryFailure } from './notification';
import { StaffNotices } from './staff-notices';

type NotificationsTx = Tx<NotificationsSchema>;

/** Notifies staff when an email to a customer bounced or could not be sent. Failed emails to staff cause no notification. */
@Injectable()
export class DeliveryNotices {
  constructor(private readonly notices: StaffNotices) {}

  @Consumes(emailBounced, { name: 'bounce-notifications', from: 'now' })
  onBounced(ctx: Context, { email_id, kind, ticket_id }: DataOf<typeof emailBounced>, tx: NotificationsTx, envelope: Envelope) {
    return this.notify(tx, ctx, envelope, { email_id, kind, ticket_id });
  }

  @Consumes(emailFailed, { name: 'email-failure-notifications', from: 'now' })
  onFailed(ctx: Context, { email_id, kind, ticket_id }: DataOf<typeof emailFailed>, tx: NotificationsTx, envelope: Envelope) {
    return this.notify(tx, ctx, envelope, { email_id, kind, ticket_id });
  }

  private async notify(
    tx: NotificationsTx,
    ctx: Context,
    envelope: Envelope,
    { email_id, kind, ticket_id }: { email_id: string; kind: string; ticket_id: string | null },
  ): Promise<void> {
    const { organization_id } = ctx;
    if (organization_id === null || ticket_id === null || !isAboutTicket(kind as EmailKind)) return;
    const email = await findEmail(tx, 'emails', email_id);
    if (!email) return;
    const followers = await findFollowers(tx, organization_id, ticket_id);
    // For a ticket from before followers were stored: use the data of the email, and no assignee.
    const { ticket_number, subject = '' } = followers ?? (email.data as Pick<CustomerMail, 'ticket_number'> & Partial<CustomerMail>);
    const { assigned_to, watchers } = followers ?? { assigned_to: null, watchers: [] };
    const ticket = { id: ticket_id, organization_id, ticket_number, subject, assigned_to };
    await this.notices.notify(tx, ctx, envelope, onDeliveryFailure({ assigned_to, watchers }), { ticket });
  }
}
