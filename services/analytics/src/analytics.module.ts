import { defineService } from '@tandem/messaging';
import { TicketFacts } from './ticket-facts/ticket-facts.consumer';
import { TicketStatsService } from './ticket-facts/ticket-stats.service';

/** Metric projections: each can be rebuilt from what the services announced. */
export const analyticsService = defineService({
  name: 'analytics',
  controllers: [TicketStatsService],
  providers: () => [TicketFacts],
});
