import type { Ticket } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx, TicketExportRow } from '../schema';
import { assignee, qualified, withAssignee } from '../ticket/ticket.store';
import { ticketFields } from '../ticket/ticket-fields';

/** Starts the export of all tickets to a connection, or restarts it if one is running. */
export async function insertExport(tx: TicketsTx, row: Pick<TicketExportRow, 'organization_id' | 'connection_id'>): Promise<void> {
  await tx
    .insertInto('ticket_exports')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'connection_id'])
        .doUpdateSet({ last_id: null, exported_count: 0, created_at: sql<string>`now()` }),
    )
    .execute();
}

/** Locks the row until the transaction ends: batches run one at a time, and a restart waits for the current one. */
export const findExportForUpdate = (tx: TicketsTx, organization_id: string, connection_id: string) =>
  tx
    .selectFrom('ticket_exports')
    .select(['last_id', 'exported_count'])
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .forUpdate()
    .executeTakeFirst();

export async function saveExport(
  tx: TicketsTx,
  {
    organization_id,
    connection_id,
    ...fields
  }: Pick<TicketExportRow, 'organization_id' | 'connection_id' | 'last_id'> & { exported_count: number },
): Promise<void> {
  await tx
    .updateTable('ticket_exports')
    .set(fields)
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .execute();
}

export async function deleteExport(tx: TicketsTx, organization_id: string, connection_id: string): Promise<void> {
  await tx.deleteFrom('ticket_exports').where('organization_id', '=', organization_id).where('connection_id', '=', connection_id).execute();
}

export const findExportsAcrossOrganizations = (tx: TicketsTx) =>
  tx.selectFrom('ticket_exports').select(['organization_id', 'connection_id']).orderBy('created_at').limit(500).execute();

/**
 * Locks and reads the next tickets in id order. The lock ensures that the snapshot of a ticket gets an event sequence after its last change
 * and before its next one; the order is that of `findTicketsForUpdate`. Reads in a second statement, because one that waited for a lock
 * would return outdated assignees.
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
  return withAssignee(tx).select(qualified(ticketFields)).select(assignee).where('t.id', 'in', ids).orderBy('t.id').execute();
}

/** Number of unpublished events, counted up to `cap`. */
export async function countUnpublished(tx: TicketsTx, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from outbox where published_at is null limit ${cap}) waiting`.execute(tx);
  return rows[0]?.count ?? 0;
}
