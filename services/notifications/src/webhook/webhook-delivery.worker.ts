import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { deliverWebhook, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { afterCommit, Database } from '@tandem/db';
import { HandlesJob, Jobs, Recovers, waitForDisk, type PendingJob } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import {
  cancelBatch,
  cancelDeliveries,
  cancelPending,
  claimDue,
  deleteEndpointRow,
  findWaitingEndpointsAcrossOrganizations,
  hasDue,
  lockEndpoint,
  recordAttempts,
  recordFailure,
  recordSuccess,
  saveResealed,
  type Attempted,
  type Claimed,
  type Outcome,
} from './webhook-delivery.store';
import type { EndpointRow, WebhookTx } from './webhook-endpoint.store';
import { disableEndpoint, WebhookWarnings } from './webhook-warnings';
import { isOverload } from './webhook-failure';
import { Lane, type Finished } from './webhook-lane';
import { nextDelayMs } from './webhook-retry';
import { WebhookSender, type Sent } from './webhook-sender';

/**
 * Maximum number of concurrent attempts in a process. An attempt mostly waits for its receiver, so each costs little. Slow receivers must
 * not use up the attempts of all others: each endpoint has at most five.
 */
const maxAttempts = 500;
interface Step {
  claimed: Claimed[];
  endpoint?: EndpointRow;
  /** Whether more deliveries may be due now. */
  again?: boolean;
}

/**
 * Makes the attempts of deliveries. The rows decide: a lane claims the due deliveries of its endpoint, sends them, and stores the outcomes
 * with the next claim, until none is left. Each claim checks the endpoint's limits in the database, so that they apply to all replicas
 * together.
 */
@Injectable()
export class WebhookDeliveryWorker implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #lanes = new Map<string, { lane: Lane; done: Promise<void> }>();
  /** Endpoints that found `maxAttempts` in progress. */
  readonly #waiting = new Map<string, TenantContext>();
  #underWay = 0;
  #isStopping = false;

  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly jobs: Jobs,
    private readonly sender: WebhookSender,
    private readonly warnings: WebhookWarnings,
    @Inject('LOG') private readonly log: Logger,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  onModuleDestroy(): void {
    this.#isStopping = true;
  }

  /** Running attempts may finish. Another process repeats those that do not finish in time, with the same id. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([
      Promise.all([...this.#lanes.values()].map(({ done }) => done)),
      sleep(this.config.SHUTDOWN_GRACE_MS, undefined, { ref: false }),
    ]);
  }

  /** Whether this process can make another attempt now. */
  get canStart(): boolean {
    return this.config.RUN.includes('jobs') && !this.#isStopping && this.#underWay < maxAttempts;
  }

  @HandlesJob(deliverWebhook)
  deliver(ctx: TenantContext, { endpoint_id }: JobDataOf<typeof deliverWebhook>): void {
    this.lane(ctx, endpoint_id).want();
  }

  /** After the commit, sends what is due to an endpoint. A process that cannot send leaves it to another one, with a job. */
  wake(tx: WebhookTx, ctx: TenantContext, endpoint_id: string, job_id: string): void {
    if (this.canStart) afterCommit(tx, () => this.lane(ctx, endpoint_id).want());
    else this.jobs.add(tx, ctx, deliverWebhook, { endpoint_id }, { id: job_id });
  }

  /** Makes the attempt of a delivery that the caller's transaction has claimed. */
  send(ctx: TenantContext, endpoint: EndpointRow, claimed: Claimed): void {
    this.attempt(this.lane(ctx, endpoint.id), endpoint, claimed);
  }

  private lane(ctx: TenantContext, endpoint_id: string): Lane {
    const existing = this.#lanes.get(endpoint_id);
    if (existing) return existing.lane;
    const lane = new Lane(ctx, endpoint_id);
    this.#lanes.set(endpoint_id, { lane, done: this.run(lane) });
    return lane;
  }

  private async run(lane: Lane): Promise<void> {
    do {
      await lane.next();
      const finished = lane.finished.splice(0);
      lane.isWanted = false;
      const step = await this.next(lane, finished).catch((error: unknown): Step => {
        // The rows are pending: the next sweep starts again.
        this.log.warn({ err: error, endpoint_id: lane.endpoint_id }, 'Delivering webhooks was interrupted; a sweep will continue');
        return { claimed: [] };
      });
      if (step.endpoint) {
        lane.limit = step.endpoint.is_throttled ? 1 : webhookRules.concurrency;
        for (const claimed of step.claimed) this.attempt(lane, step.endpoint, claimed);
      }
      if (step.again && !this.#isStopping) lane.want();
    } while (lane.underWay > 0 || lane.finished.length > 0 || lane.isWanted);
    this.#lanes.delete(lane.endpoint_id);
  }

  private attempt(lane: Lane, endpoint: EndpointRow, claimed: Claimed): void {
    lane.underWay += 1;
    this.#underWay += 1;
    void this.sender.send(endpoint, claimed).then((sent) => {
      lane.underWay -= 1;
      this.#underWay -= 1;
      lane.finish({ claimed, sent });
      const [waiting] = this.#waiting;
      if (!waiting) return;
      const [endpoint_id, ctx] = waiting;
      this.#waiting.delete(endpoint_id);
      this.lane(ctx, endpoint_id).want();
    });
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

  /** Stores attempts of the lane, and claims the deliveries that are due, in one transaction. */
  private next(lane: Lane, finished: Finished[]): Promise<Step> {
    const { ctx, endpoint_id } = lane;
    const { organization_id } = ctx;
    return this.db.forTenant(ctx, async (tx): Promise<Step> => {
      const attempted = finished.map(({ claimed, sent }) => ({ claimed, outcome: outcomeOf(sent, claimed) }));
      // In one round trip. Due deliveries are read while the lock is held: a transaction that stores a delivery without claiming it takes the lock afterwards.
      const [locked, , isDue] = await Promise.all([
        lockEndpoint(tx, organization_id, endpoint_id),
        attempted.length > 0 ? recordAttempts(tx, { organization_id, endpoint_id }, attempted) : undefined,
        hasDue(tx, organization_id, endpoint_id),
      ]);
      const endpoint = await this.recordEffects(tx, ctx, locked, finished);
      this.scheduleRetries(tx, ctx, endpoint_id, attempted);
      if (!endpoint || this.#isStopping) return { claimed: [] };
      if (endpoint.deleted_at !== null) return this.cancel(tx, endpoint);
      if (!isDue) return { claimed: [], endpoint };
      const waitMs = windowWaitMs(endpoint);
      if (waitMs > 0) {
        // One job per minute and endpoint continues, however many replicas find the minute used up.
        const id = `${endpoint_id}-${Date.parse(endpoint.window_started_at!)}`;
        this.jobs.add(tx, ctx, deliverWebhook, { endpoint_id }, { id, delayMs: waitMs });
        return { claimed: [], endpoint };
      }
      const room = maxAttempts - this.#underWay;
      if (room <= 0) {
        this.#waiting.set(endpoint_id, ctx);
        return { claimed: [], endpoint };
      }
      const due = await claimDue(tx, endpoint, room);
      const claimed = due.filter((delivery): delivery is Claimed => delivery.body !== null);
      if (claimed.length === due.length) return { claimed, endpoint };
      await cancelDeliveries(
        tx,
        organization_id,
        due.filter(({ body }) => body === null).map(({ id }) => id),
      );
      return { claimed, endpoint, again: true };
    });
  }

  /** Cancels the deliveries of a deleted endpoint in batches, each in a separate transaction, and deletes the row after the last one. */
  private async cancel(tx: WebhookTx, { organization_id, id }: EndpointRow): Promise<Step> {
    if ((await cancelPending(tx, organization_id, id)) === cancelBatch) return { claimed: [], again: true };
    await deleteEndpointRow(tx, organization_id, id);
    return { claimed: [] };
  }

  /** Returns the state of the endpoint after the attempts; undefined if it was deleted in the meantime. */
  private async recordEffects(
    tx: WebhookTx,
    ctx: TenantContext,
    endpoint: EndpointRow | undefined,
    finished: Finished[],
  ): Promise<EndpointRow | undefined> {
    let after = endpoint;
    for (const { claimed, sent } of finished) {
      // A test says nothing about the events, so it does not change the endpoint.
      if (after && claimed.cause !== 'test') after = await this.recordHealth(tx, ctx, after, claimed, sent);
    }
    return after;
  }

  private scheduleRetries(
    tx: WebhookTx,
    { organization_id, request_id }: TenantContext,
    endpoint_id: string,
    attempted: Attempted[],
  ): void {
    for (const delayMs of attempted.map(({ outcome }) => outcome.delayMs).filter((each) => each !== undefined)) {
      // One job makes all attempts of the endpoint that become due within a second: at the end of it, because the delays are minima.
      const second = Math.ceil((Date.now() + delayMs) / 1_000);
      const job = { id: `${endpoint_id}-${second}`, delayMs: second * 1_000 - Date.now() };
      this.jobs.add(tx, systemContext(organization_id, request_id), deliverWebhook, { endpoint_id }, job);
    }
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
    if (!disabled) return failing;
    waitForDisk(tx);
    await this.warnings.warn(tx, ctx, disabled, failure.message);
    return disabled;
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
