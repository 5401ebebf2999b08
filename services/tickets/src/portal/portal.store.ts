import type { CustomerFollowUp } from '@tandem/contracts';
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
