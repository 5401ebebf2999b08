import { Injectable } from '@nestjs/common';
import { metricsUpdated, ticketCreated, ticketUpdated, type Context, type DataOf, type Envelope, type Ticket } from '@tandem/contracts';
import { Consumes, emit } from '@tandem/messaging';
import type { AnalyticsTx } from '../schema';
import { toFact, isZero, countDifference } from './ticket-facts';
import { upsertFact, addToCounts } from './ticket-facts.store';

/**
 * Updates the dashboard counts from ticket events. `ticket.created` and `ticket.updated` are enough: every change of status, priority or
 * assignee also emits `ticket.updated`.
 */
@Injectable()
export class TicketFacts {
  @Consumes(ticketCreated, { name: 'ticket-created-facts', from: 'beginning' })
  countNewTicket(ctx: Context, data: DataOf<typeof ticketCreated>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return takeIn(tx, ctx, data.ticket, envelope.sequence);
  }

  @Consumes(ticketUpdated, { name: 'ticket-updated-facts', from: 'beginning' })
  countChangedTicket(ctx: Context, data: DataOf<typeof ticketUpdated>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return takeIn(tx, ctx, data.ticket, envelope.sequence);
  }
}

/** Safe for any order and number of deliveries: the newest event of a ticket wins, and the counts change by the difference. */
async function takeIn(tx: AnalyticsTx, ctx: Context, ticket: Ticket, sequence: number): Promise<void> {
  const fact = toFact(ticket, sequence);
  const { isSaved, before } = await upsertFact(tx, fact);
  if (!isSaved) return;
  const movement = countDifference(before, fact);
  if (isZero(movement)) return;
  await addToCounts(tx, ticket.organization_id, movement);
  await emit(tx, ctx, metricsUpdated, ticket.id, { ticket_id: ticket.id });
}
