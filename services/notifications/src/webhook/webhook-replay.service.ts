import { Controller } from '@nestjs/common';
import {
  AppError,
  continueWebhookReplay,
  deliverWebhook,
  listWebhookReplays,
  replayWebhooks,
  systemContext,
  updateWebhookReplay,
  type InputOf,
  type JobDataOf,
  type OutputOf,
  type TenantContext,
  type WebhookReplay,
} from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { Database, newId } from '@tandem/db';
import { Handles, HandlesJob, Jobs, Recovers, storeResponse, type PendingJob } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { insertDeliveries } from './webhook-delivery.store';
import { findEndpoint, type EndpointRow, type WebhookTx } from './webhook-endpoint.store';
import {
  cancelReplayed,
  countReplayed,
  findDueReplaysAcrossOrganizations,
  findReplayed,
  findReplayForUpdate,
  findReplays,
  insertReplay,
  shownReplay,
  updateReplay,
  type ReplayRow,
} from './webhook-replay.store';

/** Half of the endpoint's rate, in small batches: live events are sent first, and few deliveries are left to send after a pause. */
const batchSize = 25;
const batchMs = (batchSize / (webhookRules.perMinute / 2)) * 60_000;
/** How long a replay waits for an endpoint that was paused in the meantime. */
const pausedMs = 60_000;

/** Sends past events again. */
@Controller()
export class WebhookReplayService {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly jobs: Jobs,
  ) {}

  @Handles(replayWebhooks)
  replay(ctx: TenantContext, { params, body }: InputOf<typeof replayWebhooks>): Promise<OutputOf<typeof replayWebhooks>> {
    const { organization_id } = ctx;
    const now = new Date().toISOString();
    const period = { organization_id, endpoint_id: params.id, since: body.since, until: body.until ?? now, which: body.which };
    return this.db.forTenant(ctx, async (tx) => {
      const endpoint = await getEndpoint(tx, ctx, params.id);
      const count = await countReplayed(tx, period);
      if (body.dry_run || count === 0) return storeResponse(tx, { count, replay: null });
      if (endpoint.state !== 'active') throw new AppError('webhook_endpoint.not_active');
      const replay = await insertReplay(tx, { ...period, id: newId(), total: count });
      this.schedule(tx, ctx, replay);
      return storeResponse(tx, { count, replay: shownReplay(replay) });
    });
  }

  @Handles(listWebhookReplays)
  list(ctx: TenantContext, { params }: InputOf<typeof listWebhookReplays>): Promise<WebhookReplay[]> {
    return this.db.forTenant(ctx, async (tx) => {
      await getEndpoint(tx, ctx, params.id);
      return (await findReplays(tx, ctx.organization_id, params.id)).map(shownReplay);
    });
  }

  @Handles(updateWebhookReplay)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateWebhookReplay>): Promise<WebhookReplay> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findReplayForUpdate(tx, ctx.organization_id, params.id);
      if (!before) throw new AppError('webhook_replay.not_found');
      if (before.state === 'done' || before.state === 'cancelled') throw new AppError('webhook_replay.finished');
      const replay = await updateReplay(tx, before, { state: body.state });
      if (body.state === 'cancelled') await cancelReplayed(tx, replay);
      if (body.state === 'running' && before.state === 'paused') this.schedule(tx, ctx, replay, newId());
      return shownReplay(replay);
    });
  }

  /** Writes the next deliveries and moves the cursor in one transaction: each event is sent once per replay, even after a crash. */
  @HandlesJob(continueWebhookReplay)
  continue(ctx: TenantContext, { replay_id }: JobDataOf<typeof continueWebhookReplay>): Promise<void> {
    const { organization_id } = ctx;
    return this.db.forTenant(ctx, async (tx) => {
      const replay = await findReplayForUpdate(tx, organization_id, replay_id);
      const now = Date.now();
      if (replay?.state !== 'running' || Date.parse(replay.next_batch_at) > now) return;
      const endpoint = await findEndpoint(tx, organization_id, replay.endpoint_id);
      if (!endpoint) return void (await updateReplay(tx, replay, { state: 'cancelled' }));
      if (endpoint.state !== 'active')
        return void (await updateReplay(tx, replay, { next_batch_at: new Date(now + pausedMs).toISOString() }));
      const events = await findReplayed(tx, replay, batchSize);
      const at = new Date(now).toISOString();
      const rows = events.map(({ position: _, ...event }) => ({
        organization_id,
        id: newId(),
        endpoint_id: endpoint.id,
        ...event,
        state: 'pending' as const,
        cause: 'replay' as const,
        replay_id,
        next_attempt_at: at,
        created_at: at,
      }));
      await insertDeliveries(tx, rows);
      const isDone = events.length < batchSize;
      const continued = await updateReplay(tx, replay, {
        sent: replay.sent + events.length,
        last_position: events.at(-1)?.position ?? replay.last_position,
        state: isDone ? 'done' : 'running',
        next_batch_at: new Date(now + batchMs).toISOString(),
      });
      const system = systemContext(organization_id, ctx.request_id);
      if (events.length > 0) this.jobs.add(tx, system, deliverWebhook, { endpoint_id: endpoint.id }, { id: rows[0]!.id });
      if (!isDone) this.schedule(tx, ctx, continued, `${replay_id}-${continued.last_position}`, batchMs);
    });
  }

  @Recovers(continueWebhookReplay)
  async findDue(): Promise<PendingJob<typeof continueWebhookReplay>[]> {
    const due = await this.db.asSystem('webhook replays that are due', findDueReplaysAcrossOrganizations);
    return due.map(({ organization_id, id }) => ({ id, ctx: systemContext(organization_id, `sweep-${id}`), data: { replay_id: id } }));
  }

  private schedule(tx: WebhookTx, ctx: TenantContext, { id: replay_id }: ReplayRow, id = replay_id, delayMs?: number): void {
    const delay = delayMs === undefined ? {} : { delayMs };
    this.jobs.add(tx, systemContext(ctx.organization_id, ctx.request_id), continueWebhookReplay, { replay_id }, { id, ...delay });
  }
}

async function getEndpoint(tx: WebhookTx, { organization_id }: TenantContext, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(tx, organization_id, id);
  if (!endpoint) throw new AppError('webhook_endpoint.not_found');
  return endpoint;
}
