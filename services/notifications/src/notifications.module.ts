import { defineService } from '@tandem/messaging';
import { notificationsVariables } from './config';
import { AccountEmails } from './email/account-emails';
import { EmailQueue } from './email/email.queue';
import { EmailWorker } from './email/email.worker';
import { Mailer } from './email/mailer';
import { TicketEmails } from './email/ticket-emails';
import { MemberProjection } from './member/member.consumer';
import { NotificationService } from './notification/notification.service';
import { NotificationWorker } from './notification/notification.worker';
import { StaffNotices } from './notification/staff-notices';
import { OrganizationProjection } from './organization/organization.consumer';
import { PreferenceService } from './preference/preference.service';

/** Mails and notices: which events people hear about, and the sending of it. */
export const notificationsService = defineService({
  name: 'notifications',
  variables: notificationsVariables,
  controllers: [TicketEmails, AccountEmails, OrganizationProjection, NotificationService, PreferenceService],
  providers: () => [EmailQueue, EmailWorker, Mailer, MemberProjection, StaffNotices, NotificationWorker],
});
