import { Inject, Injectable } from '@nestjs/common';
import { deleteTicketsInIntegrations, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { ticketDeletion, type ErasedCounts } from '@tandem/messaging';
import { sql } from 'kysely';
import type { IntegrationsSchema, IntegrationsTx } from '../schema';

/** Deletes the rows of deleted tickets, with the webhooks that were received about their tasks. The tasks stay in the tool. */
@Injectable()
export class IntegrationsTicketDeletion extends ticketDeletion(deleteTicketsInIntegrations, { ticket_copies: 'task_copies' }) {
  constructor(@Inject(Database) db: Database<IntegrationsSchema>) {
    super(db);
  }

  override async deleteRows(
    tx: IntegrationsTx,
    ctx: TenantContext,
    ticket_ids: readonly string[],
    keep_figures: boolean,
  ): Promise<ErasedCounts> {
    // Before the links, which have the ids of the tasks. A webhook that is not processed yet is deleted after 7 days.
    await sql`
      delete from inbound_webhooks where organization_id = ${ctx.organization_id}::uuid and state <> 'stored' and task_id = any(array(
        select task_id from links
        where organization_id = ${ctx.organization_id}::uuid and ticket_id = any(${ticket_ids}::uuid[]) and task_id is not null))`.execute(
      tx,
    );
    return super.deleteRows(tx, ctx, ticket_ids, keep_figures);
  }
}
