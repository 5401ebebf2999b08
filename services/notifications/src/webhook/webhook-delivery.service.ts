import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  deliverWebhook,
  listTicketWebhookDeliveries,
  listWebhookDeliveries,
  readWebhookDelivery,
  redeliverWebhooks,
  testWebhookEndpoint,
  type InputOf,
  type Page,
  type TenantContext,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from '@tandem/contracts';
import { Database, newId, paginate } from '@tandem/db';
import { Handles, Jobs, storeResponse } from '@tandem/messaging';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import { actorId, isTooLarge, sampleEvent, webhookEventId } from './webhook-body';
import { deliveriesOf, findAttempts, findBody, findDeliveries, type Delivery } from './webhook-log.store';
import { insertDeliveries } from './webhook-delivery.store';
import { findEndpoint, type EndpointRow, type WebhookTx } from './webhook-endpoint.store';
import { findMemberName, insertSample } from './webhook-event.store';

type NewDelivery = Parameters<typeof insertDeliveries>[1][number];

/** The log of deliveries, and deliveries that a user requests: a retry, or a test. */
@Controller()
export class WebhookDeliveryService {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly jobs: Jobs,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  @Handles(listWebhookDeliveries)
  list(ctx: TenantContext, { params, query }: InputOf<typeof listWebhookDeliveries>): Promise<Page<WebhookDelivery>> {
    return this.db.forTenant(ctx, async (tx) => {
      await getEndpoint(tx, ctx, params.id);
      const owner = { endpoint_id: params.id, ticket_id: query.ticket_id };
      return shownPage(await paginate(tx, deliveriesOf(tx, ctx.organization_id, owner, query), query));
    });
  }

  @Handles(listTicketWebhookDeliveries)
  listOfTicket(ctx: TenantContext, { params, query }: InputOf<typeof listTicketWebhookDeliveries>): Promise<Page<WebhookDelivery>> {
    return this.db.forTenant(ctx, async (tx) =>
      shownPage(await paginate(tx, deliveriesOf(tx, ctx.organization_id, { ticket_id: params.id }, query), query)),
    );
  }

  @Handles(readWebhookDelivery)
  read(ctx: TenantContext, { params }: InputOf<typeof readWebhookDelivery>): Promise<WebhookDeliveryDetails> {
    return this.db.forTenant(ctx, async (tx) => {
      const [delivery] = await findDeliveries(tx, ctx.organization_id, [params.id]);
      const body = delivery && (await findBody(tx, ctx.organization_id, delivery));
      if (!delivery || body === undefined) throw new AppError('webhook_delivery.not_found');
      return { ...shown(delivery), body, attempt_log: await findAttempts(tx, ctx.organization_id, delivery.id) };
    });
  }

  @Handles(redeliverWebhooks)
  redeliver(ctx: TenantContext, { body }: InputOf<typeof redeliverWebhooks>): Promise<WebhookDelivery[]> {
    const { organization_id } = ctx;
    const ids = [...new Set(body.ids)];
    return this.db.forTenant(ctx, async (tx) => {
      const found = await findDeliveries(tx, organization_id, ids);
      if (found.length < ids.length) throw new AppError('webhook_delivery.not_found');
      for (const endpoint_id of new Set(found.map((delivery) => delivery.endpoint_id))) {
        const endpoint = await findEndpoint(tx, organization_id, endpoint_id);
        if (endpoint?.state !== 'active') throw new AppError('webhook_endpoint.not_active');
      }
      const byId = new Map(found.map((delivery) => [delivery.id, delivery]));
      const again = ids.map((id) => copyOf(byId.get(id)!));
      return storeResponse(tx, await this.add(tx, ctx, again));
    });
  }

  @Handles(testWebhookEndpoint)
  test(ctx: TenantContext, { params, body }: InputOf<typeof testWebhookEndpoint>): Promise<WebhookDelivery> {
    const { organization_id, actor } = ctx;
    return this.db.forTenant(ctx, async (tx) => {
      const endpoint = await getEndpoint(tx, ctx, params.id);
      const [id, now] = [newId(), new Date().toISOString()];
      const member = actor.type === 'user' ? await findMemberName(tx, organization_id, actor.user_id) : undefined;
      const name = actor.type === 'token' ? actor.name : [member?.first_name, member?.last_name].filter(Boolean).join(' ') || null;
      const by = { type: actor.type, id: actorId(actor), name };
      const event = sampleEvent(body.event, { id, organization_id, now, actor: by }, this.config.PUBLIC_URL);
      const full = JSON.stringify(event.full);
      await insertSample(tx, {
        organization_id,
        id,
        type: body.event,
        ticket_id: null,
        ticket_number: null,
        sequence: 1,
        occurred_at: now,
        is_internal: false,
        body: full,
        thin_body: JSON.stringify(event.thin),
      });
      const [delivery] = await this.add(tx, ctx, [
        {
          organization_id,
          endpoint_id: endpoint.id,
          event_id: id,
          event: body.event,
          ticket_id: null,
          ticket_number: null,
          payload: isTooLarge(full) ? ('thin' as const) : endpoint.payload,
          cause: 'test' as const,
        },
      ]);
      return delivery!;
    });
  }

  private async add(tx: WebhookTx, ctx: TenantContext, wanted: Omit<NewDelivery, 'id' | 'state'>[]): Promise<WebhookDelivery[]> {
    const now = new Date().toISOString();
    const rows = wanted.map((delivery) => ({ ...delivery, id: newId(), state: 'pending' as const, next_attempt_at: now, created_at: now }));
    await insertDeliveries(tx, rows);
    for (const { id, endpoint_id } of rows) this.jobs.add(tx, ctx, deliverWebhook, { endpoint_id }, { id });
    const added = await findDeliveries(
      tx,
      ctx.organization_id,
      rows.map(({ id }) => id),
    );
    const byId = new Map(added.map((delivery) => [delivery.id, delivery]));
    return rows.map(({ id }) => shown(byId.get(id)!));
  }
}

async function getEndpoint(tx: WebhookTx, { organization_id }: TenantContext, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(tx, organization_id, id);
  if (!endpoint) throw new AppError('webhook_endpoint.not_found');
  return endpoint;
}

const copyOf = ({ organization_id, endpoint_id, event_id, event, ticket_id, ticket_number, payload }: Delivery) => ({
  organization_id,
  endpoint_id,
  event_id,
  event,
  ticket_id,
  ticket_number,
  payload,
  cause: 'redelivery' as const,
});

/** A delivery as the API returns it. */
function shown({ organization_id: _, payload: __, event_id, ...delivery }: Delivery): WebhookDelivery {
  return { ...delivery, event_id: webhookEventId(event_id) };
}

const shownPage = ({ items, pagination }: Page<Delivery>): Page<WebhookDelivery> => ({ items: items.map(shown), pagination });
