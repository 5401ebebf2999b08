import type { CustomerFollowUp, Ticket } from '@tandem/contracts';
import type { TicketsTx } from '../schema';

/** The organization's choice; that of a new one while it is not known here yet. */
export async function findFollowUp(tx: TicketsTx, organization_id: string): Promise<CustomerFollowUp> {
  const organization = await tx
    .selectFrom('organizations')
    .select('customer_follow_up')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return organization?.customer_follow_up ?? 'locked';
}

/** Whether address and number together open a ticket at once (`instant_lookup`). */
export async function hasInstantLookup(tx: TicketsTx, organization_id: string): Promise<boolean> {
  const organization = await tx
    .selectFrom('organizations')
    .select('instant_lookup')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return organization?.instant_lookup ?? false;
}

/** What one ticket shows of another. */
export const findTicketBeside = (tx: TicketsTx, id: string): Promise<Pick<Ticket, 'id' | 'ticket_number' | 'customer_email'> | undefined> =>
  tx.selectFrom('tickets').select(['id', 'ticket_number', 'customer_email']).where('id', '=', id).executeTakeFirst();
