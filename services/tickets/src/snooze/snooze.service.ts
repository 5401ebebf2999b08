import { Controller } from '@nestjs/common';
import { AppError, isValidSnooze, snoozeTicket, wakeTicketNow, type Context, type InputOf, type Ticket } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { awake, isResolvedOrClosed, monotonicNow } from '../ticket/ticket';
import { emitChange } from '../ticket/ticket-events';
import { getTicket, getTicketForUpdate } from '../ticket/ticket.service';
import { saveTicket } from '../ticket/ticket.store';
import { saveWakeTime } from './snooze.store';

function checkUntil(until: string | null): void {
  if (until === null || isValidSnooze(until, Date.now())) return;
  throw new AppError('request.invalid', {
    fields: [{ path: 'until', code: 'invalid', message: 'Choose a time in the future, at most a year ahead' }],
  });
}

/** Snoozing tickets. They also wake when the customer replies (`writeComment`) and when they are resolved or closed (`computeChange`). */
@Controller()
export class SnoozeService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(snoozeTicket)
  snooze(ctx: Context, { params, body: { until } }: InputOf<typeof snoozeTicket>): Promise<Ticket> {
    checkUntil(until);
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getTicketForUpdate(tx, params.id);
      if (isResolvedOrClosed(before.status)) throw new AppError('ticket.locked', { detail: 'Only open tickets can be snoozed.' });
      if (before.snoozed_at !== null && before.snoozed_until === until) return getTicket(tx, before.id);
      const now = monotonicNow(before.updated_at);
      const ticket = await saveTicket(tx, before, { snoozed_at: now, snoozed_until: until }, now);
      // The row is written before the job: the sweep finds it when it is due.
      if (until !== null) await saveWakeTime(tx, { organization_id: before.organization_id, ticket_id: before.id, wake_at: until });
      await emitChange(tx, ctx, before, ticket);
      return ticket;
    });
  }

  @Handles(wakeTicketNow)
  wake(ctx: Context, { params }: InputOf<typeof wakeTicketNow>): Promise<Ticket> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getTicketForUpdate(tx, params.id);
      if (before.snoozed_at === null) return getTicket(tx, before.id);
      const ticket = await saveTicket(tx, before, awake(before), monotonicNow(before.updated_at));
      await emitChange(tx, ctx, before, ticket);
      return ticket;
    });
  }
}
