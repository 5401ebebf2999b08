import { Inject, Injectable } from '@nestjs/common';
import { recountDays, systemContext, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { computeDays, replaceDays } from '../day-roll-ups/roll-up.store';
import { TimeSlice } from '../day-roll-ups/time-slice';
import { isRebuilding } from '../rebuild/rebuild.store';
import type { AnalyticsSchema, AnalyticsTx, DayRollUpRow } from '../schema';
import { drift } from './drift';
import {
  correctCounts,
  findNextForRecountAcrossOrganizations,
  findRollUpRows,
  hasWrongCounts,
  lockCleanDays,
  lockUnpackedDays,
  saveRecountTime,
  unlockDays,
} from './recount.store';

/** Days of an organization that one recount compares. */
const sample = 5;
/** Days of another version that are packed in one transaction. */
const repackBatch = 8;

/**
 * Compares a sample of each organization's roll-ups, and the counts of its dashboard, with a recount once a day, one organization per sweep.
 * Differing figures are counted as drift and computed again.
 */
@Injectable()
export class RecountWorker {
  constructor(
    private readonly db: Database<AnalyticsSchema>,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @Recovers(recountDays)
  async findNext(): Promise<PendingJob<typeof recountDays>[]> {
    const next = await this.db.asSystem('the next organization to recount', findNextForRecountAcrossOrganizations);
    return next.map((id) => ({ id, ctx: systemContext(id, `recount-${id}`), data: {} }));
  }

  @HandlesJob(recountDays)
  async recount(ctx: TenantContext): Promise<void> {
    const { organization_id } = ctx;
    if (await this.db.forTenant(ctx, postponeForRebuild)) return;
    while (await this.db.forTenant(ctx, (tx) => repackDays(tx, organization_id))) continue;
    // Before anything is locked: events of tickets would wait for it.
    const countsAreWrong = await this.db.readTenant(ctx, hasWrongCounts);
    const days = await this.db.forTenant(ctx, async (tx) => {
      const different = await recountSample(tx, organization_id);
      // Locks the organization's row: changes to the counts wait until the commit.
      await saveRecountTime(tx);
      if (countsAreWrong) await correctCounts(tx);
      return different;
    });
    if (days.length === 0 && !countsAreWrong) return;
    drift.add(days.length + (countsAreWrong ? 1 : 0));
    this.log.error(
      { organization_id, days, hasWrongCounts: countsAreWrong },
      'Stored figures differed from a recount and are computed again',
    );
  }
}

/** A rebuild computes all days again. Until then, the facts may be incomplete, so the figures must not be computed from them. */
async function postponeForRebuild(tx: AnalyticsTx): Promise<boolean> {
  if (!(await isRebuilding(tx))) return false;
  await saveRecountTime(tx);
  return true;
}

/**
 * Computes some of the days again that a process of another version has computed. In one transaction, so that no request finds them dirty.
 * Returns whether there may be more; there may also be after few days, because days that another transaction has just marked are skipped.
 */
async function repackDays(tx: AnalyticsTx, organization_id: string): Promise<boolean> {
  if (await isRebuilding(tx)) return false;
  const days = await lockUnpackedDays(tx, organization_id, repackBatch);
  if (days.length === 0) return false;
  await replaceDays(tx, days, await computeDays(tx, organization_id, days));
  return true;
}

/** Returns the days that differ, and leaves them dirty. */
async function recountSample(tx: AnalyticsTx, organization_id: string): Promise<string[]> {
  const days = await lockCleanDays(tx, organization_id, sample);
  const stored = await findRollUpRows(tx, days);
  const computed = await computeDays(tx, organization_id, days);
  const time = new TimeSlice();
  const different: string[] = [];
  for (const day of days) {
    if (time.isOver) await time.next();
    if (textOf(stored, day) !== textOf(computed, day)) different.push(day);
  }
  await unlockDays(
    tx,
    days.filter((day) => !different.includes(day)),
  );
  return different;
}

/** Sorted, because the order of rows and of keys depends on the order in which tickets are read. */
const textOf = (rows: readonly DayRollUpRow[], day: string): string =>
  rows
    .filter((row) => row.day === day)
    .map((row) => JSON.stringify([row.dimension, row.key, row.backlog_growth, sorted(row.figures), sorted(row.breakdown), row.packed]))
    .sort()
    .join('\n');
const sorted = (json: string): unknown =>
  JSON.parse(json, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
      : value,
  );
