import type { WebhookEndpoint } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { NotificationsSchema } from '../schema';
import { healthOf, healthSince, type HourCounts } from './webhook-health';

export type WebhookTx = Tx<NotificationsSchema>;
export type EndpointRow = Selectable<NotificationsSchema['webhook_endpoints']>;

const columns: Record<keyof EndpointRow, true> = {
  organization_id: true,
  id: true,
  url: true,
  description: true,
  events: true,
  condition: true,
  payload: true,
  include_internal_notes: true,
  state: true,
  version: true,
  disabled_reason: true,
  failing_since: true,
  failing_event_id: true,
  other_failure_at: true,
  warned_hours: true,
  is_throttled: true,
  last_success_at: true,
  window_started_at: true,
  window_count: true,
  secret_last_four: true,
  sealed_secret: true,
  sealed_previous_secret: true,
  previous_secret_until: true,
  created_by: true,
  created_at: true,
  updated_at: true,
  deleted_at: true,
};
/**
 * The columns for prepared statements: PostgreSQL refuses to run a prepared `select *` once a migration has added a column, which happens
 * while processes of the previous version still run.
 */
export const endpointColumns = Object.keys(columns) as (keyof EndpointRow)[];

// Reads filter by organization in addition to row-level security: a second policy lets the system read these tables, and with two policies
// joined by `or` PostgreSQL uses no index on the organization.

/** Counting stops here: the page shows 10,000+. */
const maxPending = 10_000;

const existing = (tx: WebhookTx, organization_id: string) =>
  tx.selectFrom('webhook_endpoints').selectAll().where('organization_id', '=', organization_id).where('deleted_at', 'is', null);

export const findEndpoints = (tx: WebhookTx, organization_id: string): Promise<EndpointRow[]> =>
  existing(tx, organization_id).orderBy('created_at').orderBy('id').execute();

export const findEndpoint = (tx: WebhookTx, organization_id: string, id: string): Promise<EndpointRow | undefined> =>
  existing(tx, organization_id).where('id', '=', id).executeTakeFirst();

export const findEndpointForUpdate = (tx: WebhookTx, organization_id: string, id: string): Promise<EndpointRow | undefined> =>
  existing(tx, organization_id).where('id', '=', id).forUpdate().executeTakeFirst();

export async function insertEndpoint(tx: WebhookTx, row: Insertable<NotificationsSchema['webhook_endpoints']>): Promise<EndpointRow> {
  return tx.insertInto('webhook_endpoints').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateEndpoint(
  tx: WebhookTx,
  { organization_id, id }: Pick<EndpointRow, 'organization_id' | 'id'>,
  changes: Updateable<NotificationsSchema['webhook_endpoints']>,
): Promise<EndpointRow> {
  return tx
    .updateTable('webhook_endpoints')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface HealthRow {
  endpoint_id: string;
  hours: HourCounts[] | null;
  pending: number;
  oldest_pending_seconds: number | null;
  next_attempt_at: string | null;
}

/** The endpoints with their health, in one query for the health of all. */
export async function withHealth(tx: WebhookTx, organization_id: string, endpoints: EndpointRow[], now = Date.now()) {
  if (endpoints.length === 0) return [];
  const ids = endpoints.map(({ id }) => id);
  const { rows } = await sql<HealthRow>`
    select e.id as endpoint_id, h.hours, p.pending, p.oldest_pending_seconds, p.next_attempt_at
    from unnest(${ids}::uuid[]) as e (id)
    cross join lateral (
      select json_agg(json_build_object(
        'at', extract(epoch from hour) * 1000, 'delivered', delivered, 'failed', failed, 'durations', durations)) as hours
      from webhook_hours
      where organization_id = ${organization_id} and endpoint_id = e.id and hour >= ${new Date(healthSince(now)).toISOString()}
    ) h
    cross join lateral (
      select count(*)::int as pending, extract(epoch from now() - min(created_at))::float as oldest_pending_seconds,
        min(next_attempt_at) as next_attempt_at
      from (
        select created_at, next_attempt_at from webhook_deliveries
        where organization_id = ${organization_id} and endpoint_id = e.id and state = 'pending'
        order by created_at limit ${maxPending}
      ) as waiting
    ) p`.execute(tx);
  const byId = new Map(rows.map((row) => [row.endpoint_id, row]));
  return endpoints.map((endpoint) => {
    const { hours, ...waiting } = byId.get(endpoint.id)!;
    return shown(endpoint, healthOf(hours ?? [], waiting, now));
  });
}

/** An endpoint as the API returns it: without its secrets. */
function shown(row: EndpointRow, health: WebhookEndpoint['health']): WebhookEndpoint {
  const { id, organization_id, url, description, events, condition, payload, version, include_internal_notes, state } = row;
  const { disabled_reason, failing_since, last_success_at, secret_last_four, previous_secret_until } = row;
  const { created_by, created_at, updated_at } = row;
  const isRotating = previous_secret_until !== null && previous_secret_until > new Date().toISOString();
  return {
    id,
    organization_id,
    url,
    description,
    events,
    condition,
    payload,
    include_internal_notes,
    state,
    version: version as WebhookEndpoint['version'],
    disabled_reason,
    failing_since,
    last_success_at,
    secret_last_four,
    previous_secret_until: isRotating ? previous_secret_until : null,
    created_by,
    created_at,
    updated_at,
    health,
  };
}
