import { Inject, Injectable } from '@nestjs/common';
import { matches, publicEvents, ticketRuleRan, webhookEndpointMissing, type DataOf, type TenantContext } from '@tandem/contracts';
import { afterCommit, newId } from '@tandem/db';
import { ConsumesBatch, emit, type BatchedEvent } from '@tandem/messaging';
import type { NotificationsConfig } from '../config';
import { buildEvent, isTooLarge, type BuiltEvent, type PublicEventData } from './webhook-body';
import { WebhookDeliveryWorker } from './webhook-delivery.worker';
import { findEndpoint, type EndpointRow, type WebhookTx } from './webhook-endpoint.store';
import { findSubscribed, insertEvent, type NewDelivery, type Subscribers } from './webhook-event.store';

/** Stores every public event and its deliveries. One consumer for all of them, so that the events of a ticket or an article are stored in their order. */
@Injectable()
export class WebhookEvents {
  constructor(
    private readonly worker: WebhookDeliveryWorker,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  @ConsumesBatch(publicEvents, { name: 'webhook-events', from: 'now' })
  async store(events: readonly BatchedEvent[], tx: WebhookTx): Promise<void> {
    const { organization_id } = events[0]!.ctx;
    if (organization_id === null) return;
    const found = new Map<string, Promise<Subscribers>>();
    const subscribed = events.map(({ ctx, data, envelope: { type, actor } }) => {
      if (type === ticketRuleRan.type) return findNamed(tx, { ...ctx, organization_id }, data as DataOf<typeof ticketRuleRan>);
      const user_id = actor.type === 'user' ? actor.user_id : null;
      const key = `${type} ${user_id}`;
      const subscribers = found.get(key) ?? findSubscribed(tx, organization_id, { type, user_id });
      found.set(key, subscribers);
      return subscribers;
    });
    for (const [i, subscribers] of (await Promise.all(subscribed)).entries()) this.storeOne(tx, organization_id, events[i]!, subscribers);
  }

  private storeOne(
    tx: WebhookTx,
    organization_id: string,
    { ctx, data, envelope: { id, type, time, sequence, actor } }: BatchedEvent,
    { endpoints, member }: Subscribers,
  ): void {
    const memberName = [member.first_name, member.last_name].filter(Boolean).join(' ') || null;
    const actor_name = actor.type === 'token' ? actor.name : memberName;
    const event = buildEvent({ id, type, time, sequence, actor }, data as PublicEventData, {
      organization_id,
      actor_name,
      public_url: this.config.PUBLIC_URL,
    });
    const isByRule = type === ticketRuleRan.type;
    if (!event || (isByRule && endpoints.length === 0)) return;
    const [body, thin_body] = [JSON.stringify(event.full), JSON.stringify(event.thin)];
    const isLarge = isTooLarge(body);
    const deliveries = endpoints.filter((endpoint) => isByRule || wants(endpoint, event)).map((endpoint) => deliveryTo(endpoint, isLarge));
    const tenant = { ...ctx, organization_id };
    const onClaimed = (claimed: Set<string>) => {
      for (const { id: delivery_id, endpoint, payload, state } of deliveries) {
        if (state !== 'pending') continue;
        const delivery = { id: delivery_id, event_id: id, event: type, cause: 'event', attempts: 0 } as const;
        if (claimed.has(delivery_id))
          afterCommit(tx, () => this.worker.send(tenant, endpoint, { ...delivery, body: payload === 'thin' ? thin_body : body }));
        else this.worker.wake(tx, tenant, endpoint.id, delivery_id);
      }
    };
    insertEvent(
      tx,
      {
        organization_id,
        id,
        type,
        ticket_id: event.ticket?.id ?? null,
        ticket_number: event.ticket?.ticket_number ?? null,
        sequence,
        occurred_at: time,
        is_internal: event.is_internal,
        body,
        thin_body,
      },
      deliveries,
      { canClaim: this.worker.canStart, onClaimed },
    );
  }
}

/** The endpoint that a rule names. If there is none, the tickets service turns the rule off. */
async function findNamed(tx: WebhookTx, ctx: TenantContext, { endpoint_id }: DataOf<typeof ticketRuleRan>): Promise<Subscribers> {
  const endpoint = await findEndpoint(tx, ctx.organization_id, endpoint_id);
  if (!endpoint) await emit(tx, ctx, webhookEndpointMissing, endpoint_id, { endpoint_id });
  return { endpoints: endpoint ? [endpoint] : [], member: { first_name: null, last_name: null } };
}

/** Whether an endpoint that subscribes to the type of the event receives it. */
function wants({ condition, include_internal_notes }: EndpointRow, { is_internal, ticket }: BuiltEvent): boolean {
  if (is_internal && !include_internal_notes) return false;
  return condition === null || (ticket !== null && matches(condition, ticket));
}

/** A row is also stored for a paused or disabled endpoint: a replay reads it later. */
const deliveryTo = (endpoint: EndpointRow, isLarge: boolean): NewDelivery & { endpoint: EndpointRow } => ({
  id: newId(),
  endpoint_id: endpoint.id,
  endpoint,
  payload: isLarge ? 'thin' : endpoint.payload,
  state: endpoint.state === 'active' ? 'pending' : 'skipped',
});
