import { Injectable } from '@nestjs/common';
import { ticketCreated, type Context, type DataOf } from '@tandem/contracts';
import { ignoreWritesSoFar } from '@tandem/db';
import { ConsumesBatch, NotTogether, type BatchedEvent } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { changeTicket } from '../ticket/ticket.service';
import { findTicketForUpdate } from '../ticket/ticket.store';
import { assignsAutomatically, findNextAssignee, isOpen, lockChoice } from './assignment.store';

/**
 * Assigns new tickets to the member with the lowest load if the organization has automatic assignment on. Runs when the event arrives, not
 * during the creation, so that customers do not wait for it. Tickets created by a system process (an import, the demo data) keep their assignee.
 */
@Injectable()
export class AutoAssignment {
  /** Handles events in batches, because most organizations assign by hand and none of their tickets need work. */
  @ConsumesBatch(ticketCreated, { name: 'auto-assignment', from: 'now', intervalMs: 250 })
  async assignNewTickets(events: readonly BatchedEvent<DataOf<typeof ticketCreated>>[], tx: TicketsTx): Promise<void> {
    const isPossible = events.some(({ envelope }) => envelope.actor.type !== 'system') && (await assignsAutomatically(tx));
    // Otherwise the inbox rows would end the 304 responses of all clients a second time for new tickets.
    if (!isPossible) return ignoreWritesSoFar(tx);
    // Two assignments in one transaction and two changes by users could each wait for the other's member.
    if (events.length > 1) throw new NotTogether();
    const { ctx, data } = events[0]!;
    const found = await findTicketForUpdate(tx, data.ticket.id);
    // Skip the ticket if a teammate has assigned it in the meantime.
    if (found && found.assigned_to === null && isOpen(found)) await assignNext(tx, ctx, found);
  }
}

/** Assigns a locked ticket to the next active member; unassigns it if there is none. */
export async function assignNext(
  tx: TicketsTx,
  ctx: Context,
  ticket: { organization_id: string; id: string; assigned_to: string | null },
): Promise<void> {
  await lockChoice(tx, ticket.organization_id);
  const next = await findNextAssignee(tx);
  if (next !== undefined || ticket.assigned_to !== null) await changeTicket(tx, ctx, ticket.id, { assigned_to: next ?? null });
}
