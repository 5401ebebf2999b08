import { defineService } from '@tandem/messaging';
import { NotificationsTicketDeletion } from './ticket-deletion/ticket-deletion';
import { NotificationsExportPart } from './export-part/export-part';
import { emailTokensProvider, type Env } from '@tandem/platform';
import { checkReceivers, checkSignature, notificationsVariables } from './config';
import { AccountEmails } from './email/account-emails';
import { ApiTokenEmails } from './email/api-token-emails';
import { DeliveryService } from './email/delivery.service';
import { EmailMetrics } from './email/email.metrics';
import { EmailQueue } from './email/email.queue';
import { EmailWorker } from './email/email.worker';
import { ImmediateEmails } from './email/immediate-emails';
import { Mailer } from './email/mailer';
import { NotificationsDeletion } from './email/notifications-deletion';
import { NotificationsErasure } from './erasure/customer-erasure';
import { TicketEmails } from './email/ticket-emails';
import { MailServerService } from './mail-server/mail-server.service';
import { MemberProjection } from './member/member.consumer';
import { AdminNotices } from './notification/admin-notices';
import { CustomDomainNotices } from './notification/custom-domain-notices';
import { DeliveryNotices } from './notification/delivery-notices';
import { MailServerNotices } from './notification/mail-server-notices';
import { NotificationService } from './notification/notification.service';
import { NotificationWorker } from './notification/notification.worker';
import { SenderDomainNotices } from './notification/sender-domain-notices';
import { ExportNotices } from './notification/export-notices';
import { RuleNotices } from './notification/rule-notices';
import { StaffMails } from './notification/staff-mails';
import { StaffNotices } from './notification/staff-notices';
import { TaskSyncNotices } from './notification/task-sync-notices';
import { OrganizationProjection } from './organization/organization.consumer';
import { PreferenceService } from './preference/preference.service';
import { ReportEmails } from './report/report-emails';
import { SenderService } from './sender/sender.service';
import { SenderWorker } from './sender/sender.worker';
import { WebhookChanges } from './webhook/webhook-changes.service';
import { WebhookCheckWorker } from './webhook/webhook-check.worker';
import { WebhookDeliveryService } from './webhook/webhook-delivery.service';
import { WebhookDeliveryWorker } from './webhook/webhook-delivery.worker';
import { WebhookEndpointService } from './webhook/webhook-endpoint.service';
import { WebhookEvents } from './webhook/webhook-event.consumer';
import { WebhookReplayService } from './webhook/webhook-replay.service';
import { WebhookSender } from './webhook/webhook-sender';
import { WebhookWarnings } from './webhook/webhook-warnings';
import { UnsentEmailService } from './email/unsent.service';

const service = defineService({
  name: 'notifications',
  // Open pages wait for most of its events, and nothing else does.
  publishIntervalMs: 100,
  variables: notificationsVariables,
  controllers: [
    DeliveryService,
    MailServerService,
    NotificationService,
    PreferenceService,
    SenderService,
    UnsentEmailService,
    WebhookChanges,
    WebhookDeliveryService,
    WebhookEndpointService,
    WebhookReplayService,
  ],
  providers: (config) => [
    NotificationsDeletion,
    NotificationsTicketDeletion,
    NotificationsErasure,
    NotificationsExportPart,
    emailTokensProvider(config),
    TicketEmails,
    AccountEmails,
    ApiTokenEmails,
    OrganizationProjection,
    EmailMetrics,
    EmailQueue,
    EmailWorker,
    ImmediateEmails,
    Mailer,
    MemberProjection,
    StaffMails,
    StaffNotices,
    DeliveryNotices,
    AdminNotices,
    TaskSyncNotices,
    CustomDomainNotices,
    MailServerNotices,
    SenderDomainNotices,
    RuleNotices,
    ExportNotices,
    ReportEmails,
    NotificationWorker,
    SenderService,
    SenderWorker,
    WebhookCheckWorker,
    WebhookDeliveryWorker,
    WebhookEvents,
    WebhookSender,
    WebhookWarnings,
  ],
});

/** Sends emails and in-app notifications about the events of other services. */
export const notificationsService = { ...service, config: (env: Env) => checkReceivers(checkSignature(service.config(env))) };
