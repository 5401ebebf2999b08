import { defineService } from '@tandem/messaging';
import { TicketFacts } from './ticket-facts/ticket-facts.consumer';
import { TicketStatsService } from './ticket-facts/ticket-stats.service';

/** Metric projections, which can be rebuilt from the events of the other services. */
export const analyticsService = defineService({
  name: 'analytics',
  controllers: [TicketStatsService],
  providers: () => [TicketFacts],
});
