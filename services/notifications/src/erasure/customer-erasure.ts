import { Injectable } from '@nestjs/common';
import { notificationsErasureAnswered, type TenantContext } from '@tandem/contracts';
import { customerErasure, type Erased } from '@tandem/messaging';
import { sql } from 'kysely';
import type { Tx } from '@tandem/db';
import type { NotificationsSchema } from '../schema';

/** Deletes the emails to an erased customer, also pending ones, and webhook events about other customers' tickets that contain the address. */
@Injectable()
export class NotificationsErasure extends customerErasure(notificationsErasureAnswered, { hasTickets: true }) {
  override async erase(tx: Tx<NotificationsSchema>, { organization_id }: TenantContext, email: string): Promise<Erased> {
    const emails =
      await sql`delete from emails where organization_id = ${organization_id}::uuid and to_address = ${email} returning id`.execute(tx);
    await sql`delete from bounced_addresses where organization_id = ${organization_id}::uuid and address = ${email}`.execute(tx);
    const events = await sql`
      delete from webhook_events where organization_id = ${organization_id}::uuid and position(${email} in body) > 0 returning id`.execute(
      tx,
    );
    return { erased: { sent_emails: emails.rows.length, webhook_events: events.rows.length }, remains: [] };
  }
}
