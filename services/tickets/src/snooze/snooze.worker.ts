import { Injectable } from '@nestjs/common';
import { systemContext, wakeTicket, type Context, type JobDataOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { awake, monotonicNow } from '../ticket/ticket';
import { emitChange } from '../ticket/ticket-events';
import { findTicketForUpdate, saveTicket } from '../ticket/ticket.store';
import { findDueWakeTimesAcrossOrganizations, removeWakeTime } from './snooze.store';

/** Limits the memory that a sweep's list takes here and in Redis. */
const maxPerSweep = 2_000;

/** Wakes each snoozed ticket once, at the first sweep after its time. */
@Injectable()
export class SnoozeWorker {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Recovers(wakeTicket)
  async findDue(): Promise<PendingJob<typeof wakeTicket>[]> {
    const due = await this.db.asSystem('find snoozed tickets of all organizations that are due', (tx) =>
      findDueWakeTimesAcrossOrganizations(tx, maxPerSweep),
    );
    return due.map(({ organization_id, ticket_id }) => ({
      id: ticket_id,
      ctx: systemContext(organization_id, `snooze-${ticket_id}`),
      data: { ticket_id },
    }));
  }

  /**
   * Holds the ticket's lock, so that a second worker finds it no longer snoozed. A ticket that was snoozed for longer has its new time in
   * the row.
   */
  @HandlesJob(wakeTicket)
  wake(ctx: Context, { ticket_id }: JobDataOf<typeof wakeTicket>): Promise<void> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findTicketForUpdate(tx, ticket_id);
      if (!before) return;
      const clock = new Date().toISOString();
      if (before.snoozed_until !== null && before.snoozed_until > clock) return;
      await removeWakeTime(tx, { organization_id: before.organization_id, ticket_id });
      if (before.snoozed_until === null) return;
      const ticket = await saveTicket(tx, before, awake(before), monotonicNow(before.updated_at, clock));
      await emitChange(tx, ctx, before, ticket);
    });
  }
}
