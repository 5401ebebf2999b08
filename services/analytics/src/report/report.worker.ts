import { Injectable } from '@nestjs/common';
import { reportDue, sendReport, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { DayCache } from '../figures/day-cache';
import { findState } from '../figures/figures.store';
import { readAnalyticsOf } from '../figures/read-figures';
import type { AnalyticsSchema } from '../schema';
import { lastDue, nextDue, reportedPeriod } from './report-schedule';
import { findDueReportsAcrossOrganizations, findReportForUpdate, findReportReaders, saveDueTime, zonesOf } from './report.store';

const maxPerSweep = 500;
/** A report waits this long for a rebuild that is computing its figures. */
const maxWaitMs = 3_600_000;

/** Emits `report.due` once for each due time: in the transaction that sets the next one. */
@Injectable()
export class ReportWorker {
  constructor(private readonly db: Database<AnalyticsSchema>) {}

  @Recovers(sendReport)
  async findDue(): Promise<PendingJob<typeof sendReport>[]> {
    const due = await this.db.asSystem('due reports of all organizations', (tx) => findDueReportsAcrossOrganizations(tx, maxPerSweep));
    return due.map(({ organization_id, id }) => ({ id, ctx: systemContext(organization_id, `report-${id}`), data: { report_id: id } }));
  }

  @HandlesJob(sendReport)
  send(ctx: TenantContext, { report_id }: JobDataOf<typeof sendReport>): Promise<void> {
    return this.db.forTenant(ctx, async (tx) => {
      const report = await findReportForUpdate(tx, report_id);
      const now = new Date().toISOString();
      if (!report || report.next_at > now) return;
      const { frequency } = report;
      const state = await findState(tx);
      if (state.is_rebuilding && Date.parse(report.next_at) + maxWaitMs > Date.parse(now)) return;
      const { time_zone } = state;
      const zones = zonesOf(report, time_zone);
      const due = lastDue(frequency, zones, report.next_at, now);
      const recipient_ids = await findReportReaders(tx, report.recipient_ids);
      const next_at = nextDue(frequency, zones, due);
      await saveDueTime(tx, report_id, recipient_ids.length > 0 ? { next_at, last_sent_at: now } : { next_at });
      if (recipient_ids.length === 0) return;
      const all = await readAnalyticsOf(tx, {}, reportedPeriod(frequency, time_zone, due), state, now, new DayCache(0, 0));
      const { period, figures, previous, per_day, by_priority } = all;
      const analytics = { period, figures, previous, per_day, by_priority };
      await emit(tx, ctx, reportDue, report_id, { report_id, frequency, recipient_ids, time_zone, analytics });
    });
  }
}
