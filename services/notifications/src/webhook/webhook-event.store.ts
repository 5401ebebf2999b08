import type { WebhookEventType } from '@tandem/contracts/values';
import { sql } from 'kysely';
import type { WebhookEventRow } from '../schema';
import type { EndpointRow, WebhookTx } from './webhook-endpoint.store';

export type NewEvent = Omit<WebhookEventRow, 'position' | 'created_at'>;
export interface NewDelivery {
  id: string;
  endpoint_id: string;
  payload: 'full' | 'thin';
  state: 'pending' | 'skipped';
}

/**
 * Stores an event at the organization's next position, and its deliveries, in one statement. The row lock on the position is held until the
 * commit: a later position can therefore never become visible before an earlier one. It is the transaction's last statement, so that the
 * lock is short.
 */
export async function insertEvent(tx: WebhookTx, event: NewEvent, deliveries: NewDelivery[]): Promise<void> {
  const { organization_id, id, type, ticket_id, ticket_number, sequence, occurred_at, is_internal, body, thin_body } = event;
  await sql`
    with place as (
      insert into webhook_positions (organization_id, last) values (${organization_id}, 1)
      on conflict (organization_id) do update set last = webhook_positions.last + 1
      returning last
    ), added as (
      insert into webhook_events
        (organization_id, id, position, type, ticket_id, ticket_number, sequence, occurred_at, is_internal, body, thin_body)
      select ${organization_id}::uuid, ${id}::uuid, last, ${type}, ${ticket_id}::uuid, ${ticket_number}, ${sequence}::integer,
        ${occurred_at}::timestamptz, ${is_internal}::boolean, ${body}, ${thin_body}
      from place
    )
    insert into webhook_deliveries
      (organization_id, id, endpoint_id, event_id, event, ticket_id, ticket_number, payload, state, cause, next_attempt_at)
    select ${organization_id}::uuid, d.id, d.endpoint_id, ${id}::uuid, ${type}, ${ticket_id}::uuid, ${ticket_number}, d.payload, d.state,
      'event', case when d.state = 'pending' then now() end
    from unnest(
      ${deliveries.map((delivery) => delivery.id)}::uuid[],
      ${deliveries.map(({ endpoint_id }) => endpoint_id)}::uuid[],
      ${deliveries.map(({ payload }) => payload)}::text[],
      ${deliveries.map(({ state }) => state)}::text[]
    ) as d (id, endpoint_id, payload, state)`.execute(tx);
}

/** A sample has no position, so that it never appears in the feed. */
export async function insertSample(tx: WebhookTx, event: NewEvent): Promise<void> {
  await tx
    .insertInto('webhook_events')
    .values({ ...event, position: null })
    .execute();
}

/** The endpoints that an event may concern; which of them want it is decided by `wants`. */
export const findSubscribed = (tx: WebhookTx, organization_id: string, type: string): Promise<EndpointRow[]> =>
  tx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('events', '=', sql<WebhookEventType[]>`'{}'`), sql<boolean>`${type} = any (events)`]))
    .execute();

export const findMemberName = (tx: WebhookTx, organization_id: string, user_id: string) =>
  tx
    .selectFrom('members')
    .select(['first_name', 'last_name'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();

export const findLastPosition = async (tx: WebhookTx, organization_id: string): Promise<number> =>
  (await tx.selectFrom('webhook_positions').select('last').where('organization_id', '=', organization_id).executeTakeFirst())?.last ?? 0;

/** The next events after a position, in order. */
export const findChanges = (
  tx: WebhookTx,
  organization_id: string,
  { after, limit, internal }: { after: string; limit: number; internal: boolean },
) =>
  tx
    .selectFrom('webhook_events')
    .select(['position', 'body'])
    .where('organization_id', '=', organization_id)
    .where('position', '>', sql<number>`${after}::bigint`)
    .$if(!internal, (query) => query.where('is_internal', '=', false))
    .orderBy('position')
    .limit(limit)
    .execute();
