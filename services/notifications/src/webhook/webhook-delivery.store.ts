import { webhookRules } from '@tandem/contracts/values';
import { sql, type Insertable } from 'kysely';
import type { NotificationsSchema, WebhookDeliveryRow } from '../schema';
import { bucketOf } from './webhook-health';
import type { EndpointRow, WebhookTx } from './webhook-endpoint.store';

/** Longer than an attempt can take; afterwards its worker is considered dead. */
const leaseSeconds = webhookRules.timeoutMs / 1_000 + 10;
/** Maximum number of deliveries cancelled in one transaction. */
export const cancelBatch = 1_000;
/** How exact `last_success_at` is. */
const successPrecisionMs = 5_000;
/** Limits the memory of a sweep's list. */
const maxPerSweep = 2_000;

export interface Claimed {
  id: string;
  event_id: string;
  event: string;
  cause: WebhookDeliveryRow['cause'];
  attempts: number;
  /** Null if the event was deleted after its retention time. */
  body: string | null;
  /** Whether more deliveries of the endpoint are due. */
  more: boolean;
}

/**
 * Locks the endpoint, so that its claims are made one after another: otherwise two replicas could exceed its limits together. The commit does
 * not wait for the disk: if PostgreSQL crashes at that moment, the deliveries are pending again, and are sent again with the same ids.
 */
export const lockEndpoint = (tx: WebhookTx, organization_id: string, id: string): Promise<EndpointRow | undefined> =>
  tx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where(sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`)
    .forNoKeyUpdate()
    .executeTakeFirst();

/**
 * Claims the delivery that is due first, live events before replays, unless the endpoint has as many attempts under way as it may. Counts it
 * in the endpoint's minute. A paused or disabled endpoint gets tests only.
 */
export async function claimNext(tx: WebhookTx, endpoint: EndpointRow): Promise<Claimed | undefined> {
  const { organization_id, id, state, is_throttled } = endpoint;
  const limit = is_throttled ? 1 : webhookRules.concurrency;
  const kind = state === 'active' ? sql`true` : sql`cause = 'test'`;
  const { rows } = await sql<Claimed>`
    with candidates as (
      select id from webhook_deliveries
      where organization_id = ${organization_id} and endpoint_id = ${id} and state = 'pending' and ${kind}
        and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now())
      order by (cause = 'replay'), next_attempt_at
      limit 2
    ), claimed as (
      update webhook_deliveries
      set claimed_until = now() + make_interval(secs => ${leaseSeconds})
      where organization_id = ${organization_id} and id = (select id from candidates limit 1)
        and ${limit} > (
          select count(*) from webhook_deliveries
          where organization_id = ${organization_id} and endpoint_id = ${id} and claimed_until > now()
        )
      returning id, event_id, event, cause, attempts, payload
    ), counted as (
      update webhook_endpoints
      set window_started_at = case when ${isWindowOver} then now() else window_started_at end,
        window_count = case when ${isWindowOver} then 1 else window_count + 1 end
      where organization_id = ${organization_id} and id = ${id} and exists (select from claimed)
    )
    select claimed.id, event_id, event, cause, attempts, case when payload = 'thin' then thin_body else body end as body,
      (select count(*) from candidates) > 1 as more
    from claimed left join webhook_events on webhook_events.organization_id = ${organization_id} and webhook_events.id = claimed.event_id
  `.execute(tx);
  return rows[0];
}

const isWindowOver = sql<boolean>`(window_started_at is null or window_started_at <= now() - interval '1 minute')`;

export interface Outcome {
  at: string;
  durationMs: number;
  status: number | null;
  error: string | null;
  remote_address: string | null;
  request_headers: Record<string, string>;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  state: 'pending' | 'delivered' | 'failed';
  /** For `pending`. */
  delayMs: number | undefined;
}

/**
 * Stores an attempt and what it means for its delivery, and adds it to the counts of its hour unless it was a test. A delivery that was
 * cancelled in the meantime stays so.
 */
export async function recordAttempt(
  tx: WebhookTx,
  { organization_id, endpoint_id }: { organization_id: string; endpoint_id: string },
  { id, cause }: Pick<Claimed, 'id' | 'cause'>,
  outcome: Outcome,
): Promise<void> {
  const { status, error, state, delayMs } = outcome;
  const delivered = state === 'delivered' ? 1 : 0;
  // A subscript cannot be a parameter of an insert.
  const duration = delivered === 1 ? sql.raw(`durations[${bucketOf(outcome.durationMs)}]`) : undefined;
  await sql`
    with updated as (
      update webhook_deliveries
      set attempts = attempts + 1, claimed_until = null, last_status = ${status}::integer, last_error = ${error},
        state = case when state = 'pending' then ${state}::text else state end,
        delivered_at = case when ${state}::text = 'delivered' then now() end,
        next_attempt_at = case when state = 'pending' then now() + make_interval(secs => ${delayMs === undefined ? null : delayMs / 1_000}::float8) end
      where organization_id = ${organization_id} and id = ${id}
      returning attempts
    ), counted as (
      insert into webhook_hours (organization_id, endpoint_id, hour, delivered, failed ${duration ? sql`, ${duration}` : sql``})
      select ${organization_id}::uuid, ${endpoint_id}::uuid, date_trunc('hour', now()), ${delivered}::integer, ${1 - delivered}::integer
        ${duration ? sql`, 1` : sql``}
      from updated where ${cause}::text <> 'test'
      on conflict (organization_id, endpoint_id, hour) do update
      set delivered = webhook_hours.delivered + excluded.delivered, failed = webhook_hours.failed + excluded.failed
        ${duration ? sql`, ${duration} = coalesce(webhook_hours.${duration}, 0) + 1` : sql``}
    )
    insert into webhook_attempts
      (organization_id, delivery_id, number, at, duration_ms, status, error, remote_address, request_headers, response_headers, response_body)
    select ${organization_id}::uuid, ${id}::uuid, attempts, ${outcome.at}::timestamptz, ${outcome.durationMs}::float8, ${status}::integer,
      ${error}, ${outcome.remote_address}, ${JSON.stringify(outcome.request_headers)}::jsonb,
      ${outcome.response_headers === null ? null : JSON.stringify(outcome.response_headers)}::jsonb, ${outcome.response_body}
    from updated`.execute(tx);
}

/** Resets what failures have set. Most successes write nothing, so that the row is not updated with every delivery. */
export async function recordSuccess(tx: WebhookTx, endpoint: EndpointRow, now = Date.now()): Promise<EndpointRow> {
  const { organization_id, id, failing_since, is_throttled, last_success_at } = endpoint;
  const isRecent = last_success_at !== null && Date.parse(last_success_at) > now - successPrecisionMs;
  if (failing_since === null && !is_throttled && isRecent) return endpoint;
  return tx
    .updateTable('webhook_endpoints')
    .set({
      failing_since: null,
      failing_event_id: null,
      other_failure_at: null,
      warned_hours: 0,
      is_throttled: false,
      last_success_at: sql<string>`now()`,
    })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Replaces the secret with the same one under the current encryption key, unless it was rotated in the meantime. */
export async function saveResealed(
  tx: WebhookTx,
  { organization_id, id, sealed_secret: before }: EndpointRow,
  sealed_secret: string,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ sealed_secret })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('sealed_secret', '=', before)
    .execute();
}

/** Records a failure that counts toward warnings and disabling. */
export async function recordFailure(
  tx: WebhookTx,
  { organization_id, id }: EndpointRow,
  { event_id, isOverload }: { event_id: string; isOverload: boolean },
): Promise<EndpointRow> {
  return tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      failing_since: sql<string>`coalesce(failing_since, now())`,
      failing_event_id: sql<string>`coalesce(failing_event_id, ${event_id}::uuid)`,
      other_failure_at: sql<string | null>`case when failing_event_id <> ${event_id}::uuid then now() else other_failure_at end`,
      ...(isOverload ? { is_throttled: eb.val(true) } : {}),
    }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Cancels some of the pending deliveries of an endpoint and returns how many. */
export async function cancelPending(tx: WebhookTx, organization_id: string, endpoint_id: string, limit = cancelBatch): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'cancelled', next_attempt_at = null
    where organization_id = ${organization_id} and id in (
      select id from webhook_deliveries
      where organization_id = ${organization_id} and endpoint_id = ${endpoint_id} and state = 'pending' limit ${limit}
    )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteEndpointRow(tx: WebhookTx, organization_id: string, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('organization_id', '=', organization_id).where('id', '=', id).execute();
}

/** Endpoints with deliveries that should be under way, in case Redis has lost their jobs, and deleted endpoints. */
export const findWaitingEndpointsAcrossOrganizations = async (tx: WebhookTx): Promise<{ organization_id: string; id: string }[]> =>
  (
    await sql<{ organization_id: string; id: string }>`
      select organization_id, id from webhook_endpoints e
      where deleted_at is not null
        or (state = 'active' and exists (
          select from webhook_deliveries d
          where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.state = 'pending'
            and d.next_attempt_at <= now() - interval '2 seconds' and (d.claimed_until is null or d.claimed_until <= now())))
        or (state <> 'active' and exists (
          select from webhook_deliveries d
          where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.state = 'pending' and d.cause = 'test'
            and d.next_attempt_at <= now() - interval '2 seconds' and (d.claimed_until is null or d.claimed_until <= now())))
      limit ${maxPerSweep}`.execute(tx)
  ).rows;

export async function insertDeliveries(tx: WebhookTx, rows: Insertable<NotificationsSchema['webhook_deliveries']>[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('webhook_deliveries').values(rows).execute();
}
