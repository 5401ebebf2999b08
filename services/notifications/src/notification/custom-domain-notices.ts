import { Injectable } from '@nestjs/common';
import { customDomainLapsed, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { AdminNotices } from './admin-notices';

/** Warns admins that the DNS record of their custom domain is missing. */
@Injectable()
export class CustomDomainNotices {
  constructor(private readonly admins: AdminNotices) {}

  @Consumes(customDomainLapsed, { name: 'custom-domain-notifications', from: 'now' })
  async onLapsed(
    ctx: TenantContext,
    data: DataOf<typeof customDomainLapsed>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ): Promise<void> {
    if (ctx.organization_id === null) return;
    const subject = `The DNS record of ${data.domain} is missing. Until you restore it, links to your portal use your subdomain.`;
    await this.admins.notify(tx, ctx, envelope, {
      notice: { kind: 'custom_domain_lapsed', ticket_id: null, ticket_number: null, subject },
      topic: 'custom_domain',
      email: { kind: 'staff_custom_domain_lapsed', data },
    });
  }
}
