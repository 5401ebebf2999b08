import type { listWebhookDeliveries, InputOf, WebhookAttempt } from '@tandem/contracts';
import { sql } from 'kysely';
import type { WebhookTx } from './webhook-endpoint.store';

const columns = [
  'organization_id',
  'id',
  'endpoint_id',
  'event_id',
  'event',
  'ticket_id',
  'ticket_number',
  'payload',
  'state',
  'cause',
  'attempts',
  'last_status',
  'last_error',
  'next_attempt_at',
  'delivered_at',
  'created_at',
] as const;

type Filter = Pick<InputOf<typeof listWebhookDeliveries>['query'], 'state' | 'event' | 'from' | 'to'>;
type Owner = { endpoint_id: string; ticket_id?: string | undefined } | { endpoint_id?: undefined; ticket_id: string };

/** The deliveries of an endpoint, of a ticket, or of a ticket to an endpoint, for `paginate`. */
export function deliveriesOf(
  tx: WebhookTx,
  organization_id: string,
  { endpoint_id, ticket_id }: Owner,
  { state, event, from, to }: Filter,
) {
  let query = tx.selectFrom('webhook_deliveries').select(columns).where('organization_id', '=', organization_id);
  if (endpoint_id !== undefined) query = query.where('endpoint_id', '=', endpoint_id);
  if (ticket_id !== undefined) query = query.where('ticket_id', '=', ticket_id);
  if (state !== undefined) query = query.where('state', '=', state);
  // The partial index contains these states only, and PostgreSQL cannot infer it from a parameter.
  if (state !== undefined && state !== 'delivered') query = query.where('state', '<>', sql.lit('delivered'));
  if (event !== undefined) query = query.where('event', '=', event);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return query;
}

export const findDeliveries = (tx: WebhookTx, organization_id: string, ids: string[]) =>
  tx.selectFrom('webhook_deliveries').select(columns).where('organization_id', '=', organization_id).where('id', 'in', ids).execute();
export type Delivery = Awaited<ReturnType<typeof findDeliveries>>[number];

export const findBody = async (
  tx: WebhookTx,
  organization_id: string,
  { event_id, payload }: Pick<Delivery, 'event_id' | 'payload'>,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('webhook_events')
      .select(payload === 'thin' ? 'thin_body as text' : 'body as text')
      .where('organization_id', '=', organization_id)
      .where('id', '=', event_id)
      .executeTakeFirst()
  )?.text;

export const findAttempts = (tx: WebhookTx, organization_id: string, delivery_id: string): Promise<WebhookAttempt[]> =>
  tx
    .selectFrom('webhook_attempts')
    .select(['number', 'at', 'duration_ms', 'status', 'error', 'remote_address', 'request_headers', 'response_headers', 'response_body'])
    .where('organization_id', '=', organization_id)
    .where('delivery_id', '=', delivery_id)
    .orderBy('number')
    .execute();
