import type { TicketsTx } from '../schema';

export interface Counter {
  prefix: string;
  last_number: number;
}

/** Undefined until identity's event about the organization has arrived. */
export const findCounter = (tx: TicketsTx): Promise<Counter | undefined> =>
  tx.selectFrom('ticket_counters').select(['prefix', 'last_number']).executeTakeFirst();

/** Locks the row: waits for a ticket that is being numbered, and blocks the next one. */
export const findCounterForUpdate = (tx: TicketsTx): Promise<Counter | undefined> =>
  tx.selectFrom('ticket_counters').select(['prefix', 'last_number']).forUpdate().executeTakeFirst();

export async function savePrefix(tx: TicketsTx, organization_id: string, prefix: string): Promise<void> {
  await tx.updateTable('ticket_counters').set({ prefix }).where('organization_id', '=', organization_id).execute();
}
