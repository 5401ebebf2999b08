import { Injectable } from '@nestjs/common';
import { webhookEndpointChanged, webhookEndpointMissing, type DataOf, type TenantContext } from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { disableRulesWithWebhook } from './rule-disable';

/** Turns off rules whose webhook endpoint was deleted, or never existed: the tickets service has no list of endpoints. */
@Injectable()
export class RuleWebhooks {
  @Consumes(webhookEndpointChanged, { name: 'rules-of-deleted-webhooks', from: 'now' })
  async onChanged(ctx: TenantContext, { what, endpoint }: DataOf<typeof webhookEndpointChanged>, tx: TicketsTx): Promise<void> {
    // Managers and agents see the reason; the rest of the URL can contain a secret.
    if (what === 'deleted') await disableRulesWithWebhook(tx, ctx, { endpoint_id: endpoint.id, host: new URL(endpoint.url).host });
  }

  @Consumes(webhookEndpointMissing, { name: 'rules-of-missing-webhooks', from: 'now' })
  async onMissing(ctx: TenantContext, { endpoint_id }: DataOf<typeof webhookEndpointMissing>, tx: TicketsTx): Promise<void> {
    await disableRulesWithWebhook(tx, ctx, { endpoint_id, host: '' });
  }
}
