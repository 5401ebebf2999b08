import { Controller } from '@nestjs/common';
import {
  AppError,
  listSyncProblems,
  retryIntegration,
  type Context,
  type InputOf,
  type OutputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles, Jobs } from '@tandem/messaging';
import type { IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { findIntegrationForUpdate, findIntegration } from '../integration/integration.store';
import { retryFailedLinks } from '../engine/retry-failed.store';
import { scheduleSync } from '../engine/schedule-sync';
import { pageOfProblems, probeNow, retryRefused } from './problem.store';

/** Tickets that are not in sync with their task: lists them with the reason, and retries all of them. */
@Controller()
export class ProblemService {
  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
  ) {}

  @Handles(listSyncProblems)
  list(ctx: TenantContext, { params, query }: InputOf<typeof listSyncProblems>): Promise<OutputOf<typeof listSyncProblems>> {
    return this.db.forTenant(ctx, async (tx) => {
      const integration = known(await findIntegration(tx, ctx.organization_id, params.id));
      return pageOfProblems(tx, integration, query);
    });
  }

  /** If the list is not available, it is requested immediately, and everything is sent when it is available again. */
  @Handles(retryIntegration)
  retry(ctx: TenantContext, { params }: InputOf<typeof retryIntegration>): Promise<OutputOf<typeof retryIntegration>> {
    return this.db.forTenant(ctx, async (tx) => {
      const integration = known(await findIntegrationForUpdate(tx, ctx.organization_id, params.id));
      if (!integration.is_active && integration.unavailable_since === null) throw new AppError('integration.paused');
      if (!integration.is_active) await probeNow(tx, integration);
      const retried = await retryAll(tx, ctx, integration);
      scheduleSync(this.jobs, tx, ctx, integration.connection_id);
      return { retried };
    });
  }
}

async function retryAll(tx: IntegrationsTx, ctx: Context, integration: IntegrationRow): Promise<number> {
  const failed = await retryFailedLinks(tx, ctx, { integration_id: integration.id }, ['failed', 'stopped']);
  return failed + (await retryRefused(tx, integration));
}

function known(integration: IntegrationRow | undefined): IntegrationRow {
  if (!integration) throw new AppError('integration.not_found');
  return integration;
}
