import type { TicketsTx } from '../schema';

export interface Counter {
  prefix: string;
  last_number: number;
}

/** Undefined while the organization has not arrived here from identity. */
export const findCounter = (tx: TicketsTx): Promise<Counter | undefined> =>
  tx.selectFrom('ticket_counters').select(['prefix', 'last_number']).executeTakeFirst();

/** Locked: a ticket that is being numbered comes first, and the next one waits. */
export const findCounterForUpdate = (tx: TicketsTx): Promise<Counter | undefined> =>
  tx.selectFrom('ticket_counters').select(['prefix', 'last_number']).forUpdate().executeTakeFirst();

export async function savePrefix(tx: TicketsTx, organization_id: string, prefix: string): Promise<void> {
  await tx.updateTable('ticket_counters').set({ prefix }).where('organization_id', '=', organization_id).execute();
}
