import { Injectable } from '@nestjs/common';
import { ticketCreated, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { changeTicket } from '../ticket/ticket.service';
import { findTicketForUpdate } from '../ticket/ticket.store';
import { assignsAutomatically, findNextAssignee, isOpen, lockChoice } from './assignment.store';

/**
 * Gives new tickets to whoever has the least to do, where the organization wants that. Behind the event and not in the creation: customers
 * do not wait for it. What a process of ours brought in (an import, the demo data) stays as it came.
 */
@Injectable()
export class AutoAssignment {
  @Consumes(ticketCreated, { from: 'now' })
  async assignNewTicket(ctx: Context, { ticket }: DataOf<typeof ticketCreated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    if (envelope.actor.type === 'system' || !(await assignsAutomatically(tx))) return;
    const found = await findTicketForUpdate(tx, ticket.id);
    // Somebody was quicker: a choice made by hand stands.
    if (found && found.assigned_to === null && isOpen(found)) await handOut(tx, ctx, found);
  }
}

/** Gives a locked ticket to the next active member in turn; to nobody where there is none. */
export async function handOut(
  tx: TicketsTx,
  ctx: Context,
  ticket: { organization_id: string; id: string; assigned_to: string | null },
): Promise<void> {
  await lockChoice(tx, ticket.organization_id);
  const next = await findNextAssignee(tx);
  if (next !== undefined || ticket.assigned_to !== null) await changeTicket(tx, ctx, ticket.id, { assigned_to: next ?? null });
}
