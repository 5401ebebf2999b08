import type { Activity, Context } from '@tandem/contracts';
import { newId } from '@tandem/db';
import type { TicketsTx } from '../schema';

/** Notes in the ticket's timeline what the context's actor did, in the transaction that does it. */
export async function recordActivity(
  tx: TicketsTx,
  ctx: Context,
  ticket: { organization_id: string; id: string },
  kind: Activity['kind'],
  changes: Activity['changes'],
  now: string,
): Promise<void> {
  await tx
    .insertInto('activities')
    .values({
      organization_id: ticket.organization_id,
      id: newId(),
      ticket_id: ticket.id,
      kind,
      actor_type: ctx.actor.type,
      user_id: ctx.actor.type === 'user' ? ctx.actor.user_id : null,
      changes: JSON.stringify(changes),
      created_at: now,
    })
    .execute();
}
