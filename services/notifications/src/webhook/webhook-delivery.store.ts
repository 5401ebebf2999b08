import { webhookRules } from '@tandem/contracts/values';
import { executePrepared, fixedQuery } from '@tandem/db';
import { sql, type Insertable } from 'kysely';
import type { NotificationsSchema, WebhookDeliveryRow } from '../schema';
import { endpointColumns, type EndpointRow, type WebhookTx } from './webhook-endpoint.store';
import { bucketCount, bucketOf } from './webhook-health';

/** Longer than an attempt can take; afterwards its worker is considered dead. */
export const leaseSeconds = webhookRules.timeoutMs / 1_000 + 10;
/** Maximum number of deliveries cancelled in one transaction. */
export const cancelBatch = 1_000;
/** How exact `last_success_at` and `other_failure_at` are. */
const successPrecisionMs = 5_000;
const failurePrecisionMs = 60_000;
/** Limits the memory of a sweep's list. */
const maxPerSweep = 2_000;

export interface Claimed {
  id: string;
  event_id: string;
  event: string;
  cause: WebhookDeliveryRow['cause'];
  attempts: number;
  body: string;
}

/**
 * Locks the endpoint, so that its claims are made one after another: otherwise two replicas could exceed its limits together. The commit does
 * not wait for the disk: if PostgreSQL crashes at that moment, the deliveries keep their previous state, and are sent again with the same
 * ids.
 */
export const lockEndpoint = async (tx: WebhookTx, organization_id: string, id: string): Promise<EndpointRow | undefined> =>
  (await executePrepared(tx, lockedEndpoint(tx, organization_id, id))).rows[0];

const lockedEndpoint = fixedQuery((tx: WebhookTx, organization_id: string, id: string) =>
  tx
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where(sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`)
    .forNoKeyUpdate(),
);

/**
 * Claims the deliveries that are due first, live events before replays: at most `max`, and as many as the endpoint may have in progress.
 * Counts them in the endpoint's minute. A paused or disabled endpoint gets tests only. The caller has locked the endpoint.
 */
export async function claimDue(tx: WebhookTx, endpoint: EndpointRow, max: number): Promise<(Claimed | (Claimed & { body: null }))[]> {
  const { organization_id, id, state, is_throttled } = endpoint;
  const limit = is_throttled ? 1 : webhookRules.concurrency;
  const kind = state === 'active' ? sql`true` : sql`cause = 'test'`;
  const statement = sql<Claimed | (Claimed & { body: null })>`
    with candidates as (
      select id from webhook_deliveries
      where organization_id = ${organization_id} and endpoint_id = ${id} and state = 'pending' and ${kind}
        and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now())
      order by (cause = 'replay'), next_attempt_at
      limit (
        select greatest(0, least(
          ${max}::bigint,
          ${limit}::bigint - (
            select count(*) from webhook_deliveries
            where organization_id = ${organization_id} and endpoint_id = ${id} and claimed_until > now()
          ),
          (
            select ${webhookRules.perMinute}::bigint - case when ${isWindowOver} then 0 else window_count end
            from webhook_endpoints where organization_id = ${organization_id} and id = ${id}
          )
        ))
      )
    ), claimed as (
      update webhook_deliveries
      set claimed_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where organization_id = ${organization_id} and id = any(array(select id from candidates))
      returning id, event_id, event, cause, attempts, payload
    ), counted as (
      update webhook_endpoints
      set window_started_at = case when ${isWindowOver} then now() else window_started_at end,
        window_count = case when ${isWindowOver} then 0 else window_count end + (select count(*) from claimed)
      where organization_id = ${organization_id} and id = ${id} and exists (select from claimed)
    )
    select claimed.id, event_id, event, cause, attempts, case when payload = 'thin' then thin_body else body end as body
    from claimed left join webhook_events on webhook_events.organization_id = ${organization_id} and webhook_events.id = claimed.event_id
  `;
  return (await executePrepared(tx, statement.compile(tx))).rows;
}

/** Whether a delivery of the endpoint is due and not claimed. */
export async function hasDue(tx: WebhookTx, organization_id: string, endpoint_id: string): Promise<boolean> {
  const statement = sql<{ is_due: boolean }>`
    select exists (
      select from webhook_deliveries
      where organization_id = ${organization_id} and endpoint_id = ${endpoint_id} and state = 'pending' and next_attempt_at <= now()
        and (claimed_until is null or claimed_until <= now())
    ) as is_due`;
  return (await executePrepared(tx, statement.compile(tx))).rows[0]!.is_due;
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

/** An attempt, and the delivery that it was made for. */
export interface Attempted {
  claimed: Pick<Claimed, 'id' | 'cause'>;
  outcome: Outcome;
}

/**
 * Stores attempts of different deliveries with their outcomes, and adds them to the counts of their hour unless they were tests, in
 * one statement. A delivery that was cancelled in the meantime stays so.
 */
export async function recordAttempts(
  tx: WebhookTx,
  { organization_id, endpoint_id }: { organization_id: string; endpoint_id: string },
  attempted: Attempted[],
): Promise<void> {
  const rows = attempted.map(({ claimed: { id }, outcome: { durationMs, delayMs, state, ...outcome } }) => ({
    ...outcome,
    delivery_id: id,
    duration_ms: durationMs,
    new_state: state,
    delay_seconds: delayMs === undefined ? null : delayMs / 1_000,
  }));
  const counted = attempted.filter(({ claimed }) => claimed.cause !== 'test').map(({ outcome }) => outcome);
  const delivered = counted.filter(({ state }) => state === 'delivered');
  const durations = Array.from({ length: bucketCount }, () => 0);
  for (const { durationMs } of delivered) durations[bucketOf(durationMs) - 1]! += 1;
  const statement = sql`
    with made as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made (
        delivery_id uuid, at timestamptz, duration_ms float8, status integer, error text, remote_address text, request_headers jsonb,
        response_headers jsonb, response_body text, new_state text, delay_seconds float8
      )
    ), updated as (
      update webhook_deliveries
      set attempts = attempts + 1, claimed_until = null, last_status = made.status, last_error = made.error,
        state = case when state = 'pending' then new_state else state end,
        delivered_at = case when new_state = 'delivered' then now() end,
        next_attempt_at = case when state = 'pending' then now() + make_interval(secs => delay_seconds) end
      from made
      where organization_id = ${organization_id} and id = delivery_id and id = any(${rows.map(({ delivery_id }) => delivery_id)}::uuid[])
      returning id, attempts
    ), counted as (
      insert into webhook_hours (organization_id, endpoint_id, hour, delivered, failed, durations)
      select ${organization_id}::uuid, ${endpoint_id}::uuid, date_trunc('hour', now()), ${delivered.length}::integer,
        ${counted.length - delivered.length}::integer, ${durations}::integer[]
      where ${counted.length}::integer > 0
      on conflict (organization_id, endpoint_id, hour) do update
      set delivered = webhook_hours.delivered + excluded.delivered, failed = webhook_hours.failed + excluded.failed,
        durations = array(
          select coalesce(webhook_hours.durations[i], 0) + excluded.durations[i] from generate_series(1, ${bucketCount}::integer) i order by i
        )
    )
    insert into webhook_attempts
      (organization_id, delivery_id, number, at, duration_ms, status, error, remote_address, request_headers, response_headers, response_body)
    select ${organization_id}::uuid, id, attempts, at, duration_ms, status, error, remote_address, request_headers, response_headers,
      response_body
    from updated join made on delivery_id = id`;
  await executePrepared(tx, statement.compile(tx));
}

/** Resets what failures have set. Most successes write nothing, so that the row is not updated with every delivery. */
export async function recordSuccess(tx: WebhookTx, endpoint: EndpointRow, now = Date.now()): Promise<EndpointRow> {
  const { organization_id, id, failing_since, is_throttled, last_success_at } = endpoint;
  const isRecent = last_success_at !== null && Date.parse(last_success_at) > now - successPrecisionMs;
  if (failing_since === null && !is_throttled && isRecent) return endpoint;
  return (await executePrepared(tx, workingEndpoint(tx, organization_id, id))).rows[0]!;
}

const workingEndpoint = fixedQuery((tx: WebhookTx, organization_id: string, id: string) =>
  tx
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
    .returning(endpointColumns),
);

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

/** Records a failure that counts toward warnings and disabling. Of many in succession, most write nothing. */
export async function recordFailure(
  tx: WebhookTx,
  endpoint: EndpointRow,
  { event_id, isOverload }: { event_id: string; isOverload: boolean },
  now = Date.now(),
): Promise<EndpointRow> {
  const { organization_id, id, failing_since, failing_event_id, other_failure_at, is_throttled } = endpoint;
  const isRecent = other_failure_at !== null && Date.parse(other_failure_at) > now - failurePrecisionMs;
  if (failing_since !== null && (isRecent || failing_event_id === event_id) && (is_throttled || !isOverload)) return endpoint;
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

/** Cancels deliveries that were claimed. */
export async function cancelDeliveries(tx: WebhookTx, organization_id: string, ids: string[]): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'cancelled', claimed_until: null, next_attempt_at: null })
    .where('organization_id', '=', organization_id)
    .where('id', 'in', ids)
    .execute();
}

/**
 * Cancels some of the pending deliveries of an endpoint and returns how many. With `id in (select …)` and outdated statistics, PostgreSQL ran
 * the inner query for each row of the organization; an array is computed once.
 */
export async function cancelPending(tx: WebhookTx, organization_id: string, endpoint_id: string, limit = cancelBatch): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'cancelled', next_attempt_at = null
    where organization_id = ${organization_id} and id = any(array(
      select id from webhook_deliveries
      where organization_id = ${organization_id} and endpoint_id = ${endpoint_id} and state = 'pending' limit ${limit}
    ))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteEndpointRow(tx: WebhookTx, organization_id: string, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('organization_id', '=', organization_id).where('id', '=', id).execute();
}

/** Endpoints with deliveries that should be in progress, in case Redis has lost their jobs, and deleted endpoints. */
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
