import { Controller } from '@nestjs/common';
import { readTicketStats, type Context, type TicketStats } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { findCounts } from '../organization/organization.store';
import type { AnalyticsSchema } from '../schema';
import { noCounts } from './ticket-facts';

@Controller()
export class TicketStatsService {
  constructor(private readonly db: Database<AnalyticsSchema>) {}

  @Handles(readTicketStats)
  read(ctx: Context): Promise<TicketStats> {
    return this.db.forTenant(ctx, async (tx) => (await findCounts(tx)) ?? noCounts);
  }
}
