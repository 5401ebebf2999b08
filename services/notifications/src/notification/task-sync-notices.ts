import { Injectable } from '@nestjs/common';
import { taskSyncFailed, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import { findFollowers } from '../email/delivery.store';
import type { NotificationsSchema } from '../schema';
import { AdminNotices } from './admin-notices';
import { recordAlert } from './task-sync-alert.store';

type NotificationsTx = Tx<NotificationsSchema>;

/**
 * Notifies every active admin when the sync with the task tool needs attention. These emails are rare, so they are sent immediately and
 * never added to a digest.
 */
@Injectable()
export class TaskSyncNotices {
  constructor(private readonly admins: AdminNotices) {}

  @Consumes(taskSyncFailed, { name: 'task-sync-notifications', from: 'now' })
  async onFailed(ctx: TenantContext, data: DataOf<typeof taskSyncFailed>, tx: NotificationsTx, envelope: Envelope): Promise<void> {
    const { organization_id } = ctx;
    const { problem, message } = data;
    if (organization_id === null) return;
    if (!(await recordAlert(tx, { organization_id, subject: envelope.subject, problem }))) return;
    const ticket = await this.ticketOf(tx, organization_id, data.ticket_id);
    await this.admins.notify(tx, ctx, envelope, {
      notice: { kind: 'task_sync_failed', ...ticket, subject: message },
      topic: 'task_sync',
      email: { kind: 'staff_task_sync_failed', data: { message } },
    });
  }

  /** All null for a ticket that this service does not know. */
  private async ticketOf(tx: NotificationsTx, organization_id: string, ticket_id: string | null) {
    const ticket = ticket_id === null ? undefined : await findFollowers(tx, organization_id, ticket_id);
    return ticket ? { ticket_id, ticket_number: ticket.ticket_number } : { ticket_id: null, ticket_number: null };
  }
}
