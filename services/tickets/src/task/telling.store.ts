import type { Ticket } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx, TicketTellingRow } from '../schema';
import { assignee, of, ticketFields, withAssignee } from '../ticket/ticket.store';

/** Begins to tell a connection all tickets, from the first one again where that was under way. */
export async function insertTelling(tx: TicketsTx, telling: Pick<TicketTellingRow, 'organization_id' | 'connection_id'>): Promise<void> {
  await tx
    .insertInto('ticket_tellings')
    .values(telling)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'connection_id']).doUpdateSet({ last_id: null, told: 0, created_at: sql<string>`now()` }),
    )
    .execute();
}

/** Locked until the transaction ends: one batch at a time, and whoever begins again waits for it. */
export const findTellingForUpdate = (tx: TicketsTx, organization_id: string, connection_id: string) =>
  tx
    .selectFrom('ticket_tellings')
    .select(['last_id', 'told'])
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .forUpdate()
    .executeTakeFirst();

export async function saveTelling(
  tx: TicketsTx,
  { organization_id, connection_id, ...fields }: Pick<TicketTellingRow, 'organization_id' | 'connection_id' | 'last_id'> & { told: number },
): Promise<void> {
  await tx
    .updateTable('ticket_tellings')
    .set(fields)
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .execute();
}

export async function deleteTelling(tx: TicketsTx, organization_id: string, connection_id: string): Promise<void> {
  await tx
    .deleteFrom('ticket_tellings')
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .execute();
}

export const findTellingsAcrossOrganizations = (tx: TicketsTx) =>
  tx.selectFrom('ticket_tellings').select(['organization_id', 'connection_id']).orderBy('created_at').limit(500).execute();

/**
 * The next tickets in the order of their ids, locked: what is told of one must be numbered after its last change and before its next one. In
 * that order as `findTicketsForUpdate`; read in a statement of its own, since one that waited for a lock would show older assignees.
 */
export async function findNextTicketsForUpdate(tx: TicketsTx, after_id: string | null, limit: number): Promise<Ticket[]> {
  const locked = await tx
    .selectFrom('tickets')
    .select('id')
    .$if(after_id !== null, (qb) => qb.where('id', '>', after_id!))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  if (locked.length === 0) return [];
  const ids = locked.map(({ id }) => id);
  return withAssignee(tx).select(of(ticketFields)).select(assignee).where('t.id', 'in', ids).orderBy('t.id').execute();
}

/** How many events wait to be published, counted to `cap`. */
export async function countUnpublished(tx: TicketsTx, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from outbox where published_at is null limit ${cap}) waiting`.execute(tx);
  return rows[0]?.count ?? 0;
}
