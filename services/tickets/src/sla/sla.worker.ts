import { Injectable } from '@nestjs/common';
import { checkSla, systemContext, type Context, type JobDataOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { findDueTimersAcrossOrganizations } from './sla.store';
import { announceDue } from './sla-timers';

/** Limits the memory that a sweep's list takes here and in Redis. 10,000 tickets due at once take five sweeps. */
const maxPerSweep = 2_000;

/** Emits each warning, breach and escalation once: a row of `sla_clocks` has the time of the next check and what was announced. */
@Injectable()
export class SlaWorker {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Recovers(checkSla)
  async findDue(): Promise<PendingJob<typeof checkSla>[]> {
    const due = await this.db.asSystem('find due timers of all organizations', (tx) => findDueTimersAcrossOrganizations(tx, maxPerSweep));
    return due.map(({ organization_id, ticket_id }) => ({
      id: ticket_id,
      ctx: systemContext(organization_id, `sla-${ticket_id}`),
      data: { ticket_id },
    }));
  }

  /** Holds the ticket's lock, so that a second worker runs after this one and finds nothing due. */
  @HandlesJob(checkSla)
  check(ctx: Context, { ticket_id }: JobDataOf<typeof checkSla>): Promise<void> {
    return this.db.forTenant(ctx, (tx) => announceDue(tx, ctx, ticket_id));
  }
}
