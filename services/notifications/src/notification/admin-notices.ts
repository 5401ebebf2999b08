import { Injectable } from '@nestjs/common';
import { notificationCreated, type Context, type Envelope, type NotificationTopic, type TenantContext } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { EmailQueue } from '../email/email.queue';
import { findTeam } from '../member/member.store';
import { preferencesFrom } from '../preference/preference.store';
import type { EmailData, NotificationsSchema } from '../schema';
import { insertNotification } from './notification.store';

type NotificationsTx = Tx<NotificationsSchema>;
type Row = Parameters<typeof insertNotification>[1];
type AdminEmail =
  | 'staff_task_sync_failed'
  | 'staff_custom_domain_lapsed'
  | 'staff_sender_domain_lapsed'
  | 'staff_mail_server_failing'
  | 'staff_webhook_failing'
  | 'staff_rule_failing'
  | 'staff_export_ready';

export interface AdminNotice<Kind extends AdminEmail> {
  notice: Pick<Row, 'kind' | 'subject' | 'ticket_id' | 'ticket_number'>;
  topic: NotificationTopic;
  email: { kind: Kind; data: EmailData[Kind] };
  /** Only this admin; by default, all of them. */
  user_id?: string;
}

/** Notifies every active admin, or one of them. These emails are rare, so they are sent immediately and never added to a digest. */
@Injectable()
export class AdminNotices {
  constructor(private readonly emails: EmailQueue) {}

  async notify<Kind extends AdminEmail>(
    tx: NotificationsTx,
    ctx: TenantContext,
    cause: Pick<Envelope, 'id' | 'time'>,
    { notice, topic, email, user_id: only }: AdminNotice<Kind>,
  ): Promise<void> {
    const organization_id = ctx.organization_id;
    const team = await findTeam(tx, organization_id, [], true);
    // Sorted by id, so that transactions that notify the same people lock rows in the same order and cannot deadlock.
    const active = team.filter(({ role, is_active }) => role === 'admin' && is_active);
    const admins = active.filter(({ user_id }) => only === undefined || user_id === only).sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
    for (const { user_id, email: address, preferences } of admins) {
      const channels = preferencesFrom(preferences)[topic];
      if (channels.in_app) await this.show(tx, ctx, cause, { organization_id, user_id, ...notice });
      if (channels.mail) await this.emails.add(tx, ctx, cause, email.kind, address, email.data);
    }
  }

  private async show(
    tx: NotificationsTx,
    ctx: Context,
    cause: Pick<Envelope, 'id' | 'time'>,
    notice: AdminNotice<AdminEmail>['notice'] & Pick<Row, 'organization_id' | 'user_id'>,
  ) {
    const row = { ...notice, id: newId(), actor_name: null, event_id: cause.id, created_at: cause.time, read_at: null };
    if (await insertNotification(tx, row)) await emit(tx, ctx, notificationCreated, notice.user_id, { user_id: notice.user_id });
  }
}
