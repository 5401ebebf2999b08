import { Injectable } from '@nestjs/common';
import { notificationCreated, taskSyncFailed, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { Consumes, emit } from '@tandem/messaging';
import { findFollowers } from '../email/delivery.store';
import { EmailQueue } from '../email/email.queue';
import { findTeam } from '../member/member.store';
import { preferencesFrom } from '../preference/preference.store';
import type { NotificationsSchema } from '../schema';
import { insertNotification } from './notification.store';
import { noteAlert } from './task-sync-alert.store';

type NotificationsTx = Tx<NotificationsSchema>;

/** Tells every active admin when the sync with the task tool waits for one. Such a mail is rare, and goes at once: it is in no digest. */
@Injectable()
export class TaskSyncNotices {
  constructor(private readonly emails: EmailQueue) {}

  @Consumes(taskSyncFailed, { from: 'now' })
  async onFailed(ctx: Context, data: DataOf<typeof taskSyncFailed>, tx: NotificationsTx, envelope: Envelope): Promise<void> {
    const { organization_id } = ctx;
    const { problem, message } = data;
    if (organization_id === null) return;
    if (!(await noteAlert(tx, { organization_id, subject: envelope.subject, problem }))) return;
    const ticket = await this.ticketOf(tx, organization_id, data.ticket_id);
    const team = await findTeam(tx, organization_id, [], true);
    // In the order of their ids, as everywhere: two that tell the same people never wait for each other in a circle.
    const admins = team.filter(({ role, is_active }) => role === 'admin' && is_active).sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
    for (const { user_id, email, preferences } of admins) {
      const ways = preferencesFrom(preferences).task_sync;
      const notice = { organization_id, user_id, kind: 'task_sync_failed' as const, ...ticket, subject: message };
      if (ways.in_app) await this.show(tx, ctx, envelope, notice);
      if (ways.mail) await this.emails.add(tx, ctx, envelope, 'staff_task_sync_failed', email, { message });
    }
  }

  /** Nothing of a ticket that is not known here. */
  private async ticketOf(tx: NotificationsTx, organization_id: string, ticket_id: string | null) {
    const ticket = ticket_id === null ? undefined : await findFollowers(tx, organization_id, ticket_id);
    return ticket ? { ticket_id, ticket_number: ticket.ticket_number } : { ticket_id: null, ticket_number: null };
  }

  private async show(
    tx: NotificationsTx,
    ctx: Context,
    cause: Envelope,
    notice: Omit<Parameters<typeof insertNotification>[1], 'id' | 'event_id' | 'created_at' | 'read_at' | 'actor_name'>,
  ) {
    const row = { ...notice, id: newId(), actor_name: null, event_id: cause.id, created_at: cause.time, read_at: null };
    if (await insertNotification(tx, row)) await emit(tx, ctx, notificationCreated, notice.user_id, { user_id: notice.user_id });
  }
}
