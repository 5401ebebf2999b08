import { Injectable } from '@nestjs/common';
import { mailServerChanged, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { AdminNotices } from './admin-notices';

/** Warns admins that emails to customers wait for their own mail server. */
@Injectable()
export class MailServerNotices {
  constructor(private readonly admins: AdminNotices) {}

  @Consumes(mailServerChanged, { name: 'mail-server-notifications', from: 'now' })
  async onChange(
    ctx: TenantContext,
    { what, host, failure }: DataOf<typeof mailServerChanged>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ): Promise<void> {
    if (what !== 'failing' || failure === null) return;
    const subject = `${host} does not accept emails to your customers. They wait until it works again. Check the email settings.`;
    await this.admins.notify(tx, ctx, envelope, {
      notice: { kind: 'mail_server_failing', ticket_id: null, ticket_number: null, subject },
      topic: 'custom_domain',
      email: { kind: 'staff_mail_server_failing', data: { host, since: failure.since, error: failure.error } },
    });
  }
}
