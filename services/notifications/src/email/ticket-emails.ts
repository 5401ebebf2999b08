import { Controller } from '@nestjs/common';
import { ticketCreated, ticketLookupRequested, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { NotificationsSchema } from '../schema';
import { Consumes } from '@tandem/messaging';
import { EmailQueue } from './email.queue';

/**
 * Which ticket events a customer hears about. Customers cannot switch these off (spec part 2, section 9).
 * Tickets that a process of ours brought in (an import, the demo data) mail nobody.
 */
@Controller()
export class TicketEmails {
  constructor(private readonly emails: EmailQueue) {}

  @Consumes(ticketCreated, { from: 'now' })
  async onTicketCreated(ctx: Context, { ticket }: DataOf<typeof ticketCreated>, tx: Tx<NotificationsSchema>, envelope: Envelope) {
    if (envelope.actor.type === 'system') return;
    const { id, ticket_number, subject, customer_name, customer_email } = ticket;
    await this.emails.add(
      tx,
      ctx,
      envelope,
      'ticket_created',
      customer_email,
      { ticket_id: id, ticket_number, subject, customer_name },
      id,
    );
  }

  @Consumes(ticketLookupRequested, { from: 'now' })
  async onTicketLookupRequested(ctx: Context, data: DataOf<typeof ticketLookupRequested>, tx: Tx<NotificationsSchema>, envelope: Envelope) {
    await this.emails.add(tx, ctx, envelope, 'ticket_links', data.email, { tickets: data.tickets });
  }
}
