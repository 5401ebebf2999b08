import { Injectable } from '@nestjs/common';
import { senderDomainChanged, type DataOf, type TenantContext } from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import type { TicketsTx } from '../schema';

/** A copy of the sender domains at which bounces arrive: their envelope names no organization. */
@Injectable()
export class BounceDomains {
  @Consumes(senderDomainChanged, { name: 'bounce-domain-projection', from: 'beginning' })
  async save({ organization_id }: TenantContext, { what, domain }: DataOf<typeof senderDomainChanged>, tx: TicketsTx): Promise<void> {
    if (what !== 'bounces_verified') return;
    await tx
      .insertInto('bounce_domains')
      .values({ organization_id, domain })
      .onConflict((conflict) => conflict.columns(['organization_id', 'domain']).doNothing())
      .execute();
  }
}
