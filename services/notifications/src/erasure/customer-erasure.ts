import { Inject, Injectable } from '@nestjs/common';
import { notificationsErasureAnswered, type TenantContext } from '@tandem/contracts';
import { customerErasure, type Erased } from '@tandem/messaging';
import { Database, type Tx } from '@tandem/db';
import type { NotificationsSchema } from '../schema';
import { deleteEmailsAbout, deleteEmailsTo, deleteWebhookEventsAbout } from './customer-erasure.store';

/** Deletes the emails to an erased customer, also pending ones, and what contains the address about tickets of other customers. */
@Injectable()
export class NotificationsErasure extends customerErasure(notificationsErasureAnswered, { hasTickets: true }) {
  constructor(@Inject(Database) db: Database) {
    super(db);
  }

  override async erase(tx: Tx<NotificationsSchema>, { organization_id }: TenantContext, email: string): Promise<Erased> {
    const emails = await deleteEmailsTo(tx, organization_id, email);
    const others = await deleteEmailsAbout(tx, organization_id, email);
    const webhook_events = await deleteWebhookEventsAbout(tx, organization_id, email);
    return { erased: { sent_emails: emails + others, webhook_events }, remains: [] };
  }
}
