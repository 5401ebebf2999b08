import { Inject, Injectable } from '@nestjs/common';
import { deleteTicketsInTickets } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { ticketDeletion } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';

/** Deletes the published events of deleted tickets. The rows were deleted in the transaction of `tickets.deleted`. */
@Injectable()
export class TicketEventsDeletion extends ticketDeletion(deleteTicketsInTickets) {
  constructor(@Inject(Database) db: Database<TicketsSchema>) {
    super(db);
  }

  override async deleteRows(): Promise<void> {}
}
