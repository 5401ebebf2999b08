import type { TicketStats } from '@tandem/contracts';
import type { AnalyticsTx, TicketFactRow } from '../schema';

/**
 * Saves `fact` unless a newer one is stored; `isSaved` is then false. `before` is the replaced fact. The row lock serializes concurrent
 * events of one ticket.
 */
export async function upsertFact(tx: AnalyticsTx, fact: TicketFactRow): Promise<{ isSaved: boolean; before?: TicketFactRow }> {
  const inserted = await tx
    .insertInto('ticket_facts')
    .values(fact)
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doNothing())
    .returning('ticket_id')
    .executeTakeFirst();
  if (inserted) return { isSaved: true };
  const before = await tx
    .selectFrom('ticket_facts')
    .selectAll()
    .where('ticket_id', '=', fact.ticket_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (before.sequence >= fact.sequence) return { isSaved: false };
  await tx.updateTable('ticket_facts').set(fact).where('ticket_id', '=', fact.ticket_id).execute();
  return { isSaved: true, before };
}

/**
 * Adds `movement` to the organization's counts. The first movement of an organization is a new ticket, so the inserted counts are never
 * negative.
 */
export async function addToCounts(tx: AnalyticsTx, organization_id: string, movement: TicketStats): Promise<void> {
  const moved = await tx
    .updateTable('ticket_counts')
    .set((eb) => ({
      total: eb('total', '+', movement.total),
      open: eb('open', '+', movement.open),
      resolved: eb('resolved', '+', movement.resolved),
      unassigned: eb('unassigned', '+', movement.unassigned),
    }))
    .where('organization_id', '=', organization_id)
    .returning('organization_id')
    .executeTakeFirst();
  if (moved) return;
  await tx
    .insertInto('ticket_counts')
    .values({ organization_id, ...movement })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet((eb) => ({
        total: eb('ticket_counts.total', '+', eb.ref('excluded.total')),
        open: eb('ticket_counts.open', '+', eb.ref('excluded.open')),
        resolved: eb('ticket_counts.resolved', '+', eb.ref('excluded.resolved')),
        unassigned: eb('ticket_counts.unassigned', '+', eb.ref('excluded.unassigned')),
      })),
    )
    .execute();
}

export const findCounts = (tx: AnalyticsTx): Promise<TicketStats | undefined> =>
  tx.selectFrom('ticket_counts').select(['total', 'open', 'resolved', 'unassigned']).executeTakeFirst();
