import { analyticsErasureAnswered, deleteInAnalytics } from '@tandem/contracts';
import { defineService, customerErasure, organizationDeletion } from '@tandem/messaging';
import { AnalyticsExportPart } from './export-part/export-part';
import { RollUpWorker } from './day-roll-ups/roll-up.worker';
import { ExportService } from './export/export.service';
import { AnalyticsService } from './figures/analytics.service';
import { IdentityProjection } from './projection/identity-projection';
import { InstallationWorker } from './rebuild/installation.worker';
import { RebuildConsumer } from './rebuild/rebuild.consumer';
import { RecountWorker } from './recount/recount.worker';
import { ReportService } from './report/report.service';
import { ReportWorker } from './report/report.worker';
import { SurveyConsumer } from './survey/survey.consumer';
import { AnalyticsTicketDeletion } from './ticket-deletion/ticket-deletion';
import { TicketFacts } from './ticket-facts/ticket-facts.consumer';
import { TicketStatsService } from './ticket-facts/ticket-stats.service';
import { TicketCountService } from './organization/ticket-counts.service';

/** Figures of tickets, which can be rebuilt from the events of the other services. */
export const analyticsService = defineService({
  name: 'analytics',
  // Open pages wait for most of its events, and nothing else does.
  publishIntervalMs: 100,
  controllers: [TicketStatsService, AnalyticsService, ExportService, ReportService, TicketCountService],
  providers: () => [
    organizationDeletion(deleteInAnalytics),
    AnalyticsTicketDeletion,
    customerErasure(analyticsErasureAnswered, { hasTickets: true }),
    AnalyticsExportPart,
    TicketFacts,
    SurveyConsumer,
    IdentityProjection,
    RebuildConsumer,
    InstallationWorker,
    RollUpWorker,
    RecountWorker,
    ReportWorker,
  ],
});
