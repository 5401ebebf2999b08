import { AppError, type Context, type Ticket } from '@tandem/contracts';

/** Whoever sits at the portal or the widget acts as the customer, a signed-in member of staff too. */
export const asCustomer = (ctx: Context): Context => ({ ...ctx, actor: { type: 'customer' } });

/** Unknown id, wrong e-mail, another organization's ticket (which row-level security hides): one answer. */
export function ofCustomer<T extends Pick<Ticket, 'customer_email'>>(ticket: T | undefined, email: string): T {
  if (ticket?.customer_email === email) return ticket;
  throw new AppError('ticket.not_found', { detail: 'No ticket found with that email address for this organization.' });
}
