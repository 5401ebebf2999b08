import { Controller } from '@nestjs/common';
import { readTicketStats, type Context, type TicketStats } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { AnalyticsSchema } from '../schema';
import { findCounts } from './ticket-facts.store';

@Controller()
export class TicketStatsService {
  constructor(private readonly db: Database<AnalyticsSchema>) {}

  @Handles(readTicketStats)
  read(ctx: Context): Promise<TicketStats> {
    return this.db.forTenant(ctx, async (tx) => (await findCounts(tx)) ?? { total: 0, open: 0, resolved: 0, unassigned: 0 });
  }
}
