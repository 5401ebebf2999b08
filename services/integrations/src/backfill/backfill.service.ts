import { Controller } from '@nestjs/common';
import { AppError, readBackfill, startBackfill, taskLinked, type Backfill, type InputOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emitAll, Handles, Jobs } from '@tandem/messaging';
import type { IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { scheduleSync } from '../engine/schedule-sync';
import {
  isExportComplete,
  countBackfill,
  countMatching,
  findRelinked,
  findIntegration,
  findIntegrationForUpdate,
  insertBackfillLinks,
  recordBackfillEnd,
  recordBackfillStart,
  choosePrimaries,
} from './backfill.store';

/** Creates tasks for existing tickets: counted first, then created with the lowest urgency. */
@Controller()
export class BackfillService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
  ) {}

  @Handles(readBackfill)
  read(ctx: TenantContext, { params }: InputOf<typeof readBackfill>): Promise<Backfill> {
    return this.db.forTenant(ctx, async (tx) => {
      const integration = await findIntegration(tx, { organization_id: ctx.organization_id, id: params.id });
      if (!integration) throw new AppError('integration.not_found');
      return backfillOf(tx, integration);
    });
  }

  /** The links themselves are the progress, so after a crash the backfill continues with those that are left. */
  @Handles(startBackfill)
  start(ctx: TenantContext, { params }: InputOf<typeof startBackfill>): Promise<Backfill> {
    return this.db.forTenant(ctx, async (tx) => {
      const of = { organization_id: ctx.organization_id, id: params.id };
      const integration = await findIntegrationForUpdate(tx, of);
      if (!integration) throw new AppError('integration.not_found');
      if (!integration.is_active) throw new AppError('integration.paused');
      const before = await backfillOf(tx, integration);
      if (before.state === 'running') return before;
      await recordBackfillStart(tx, of, await insertBackfillLinks(tx, integration));
      await choosePrimaries(tx, of);
      const { provider } = integration;
      const linked = (await findRelinked(tx, of)).map(({ ticket_id, task_id, task_url }) => ({
        subject: ticket_id,
        data: { ticket_id, provider, task_id: task_id ?? '', url: task_url ?? '' },
      }));
      await emitAll(tx, ctx, taskLinked, linked);
      scheduleSync(this.jobs, tx, ctx, integration.connection_id);
      return backfillOf(tx, (await findIntegration(tx, of))!);
    });
  }
}

async function backfillOf(tx: IntegrationsTx, integration: IntegrationRow): Promise<Backfill> {
  const { backfill_started_at: started_at, backfill_total: total } = integration;
  const { left, created, failed } = await countBackfill(tx, integration);
  const isDone = started_at !== null && left === 0;
  return {
    state: started_at === null ? 'not_begun' : isDone ? 'done' : 'running',
    matching: await countMatching(tx, integration),
    is_complete: await isExportComplete(tx, integration.connection_id),
    total,
    created,
    failed,
    started_at,
    finished_at: isDone ? (integration.backfill_finished_at ?? (await recordBackfillEnd(tx, integration))) : null,
  };
}
