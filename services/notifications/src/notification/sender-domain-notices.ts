import { Injectable } from '@nestjs/common';
import { senderDomainChanged, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { AdminNotices } from './admin-notices';

/** Warns admins that emails no longer come from their own domain. */
@Injectable()
export class SenderDomainNotices {
  constructor(private readonly admins: AdminNotices) {}

  @Consumes(senderDomainChanged, { name: 'sender-domain-notifications', from: 'now' })
  async onChange(
    ctx: TenantContext,
    { what, domain }: DataOf<typeof senderDomainChanged>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ): Promise<void> {
    if (what !== 'lapsed') return;
    const subject = `The DNS record of ${domain} is missing or wrong. Until you restore it, emails to customers come from our domain.`;
    await this.admins.notify(tx, ctx, envelope, {
      notice: { kind: 'sender_domain_lapsed', ticket_id: null, ticket_number: null, subject },
      topic: 'custom_domain',
      email: { kind: 'staff_sender_domain_lapsed', data: { domain } },
    });
  }
}
