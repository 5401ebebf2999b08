import { Inject, Injectable } from '@nestjs/common';
import { deliverWebhook, matches, publicEvents, type Context, type Envelope } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { Consumes, Jobs } from '@tandem/messaging';
import type { NotificationsConfig } from '../config';
import { buildEvent, isTooLarge, type BuiltEvent, type PublicEventData } from './webhook-body';
import type { EndpointRow, WebhookTx } from './webhook-endpoint.store';
import { findMemberName, findSubscribed, insertEvent, type NewDelivery } from './webhook-event.store';

/** Stores every public event and its deliveries. One consumer for all of them, so that a ticket's events are stored in their order. */
@Injectable()
export class WebhookEvents {
  constructor(
    private readonly jobs: Jobs,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  @Consumes(publicEvents, { name: 'webhook-events', from: 'now' })
  async store(ctx: Context, data: unknown, tx: WebhookTx, envelope: Envelope): Promise<void> {
    const { organization_id } = ctx;
    if (organization_id === null) return;
    const actor_name = await this.nameOf(tx, organization_id, envelope.actor);
    const event = buildEvent(envelope, data as PublicEventData, { actor_name, public_url: this.config.PUBLIC_URL });
    if (!event) return;
    const body = JSON.stringify(event.full);
    const isLarge = isTooLarge(body);
    const subscribed = await findSubscribed(tx, organization_id, envelope.type);
    const deliveries = subscribed.filter((endpoint) => wants(endpoint, event)).map((endpoint) => deliveryTo(endpoint, isLarge));
    for (const { endpoint_id, id, state } of deliveries) {
      if (state === 'pending') this.jobs.add(tx, { ...ctx, organization_id }, deliverWebhook, { endpoint_id }, { id });
    }
    await insertEvent(
      tx,
      {
        organization_id,
        id: envelope.id,
        type: envelope.type,
        ticket_id: event.ticket.id,
        ticket_number: event.ticket.ticket_number,
        sequence: envelope.sequence,
        occurred_at: envelope.time,
        is_internal: event.is_internal,
        body,
        thin_body: JSON.stringify(event.thin),
      },
      deliveries,
    );
  }

  private async nameOf(tx: WebhookTx, organization_id: string, actor: Envelope['actor']): Promise<string | null> {
    if (actor.type === 'token') return actor.name;
    if (actor.type !== 'user') return null;
    const member = await findMemberName(tx, organization_id, actor.user_id);
    return [member?.first_name, member?.last_name].filter(Boolean).join(' ') || null;
  }
}

/** Whether an endpoint that subscribes to the type of the event receives it. */
function wants({ condition, include_internal_notes }: EndpointRow, { is_internal, ticket }: BuiltEvent): boolean {
  if (is_internal && !include_internal_notes) return false;
  return condition === null || matches(condition, ticket);
}

/** A row is also stored for a paused or disabled endpoint: it is what a replay finds later. */
const deliveryTo = ({ id, payload, state }: EndpointRow, isLarge: boolean): NewDelivery => ({
  id: newId(),
  endpoint_id: id,
  payload: isLarge ? 'thin' : payload,
  state: state === 'active' ? 'pending' : 'skipped',
});
