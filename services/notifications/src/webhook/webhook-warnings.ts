import { Injectable } from '@nestjs/common';
import { type TenantContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { AdminNotices } from '../notification/admin-notices';
import { announce } from './webhook-endpoint.service';
import { updateEndpoint, type EndpointRow, type WebhookTx } from './webhook-endpoint.store';

/** Stops deliveries to an endpoint; undefined if it is no longer active. The caller has locked or updated the row. */
export async function disableEndpoint(
  tx: WebhookTx,
  ctx: TenantContext,
  endpoint: Pick<EndpointRow, 'organization_id' | 'id'>,
  reason: 'failing' | 'gone',
): Promise<EndpointRow | undefined> {
  const disabled = await tx
    .updateTable('webhook_endpoints')
    .set({ state: 'disabled', disabled_reason: reason })
    .where('organization_id', '=', endpoint.organization_id)
    .where('id', '=', endpoint.id)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (disabled) await announce(tx, ctx, 'disabled', disabled, { state: { from: 'active', to: 'disabled' } });
  return disabled;
}

export const setWarnedHours = (tx: WebhookTx, endpoint: EndpointRow, warned_hours: number): Promise<EndpointRow> =>
  updateEndpoint(tx, endpoint, { warned_hours });

/** Notifies all admins that an endpoint is failing or was disabled. */
@Injectable()
export class WebhookWarnings {
  constructor(private readonly admins: AdminNotices) {}

  async warn(tx: WebhookTx, ctx: TenantContext, endpoint: EndpointRow, last_error: string | null): Promise<void> {
    const { url, failing_since, disabled_reason: disabled } = endpoint;
    const subject = disabled
      ? `The webhook endpoint ${url} was disabled. Fix the receiver, then resume it in the settings.`
      : `The webhook endpoint ${url} is failing. Fix the receiver before it is disabled.`;
    // A new event ID per warning, because notices are sent once per event. The endpoint is updated in the same transaction, so each
    // warning is sent once.
    const cause = { id: newId(), time: new Date().toISOString() };
    await this.admins.notify(tx, ctx, cause, {
      notice: { kind: 'webhook_failing', ticket_id: null, ticket_number: null, subject },
      topic: 'webhooks',
      email: {
        kind: 'staff_webhook_failing',
        data: { url, since: disabled === 'gone' ? null : failing_since, last_error, disabled },
      },
    });
  }
}
