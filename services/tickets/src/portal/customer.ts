import { AppError, type Context, type Ticket } from '@tandem/contracts';

/** On the portal and in the widget every caller acts as the customer, even a signed-in member of staff. */
export const asCustomer = <C extends Context>(ctx: C): C => ({ ...ctx, actor: { type: 'customer' } });

/** Unknown id, wrong email, an anonymized ticket or one of another organization (hidden by row-level security): all get the same error. */
export function assertCustomerOwns<T extends Pick<Ticket, 'customer_email' | 'anonymized_at'>>(ticket: T | undefined, email: string): T {
  if (ticket?.customer_email === email && ticket.anonymized_at === null) return ticket;
  throw new AppError('ticket.not_found', { detail: 'No ticket found with that email address for this organization.' });
}
