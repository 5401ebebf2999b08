import { articleEventTypes, ruleEventType, webhookRules } from '@tandem/contracts/values';
import { beforeCommit, executePrepared } from '@tandem/db';
import { sql, type RawBuilder } from 'kysely';
import type { WebhookEventRow } from '../schema';
import { leaseSeconds } from './webhook-delivery.store';
import { endpointColumns, type EndpointRow, type WebhookTx } from './webhook-endpoint.store';

export type NewEvent = Omit<WebhookEventRow, 'position' | 'created_at'>;
export interface NewDelivery {
  id: string;
  endpoint_id: string;
  payload: 'full' | 'thin';
  state: 'pending' | 'skipped';
}

/**
 * Stores an event at the organization's next position, and its deliveries, with the commit of the transaction, because it locks the position.
 * Claims the deliveries that this process can send right after the commit, and calls `onClaimed` with their IDs.
 */
export function insertEvent(
  tx: WebhookTx,
  event: NewEvent,
  deliveries: NewDelivery[],
  { canClaim, onClaimed }: { canClaim: boolean; onClaimed?: (ids: Set<string>) => void },
): void {
  beforeCommit(tx, eventStatement(event, deliveries, canClaim), { onRows: ([row]) => onClaimed?.(new Set(row!.claimed)) });
}

/** Locks the organization's position until the transaction ends. */
export function eventStatement(event: NewEvent, deliveries: NewDelivery[], canClaim: boolean): RawBuilder<{ claimed: string[] }> {
  const { organization_id, id, type, ticket_id, ticket_number, sequence, occurred_at, is_internal, body, thin_body } = event;
  return sql`
    select store_webhook_event(
      ${organization_id}, ${id}, ${type}, ${ticket_id}, ${ticket_number}, ${sequence}, ${occurred_at}, ${is_internal}, ${body}, ${thin_body},
      ${deliveries.map((delivery) => delivery.id)}, ${deliveries.map(({ endpoint_id }) => endpoint_id)},
      ${deliveries.map(({ payload }) => payload)}, ${deliveries.map(({ state }) => state)},
      ${canClaim}, make_interval(secs => ${leaseSeconds}), ${webhookRules.concurrency}, ${webhookRules.perMinute}
    ) as claimed`;
}

/** A sample has no position, so that it never appears in the feed. */
export async function insertSample(tx: WebhookTx, event: NewEvent): Promise<void> {
  await tx
    .insertInto('webhook_events')
    .values({ ...event, position: null })
    .execute();
}

interface MemberName {
  first_name: string | null;
  last_name: string | null;
}

export interface Subscribers {
  endpoints: EndpointRow[];
  /** Who caused the event. */
  member: MemberName;
}

const ofEndpoint = sql.join(endpointColumns.map((column) => sql.ref(`webhook_endpoints.${column}`)));

/** The endpoints that an event may concern (`wants` decides), and the name of the member who caused it: in one round trip. */
export async function findSubscribed(
  tx: WebhookTx,
  organization_id: string,
  { type, user_id }: { type: string; user_id: string | null },
): Promise<Subscribers> {
  const statement = sql<MemberName & (EndpointRow | { id: null })>`
    select first_name, last_name, ${ofEndpoint}
    from (values (${organization_id}::uuid, ${user_id}::uuid)) as event (organization, actor)
    left join members on members.organization_id = event.organization and members.user_id = event.actor
    left join webhook_endpoints on webhook_endpoints.organization_id = event.organization and deleted_at is null
      and (events = '{}' or ${type} = any (events))`;
  const { rows } = await executePrepared(tx, statement.compile(tx));
  return { endpoints: rows.filter((row): row is MemberName & EndpointRow => row.id !== null), member: rows[0]! };
}

export const findMemberName = (tx: WebhookTx, organization_id: string, user_id: string) =>
  tx
    .selectFrom('members')
    .select(['first_name', 'last_name'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();

export const findLastPosition = async (tx: WebhookTx, organization_id: string): Promise<number> =>
  (await tx.selectFrom('webhook_positions').select('last').where('organization_id', '=', organization_id).executeTakeFirst())?.last ?? 0;

/** The next events of tickets after a position, in order. `is_recent`: it may not be on the disk yet. */
export const findChanges = (
  tx: WebhookTx,
  organization_id: string,
  { after, limit, internal }: { after: string; limit: number; internal: boolean },
) =>
  tx
    .selectFrom('webhook_events')
    .select(['position', 'body', sql<boolean>`created_at > now() - interval '5 minutes'`.as('is_recent')])
    .where('organization_id', '=', organization_id)
    .where('position', '>', sql<number>`${after}::bigint`)
    .where('type', 'not in', [...articleEventTypes, ruleEventType])
    .$if(!internal, (query) => query.where('is_internal', '=', false))
    .orderBy('position')
    .limit(limit)
    .execute();
