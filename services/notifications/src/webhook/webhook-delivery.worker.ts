import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { deliverWebhook, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { Database } from '@tandem/db';
import { HandlesJob, Jobs, Recovers, type PendingJob } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import type { NotificationsSchema } from '../schema';
import {
  cancelBatch,
  cancelPending,
  claimNext,
  deleteEndpointRow,
  findWaitingEndpointsAcrossOrganizations,
  lockEndpoint,
  recordAttempt,
  recordFailure,
  recordSuccess,
  saveResealed,
  type Claimed,
  type Outcome,
} from './webhook-delivery.store';
import type { EndpointRow, WebhookTx } from './webhook-endpoint.store';
import { disableEndpoint, WebhookWarnings } from './webhook-warnings';
import { isOverload } from './webhook-failure';
import { nextDelayMs } from './webhook-retry';
import { WebhookSender, type Sent } from './webhook-sender';

/**
 * Jobs that run at once in a process. An attempt only waits for its receiver, so many of them cost little, and slow receivers must not use
 * up the jobs of all others: each has at most five attempts under way.
 */
const concurrency = 500;

/** The lanes of one endpoint in this process, each of which makes one attempt after another. */
interface Lanes {
  running: number;
  /** A job came while all lanes were busy, possibly after they had looked for due deliveries. */
  isWanted: boolean;
}
/** An attempt that is not stored yet. */
interface Finished {
  claimed: Claimed;
  sent: Sent;
}
type Step = { claimed: Claimed & { body: string }; endpoint: EndpointRow } | 'again' | 'done';

/**
 * Makes the attempts of deliveries. The rows decide: a job only starts a lane of its endpoint, which claims and sends due deliveries until
 * there are none. Each claim checks the endpoint's limits in the database, so that they apply to all replicas together. A job that finds all
 * lanes busy ends at once: no endpoint can occupy more than five jobs.
 */
@Injectable()
export class WebhookDeliveryWorker implements OnModuleDestroy {
  readonly #lanes = new Map<string, Lanes>();
  #isStopping = false;

  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly jobs: Jobs,
    private readonly sender: WebhookSender,
    private readonly warnings: WebhookWarnings,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  /** Attempts that are under way still end; those that do not end in time are made again, with the same id, by another process. */
  onModuleDestroy(): void {
    this.#isStopping = true;
  }

  @HandlesJob(deliverWebhook, { concurrency })
  async deliver(ctx: TenantContext, { endpoint_id }: JobDataOf<typeof deliverWebhook>): Promise<void> {
    const lanes = this.#lanes.get(endpoint_id) ?? { running: 0, isWanted: false };
    this.#lanes.set(endpoint_id, lanes);
    if (lanes.running >= webhookRules.concurrency) {
      lanes.isWanted = true;
      return;
    }
    lanes.running += 1;
    const others: Promise<void>[] = [];
    try {
      let finished: Finished | undefined;
      for (;;) {
        lanes.isWanted = false;
        const step = await this.next(ctx, endpoint_id, finished);
        finished = undefined;
        if (step === 'again') continue;
        if (step === 'done') {
          if (lanes.isWanted && !this.#isStopping) continue;
          break;
        }
        if (step.claimed.more) others.push(this.deliver(ctx, { endpoint_id }));
        finished = { claimed: step.claimed, sent: await this.sender.send(step.endpoint, step.claimed) };
      }
    } catch (error) {
      // The rows are pending: the next sweep starts again.
      this.log.warn({ err: error, endpoint_id }, 'Delivering webhooks was interrupted; a sweep will continue');
    } finally {
      lanes.running -= 1;
      if (lanes.running === 0) this.#lanes.delete(endpoint_id);
    }
    await Promise.all(others);
  }

  @Recovers(deliverWebhook)
  async findWaiting(): Promise<PendingJob<typeof deliverWebhook>[]> {
    const waiting = await this.db.asSystem('endpoints with due deliveries', findWaitingEndpointsAcrossOrganizations);
    return waiting.map(({ organization_id, id }) => ({
      id,
      ctx: systemContext(organization_id, `sweep-${id}`),
      data: { endpoint_id: id },
    }));
  }

  /** Stores the attempt that the lane has made, and claims the next delivery, in one transaction. */
  private next(ctx: TenantContext, endpoint_id: string, finished: Finished | undefined): Promise<Step> {
    const { organization_id } = ctx;
    return this.db.forTenant(ctx, async (tx): Promise<Step> => {
      const locked = await lockEndpoint(tx, organization_id, endpoint_id);
      const endpoint = finished ? await this.record(tx, ctx, endpoint_id, locked, finished) : locked;
      if (!endpoint || this.#isStopping) return 'done';
      if (endpoint.deleted_at !== null) return this.cancel(tx, endpoint);
      const waitMs = windowWaitMs(endpoint);
      if (waitMs > 0) {
        // One job per minute and endpoint continues, however many lanes and replicas find the minute used up.
        const id = `${endpoint_id}-${Date.parse(endpoint.window_started_at!)}`;
        this.jobs.add(tx, ctx, deliverWebhook, { endpoint_id }, { id, delayMs: waitMs });
        return 'done';
      }
      const claimed = await claimNext(tx, endpoint);
      if (!claimed) return 'done';
      if (claimed.body !== null) return { claimed: { ...claimed, body: claimed.body }, endpoint };
      await tx
        .updateTable('webhook_deliveries')
        .set({ state: 'cancelled', claimed_until: null, next_attempt_at: null })
        .where('organization_id', '=', organization_id)
        .where('id', '=', claimed.id)
        .execute();
      return 'again';
    });
  }

  /** Cancels the deliveries of a deleted endpoint in batches, each in a transaction of its own, and deletes the row after the last one. */
  private async cancel(tx: WebhookTx, { organization_id, id }: EndpointRow): Promise<Step> {
    if ((await cancelPending(tx, organization_id, id)) === cancelBatch) return 'again';
    await deleteEndpointRow(tx, organization_id, id);
    return 'done';
  }

  /** Returns the endpoint as it is after the attempt; undefined if it was deleted in the meantime. */
  private async record(
    tx: WebhookTx,
    ctx: TenantContext,
    endpoint_id: string,
    endpoint: EndpointRow | undefined,
    { claimed, sent }: Finished,
  ): Promise<EndpointRow | undefined> {
    const { organization_id } = ctx;
    const outcome = outcomeOf(sent, claimed);
    // A test says nothing about the events, so it does not change the endpoint.
    const after = endpoint && claimed.cause !== 'test' ? await this.recordHealth(tx, ctx, endpoint, claimed, sent) : endpoint;
    await recordAttempt(tx, { organization_id, endpoint_id }, claimed, outcome);
    if (outcome.delayMs !== undefined) {
      // Another id than that of an earlier attempt, whose job may not have ended yet.
      const job = { id: `${claimed.id}-${claimed.attempts + 1}`, delayMs: outcome.delayMs };
      this.jobs.add(tx, systemContext(organization_id, ctx.request_id), deliverWebhook, { endpoint_id }, job);
    }
    return after;
  }

  private async recordHealth(
    tx: WebhookTx,
    ctx: TenantContext,
    endpoint: EndpointRow,
    { event_id }: Claimed,
    { failure, status }: Sent,
  ): Promise<EndpointRow> {
    // Its secrets were removed when it was deleted.
    if (endpoint.deleted_at !== null) return endpoint;
    if (!failure) {
      const sealed_secret = this.sender.resealed(endpoint);
      if (sealed_secret !== undefined) await saveResealed(tx, endpoint, sealed_secret);
      return recordSuccess(tx, endpoint);
    }
    if (failure.isOurs) return endpoint;
    const failing = await recordFailure(tx, endpoint, { event_id, isOverload: isOverload(status, failure) });
    const disabled = status === 410 ? await disableEndpoint(tx, ctx, endpoint, 'gone') : undefined;
    if (disabled) await this.warnings.warn(tx, ctx, disabled, failure.message);
    return disabled ?? failing;
  }
}

/** How long the endpoint must wait because its minute is used up. */
function windowWaitMs({ window_started_at, window_count }: EndpointRow): number {
  if (window_started_at === null || window_count < webhookRules.perMinute) return 0;
  return Math.max(0, Date.parse(window_started_at) + 60_000 - Date.now());
}

/** A test is not repeated: the user who sent it waits for its result. */
function outcomeOf(sent: Sent, { cause, attempts }: Claimed): Outcome {
  const { failure, ...rest } = sent;
  if (!failure) return { ...rest, state: 'delivered', delayMs: undefined };
  const delayMs = cause === 'test' || sent.status === 410 ? undefined : nextDelayMs(attempts + 1, sent.response_headers?.['retry-after']);
  return { ...rest, state: delayMs === undefined ? 'failed' : 'pending', delayMs };
}
