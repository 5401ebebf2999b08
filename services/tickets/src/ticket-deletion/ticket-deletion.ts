import { Inject, Injectable } from '@nestjs/common';
import { deleteTicketsInTickets, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { ticketDeletion, type ErasedCounts } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { deleteResponsesAbout } from './delete-tickets.store';

/** Deletes the published events of deleted tickets, and stored responses about them. The rows were deleted in the transaction of `tickets.deleted`. */
@Injectable()
export class TicketEventsDeletion extends ticketDeletion(deleteTicketsInTickets) {
  constructor(@Inject(Database) db: Database<TicketsSchema>) {
    super(db);
  }

  override async deleteRows(tx: TicketsTx, ctx: TenantContext, ticket_ids: readonly string[]): Promise<ErasedCounts> {
    await deleteResponsesAbout(tx, ctx.organization_id, ticket_ids);
    return {};
  }
}
