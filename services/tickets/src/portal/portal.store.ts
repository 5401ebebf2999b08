import type { CustomerFollowUp, Ticket } from '@tandem/contracts';
import type { TicketsTx } from '../schema';

/** The organization's setting; the default for new organizations until its event has arrived. */
export async function findFollowUp(tx: TicketsTx, organization_id: string): Promise<CustomerFollowUp> {
  const organization = await tx
    .selectFrom('organizations')
    .select('customer_follow_up')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return organization?.customer_follow_up ?? 'locked';
}

/** Whether a matching address and number open the ticket directly (`instant_lookup`). */
export async function hasInstantLookup(tx: TicketsTx, organization_id: string): Promise<boolean> {
  const organization = await tx
    .selectFrom('organizations')
    .select('instant_lookup')
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return organization?.instant_lookup ?? false;
}

/** The fields that a ticket shows of a related one. */
export const findRelatedTicket = (
  tx: TicketsTx,
  id: string,
): Promise<Pick<Ticket, 'id' | 'ticket_number' | 'customer_email'> | undefined> =>
  tx.selectFrom('tickets').select(['id', 'ticket_number', 'customer_email']).where('id', '=', id).executeTakeFirst();
