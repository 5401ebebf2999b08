import { analyticsExportPart, sendAnalyticsExportPart } from '@tandem/contracts';
import { exportPart, shortExportSource } from '@tandem/messaging';
import { findReports } from '../report/report.store';
import type { AnalyticsSchema, AnalyticsTx } from '../schema';

/** Sends the scheduled reports of an organization to its exports. Figures are not sent: they are calculated from the tickets. */
export const AnalyticsExportPart = exportPart<AnalyticsSchema>({
  event: analyticsExportPart,
  job: sendAnalyticsExportPart,
  sources: [
    shortExportSource('report_schedules.jsonl', async (tx: AnalyticsTx) =>
      (await findReports(tx)).map(({ version: _version, ...report }) => report),
    ),
  ],
});
