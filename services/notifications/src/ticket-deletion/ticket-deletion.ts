import { Inject, Injectable } from '@nestjs/common';
import { deleteTicketsInNotifications, type TenantContext } from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { ticketDeletion, type ErasedCounts } from '@tandem/messaging';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';

const tables = { emails: 'sent_emails', notifications: 'notifications', webhook_events: 'webhook_events' } as const;

/** Deletes the rows of deleted tickets, with the attempts to deliver their webhooks, and removes them from digests to the team. */
@Injectable()
export class NotificationsTicketDeletion extends ticketDeletion(deleteTicketsInNotifications, tables) {
  constructor(@Inject(Database) db: Database<NotificationsSchema>) {
    super(db);
  }

  override async deleteRows(
    tx: Tx<NotificationsSchema>,
    ctx: TenantContext,
    ticket_ids: readonly string[],
    keep_figures: boolean,
  ): Promise<ErasedCounts> {
    await deleteAttempts(tx, ctx.organization_id, ticket_ids);
    await removeFromDigests(tx, ctx.organization_id, ticket_ids);
    return super.deleteRows(tx, ctx, ticket_ids, keep_figures);
  }
}

/** Before their deliveries. A receiver can repeat in its response what it has received. */
async function deleteAttempts(tx: Tx<NotificationsSchema>, organization_id: string, ticket_ids: readonly string[]): Promise<void> {
  await sql`
    delete from webhook_attempts a using webhook_deliveries d
    where d.organization_id = ${organization_id}::uuid and d.ticket_id = any(${ticket_ids}::uuid[])
      and a.organization_id = d.organization_id and a.delivery_id = d.id`.execute(tx);
}

/** A digest about several tickets belongs to none of them. One that would be empty is deleted. */
async function removeFromDigests(tx: Tx<NotificationsSchema>, organization_id: string, ticket_ids: readonly string[]): Promise<void> {
  const isOfTickets = sql`item ->> 'ticket_id' = any(${ticket_ids}::text[])`;
  await sql`
    update emails set data = jsonb_set(data, '{items}',
      (select coalesce(jsonb_agg(item order by place), '[]') from jsonb_array_elements(data -> 'items') with ordinality x (item, place) where not ${isOfTickets}))
    where organization_id = ${organization_id}::uuid and kind = 'staff_digest'
      and exists (select from jsonb_array_elements(data -> 'items') item where ${isOfTickets})`.execute(tx);
  await sql`
    delete from emails
    where organization_id = ${organization_id}::uuid and kind = 'staff_digest' and data -> 'items' = '[]' and data -> 'more' = '0'`.execute(
    tx,
  );
}
