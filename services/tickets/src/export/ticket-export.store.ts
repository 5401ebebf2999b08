import type { Ticket } from '@tandem/contracts';
import { sql, type ExpressionBuilder } from 'kysely';
import type { TicketExportRow, TicketsSchema, TicketsTx } from '../schema';
import { assignee, qualified, withAssignee } from '../ticket/ticket.store';
import { ticketFields } from '../ticket/ticket-fields';

export type ExportKey = Pick<TicketExportRow, 'organization_id' | 'purpose' | 'request_id'>;

/** Starts the export of all tickets, or restarts it if it is running. */
export async function insertExport(tx: TicketsTx, row: ExportKey): Promise<void> {
  await tx
    .insertInto('ticket_exports')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'purpose', 'request_id'])
        .doUpdateSet({ last_id: null, exported_count: 0, created_at: sql<string>`now()` }),
    )
    .execute();
}

const isExport =
  ({ organization_id, purpose, request_id }: ExportKey) =>
  (eb: ExpressionBuilder<TicketsSchema, 'ticket_exports'>) =>
    eb.and({ organization_id, purpose, request_id });

/** Locks the row until the transaction ends: batches run one at a time, and a restart waits for the current one. */
export const findExportForUpdate = (tx: TicketsTx, key: ExportKey) =>
  tx.selectFrom('ticket_exports').select(['last_id', 'exported_count']).where(isExport(key)).forUpdate().executeTakeFirst();

export async function saveExport(tx: TicketsTx, key: ExportKey, progress: { last_id: string; exported_count: number }): Promise<void> {
  await tx.updateTable('ticket_exports').set(progress).where(isExport(key)).execute();
}

export async function deleteExport(tx: TicketsTx, key: ExportKey): Promise<void> {
  await tx.deleteFrom('ticket_exports').where(isExport(key)).execute();
}

export const findExportsAcrossOrganizations = (tx: TicketsTx) =>
  tx.selectFrom('ticket_exports').select(['organization_id', 'purpose', 'request_id']).orderBy('created_at').limit(500).execute();

/**
 * Locks the next tickets in id order, which is that of `findTicketsForUpdate`. The lock ensures that the exported state of a ticket is that
 * after its last event and before its next one. The caller reads it in another statement, because one that waited for a lock would return
 * outdated assignees. A task tool gets no anonymized tickets.
 */
export async function lockNextTickets(
  tx: TicketsTx,
  { purpose }: Pick<ExportKey, 'purpose'>,
  after_id: string | null,
  limit: number,
): Promise<string[]> {
  const locked = await tx
    .selectFrom('tickets')
    .select('id')
    .$if(purpose === 'task_tool', (qb) => qb.where('anonymized_at', 'is', null))
    .$if(after_id !== null, (qb) => qb.where('id', '>', after_id!))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  return locked.map(({ id }) => id);
}

export const findLockedTickets = (tx: TicketsTx, ids: readonly string[]): Promise<Ticket[]> =>
  withAssignee(tx)
    .select(qualified(ticketFields))
    .select(assignee)
    .where('t.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('t.id')
    .execute();
