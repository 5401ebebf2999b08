import { sql } from 'kysely';
import type { TicketsTx, TicketWakeTimeRow } from '../schema';

export async function saveWakeTime(tx: TicketsTx, row: TicketWakeTimeRow): Promise<void> {
  const { wake_at } = row;
  await tx
    .insertInto('ticket_wake_times')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doUpdateSet({ wake_at }))
    .execute();
}

/** Filters by organization as well: the system policy also allows reads of this table, and with two policies no index is used. */
export async function removeWakeTime(tx: TicketsTx, { organization_id, ticket_id }: Omit<TicketWakeTimeRow, 'wake_at'>): Promise<void> {
  await tx.deleteFrom('ticket_wake_times').where('organization_id', '=', organization_id).where('ticket_id', '=', ticket_id).execute();
}

export const findDueWakeTimesAcrossOrganizations = (tx: TicketsTx, limit: number) =>
  tx
    .selectFrom('ticket_wake_times')
    .select(['organization_id', 'ticket_id'])
    .where('wake_at', '<=', sql<string>`now()`)
    .orderBy('wake_at')
    .limit(limit)
    .execute();
