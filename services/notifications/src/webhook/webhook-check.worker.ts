import { Injectable } from '@nestjs/common';
import { checkWebhooks, systemContext } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { gauge } from '@tandem/platform';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';
import { findEndpointForUpdate, type EndpointRow, type WebhookTx } from './webhook-endpoint.store';
import { disableEndpoint, setWarnedHours, WebhookWarnings } from './webhook-warnings';

/** Rows deleted in one transaction. */
const pruneBatch = 5_000;
const hourMs = 3_600_000;
/** Two events must have failed at least this far apart: one failed event alone does not show that an endpoint is dead. */
const minFailureSpanHours = 12;

const pending = gauge('tandem_webhook_deliveries_pending', 'Webhook deliveries of active endpoints that have not arrived yet');
const oldest = gauge('tandem_webhook_oldest_due_seconds', 'How long the oldest webhook delivery that is due has been waiting, in seconds');
/** Counting stops here, so that a long outage of receivers does not make each sweep slow. */
const maxCounted = 100_000;

/** Each table with the column that its rows age by. */
const expiring = [
  { table: 'webhook_attempts', column: 'at' },
  { table: 'webhook_deliveries', column: 'created_at' },
  { table: 'webhook_events', column: 'created_at' },
  { table: 'webhook_replays', column: 'created_at' },
  { table: 'webhook_hours', column: 'hour' },
] as const;

const isExpired = (column: string) =>
  sql<boolean>`${sql.ref(column)} < now() - make_interval(days => ${sql.lit(webhookRules.retentionDays)})`;

/** Warns about failing endpoints, disables those that fail for too long, and deletes expired rows. */
@Injectable()
export class WebhookCheckWorker {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly warnings: WebhookWarnings,
  ) {}

  @HandlesJob(checkWebhooks, { concurrency: 1 })
  async check(): Promise<void> {
    for (const { organization_id, id } of await this.db.asSystem('failing webhook endpoints', findFailingAcrossOrganizations)) {
      const ctx = systemContext(organization_id, `check-${id}`);
      await this.db.forTenant(ctx, async (tx) => {
        // Read again under the lock: it may have recovered, or another replica may have warned.
        const endpoint = await findEndpointForUpdate(tx, organization_id, id);
        const due = endpoint && dueStep(endpoint);
        if (!due) return;
        const changed = due === 'disable' ? await disableEndpoint(tx, ctx, endpoint, 'failing') : await setWarnedHours(tx, endpoint, due);
        if (changed) await this.warnings.warn(tx, ctx, changed, await findLastError(tx, endpoint));
      });
    }
    for (const { table, column } of expiring) {
      let deleted: number;
      do deleted = await this.db.asSystem(`delete expired ${table}`, (tx) => prune(tx, table, column));
      while (deleted === pruneBatch);
    }
  }

  @Recovers(checkWebhooks)
  async findDue(): Promise<PendingJob<typeof checkWebhooks>[]> {
    const isDue = await this.db.asSystem('whether webhooks need a check', async (tx) => {
      await measureAcrossOrganizations(tx);
      if ((await findFailingAcrossOrganizations(tx)).length > 0) return true;
      for (const { table, column } of expiring) {
        const { rows } = await sql`select from ${sql.table(table)} where ${isExpired(column)} limit 1`.execute(tx);
        if (rows.length > 0) return true;
      }
      return false;
    });
    return isDue ? [{ id: 'check', ctx: systemContext(null, 'sweep-webhooks'), data: {} }] : [];
  }
}

/** The action that a failing endpoint needs now: a warning after this many hours, or to be disabled. Undefined: none. */
export function dueStep(
  {
    state,
    failing_since,
    other_failure_at,
    warned_hours,
  }: Pick<EndpointRow, 'state' | 'failing_since' | 'other_failure_at' | 'warned_hours'>,
  now = Date.now(),
): number | 'disable' | undefined {
  if (state !== 'active' || failing_since === null) return undefined;
  const since = Date.parse(failing_since);
  const hours = (now - since) / hourMs;
  const isProven = other_failure_at !== null && Date.parse(other_failure_at) - since >= minFailureSpanHours * hourMs;
  if (hours >= webhookRules.disableAfterHours && isProven) return 'disable';
  return webhookRules.warnAfterHours.findLast((after) => hours >= after && after > warned_hours);
}

/** Records metrics for operators. Each replica records it, so take the maximum. */
async function measureAcrossOrganizations(tx: WebhookTx): Promise<void> {
  const { rows } = await sql<{ count: number; oldest_seconds: number | null }>`
    select count(*) as count, extract(epoch from max(now() - next_attempt_at) filter (where next_attempt_at <= now()))::float as oldest_seconds
    from (
      select next_attempt_at from webhook_deliveries d
      join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id and e.state = 'active' and e.deleted_at is null
      where d.state = 'pending' limit ${maxCounted}
    ) as waiting`.execute(tx);
  pending.record(rows[0]!.count);
  oldest.record(rows[0]!.oldest_seconds ?? 0);
}

/** Endpoints with a warning that is due, or that may have to be disabled. */
async function findFailingAcrossOrganizations(tx: WebhookTx): Promise<{ organization_id: string; id: string }[]> {
  const failing = await tx
    .selectFrom('webhook_endpoints')
    .select(['organization_id', 'id', 'state', 'failing_since', 'other_failure_at', 'warned_hours'])
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .where('failing_since', 'is not', null)
    .execute();
  return failing.filter((endpoint) => dueStep(endpoint) !== undefined);
}

const findLastError = async (tx: WebhookTx, { organization_id, id }: EndpointRow): Promise<string | null> =>
  (
    await tx
      .selectFrom('webhook_deliveries')
      .select('last_error')
      .where('organization_id', '=', organization_id)
      .where('endpoint_id', '=', id)
      .where('state', 'in', ['pending', 'failed'])
      .where('last_error', 'is not', null)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.last_error ?? null;

/** The array is computed once. With outdated statistics, PostgreSQL may run a subquery again for each row. */
async function prune(tx: WebhookTx, table: string, column: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${isExpired(column)} order by ${sql.ref(column)} limit ${pruneBatch}
    ))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
