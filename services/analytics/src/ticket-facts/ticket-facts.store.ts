import { executePrepared } from '@tandem/db';
import type { AnalyticsTx, TicketColumns, TicketFactRow } from '../schema';
import type { Selectable } from 'kysely';

/**
 * Saves `fact` unless a newer one is stored; `isSaved` is then false. `before` is the replaced fact. The row lock serializes concurrent
 * events of one ticket.
 */
export async function upsertFact(tx: AnalyticsTx, fact: TicketColumns): Promise<{ isSaved: boolean; before?: Selectable<TicketFactRow> }> {
  const insert = tx
    .insertInto('ticket_facts')
    .values(fact)
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doNothing())
    .returning('ticket_id');
  const { rows: inserted } = await executePrepared(tx, insert.compile());
  if (inserted.length > 0) return { isSaved: true };
  const before = await tx
    .selectFrom('ticket_facts')
    .selectAll()
    .where('ticket_id', '=', fact.ticket_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (before.sequence >= fact.sequence) return { isSaved: false, before };
  await tx.updateTable('ticket_facts').set(fact).where('ticket_id', '=', fact.ticket_id).execute();
  return { isSaved: true, before };
}
