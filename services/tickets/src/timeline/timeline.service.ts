import { Controller } from '@nestjs/common';
import { readTimeline, type Activity, type Context, type InputOf, type Page } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { checkTicket } from '../ticket/ticket.service';
import { findActivities } from './activity.store';

/** Read access to a ticket's timeline. Entries are written where the changes are made (`recordActivity`). */
@Controller()
export class TimelineService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readTimeline)
  read(ctx: Context, { params, query }: InputOf<typeof readTimeline>): Promise<Page<Activity>> {
    const read = async (tx: TicketsTx) => {
      const [page] = await Promise.all([findActivities(tx, params.id, query), checkTicket(tx, params.id)]);
      return page;
    };
    return this.db.readTenant(ctx, read, { isPrepared: true });
  }
}
