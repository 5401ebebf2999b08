import { Controller } from '@nestjs/common';
import { dismissFinishedTask, type Context, type InputOf, type Ticket } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { reminderChanges, monotonicNow } from '../ticket/ticket';
import { emitChange } from '../ticket/ticket-events';
import { getTicket, getTicketForUpdate } from '../ticket/ticket.service';
import { saveTicket } from '../ticket/ticket.store';
import { recordActivity } from '../timeline/activity.store';

/** Clears the reminder to notify the customer that the task is finished. A public reply and closing the ticket clear it too. */
@Controller()
export class FinishedTaskService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  /** Without a reminder this changes nothing. */
  @Handles(dismissFinishedTask)
  dismiss(ctx: Context, { params }: InputOf<typeof dismissFinishedTask>): Promise<Ticket> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getTicketForUpdate(tx, params.id);
      if (before.task_finished_at === null) return getTicket(tx, params.id);
      const ticket = await saveTicket(tx, before, { task_finished_at: null }, monotonicNow(before.updated_at));
      await emitChange(tx, ctx, before, ticket);
      recordFinished(tx, ctx, before, ticket);
      return ticket;
    });
  }
}

/** Records in the timeline that the task was finished or reopened, or that the reminder was dismissed. */
export function recordFinished(tx: TicketsTx, ctx: Context, before: Omit<Ticket, 'assignee'>, ticket: Ticket): void {
  const changes = reminderChanges(before, ticket);
  if (Object.keys(changes).length > 0) recordActivity(tx, ctx, ticket, 'changed', changes, ticket.updated_at);
}
