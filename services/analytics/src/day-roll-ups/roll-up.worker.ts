import { Injectable } from '@nestjs/common';
import { rollUpDays, systemContext, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { sql } from 'kysely';
import { incrementVersion } from '../organization/organization.store';
import { rebuildStep } from '../rebuild/rebuild';
import { isRebuilding } from '../rebuild/rebuild.store';
import type { AnalyticsSchema, AnalyticsTx } from '../schema';
import { computeDays, findDirtyAcrossOrganizations, replaceDays, takeDirtyDays } from './roll-up.store';

/** Days per transaction; changes to their tickets wait for it. */
const batch = 8;
const maxPerSweep = 2_000;
/** A day that changes all the time is computed once per sweep: reads compute a dirty day from its facts, so no request waits for it. */
const minAgeMs = 1_000;

/** Computes the roll-ups of dirty days. The sweep schedules it, so an event causes no job. */
@Injectable()
export class RollUpWorker {
  constructor(private readonly db: Database<AnalyticsSchema>) {}

  @Recovers(rollUpDays)
  async findDirty(): Promise<PendingJob<typeof rollUpDays>[]> {
    const organizations = await this.db.asSystem('dirty days of all organizations', (tx) =>
      findDirtyAcrossOrganizations(tx, minAgeMs, maxPerSweep),
    );
    return organizations.map((id) => ({ id, ctx: systemContext(id, `roll-up-${id}`), data: {} }));
  }

  /** If the process dies, the batch in progress is rolled back and its days stay dirty. */
  @HandlesJob(rollUpDays, { concurrency: 2 })
  async rollUp(ctx: TenantContext): Promise<void> {
    while (await this.db.forTenant(ctx, (tx) => rebuildStep(tx, ctx))) continue;
    const started = await this.db.forTenant(ctx, now);
    while (await this.db.forTenant(ctx, (tx) => rollUpBatch(tx, ctx.organization_id, started))) continue;
    await this.db.forTenant(ctx, (tx) => rebuildStep(tx, ctx));
  }
}

const now = async (tx: AnalyticsTx): Promise<string> =>
  (await sql<{ now: string }>`select now() + interval '1 millisecond' as now`.execute(tx)).rows[0]!.now;

/** Computes the next dirty days; false if there are none left that were marked before `started`. */
async function rollUpBatch(tx: AnalyticsTx, organization_id: string, started: string): Promise<boolean> {
  const days = await takeDirtyDays(tx, started, batch);
  if (days.length === 0) return false;
  await replaceDays(tx, days, await computeDays(tx, organization_id, days));
  // During a rebuild, requests read dirty days from the roll-ups, too.
  if (await isRebuilding(tx)) await incrementVersion(tx);
  return days.length === batch;
}
