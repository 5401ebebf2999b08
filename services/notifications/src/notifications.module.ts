import { defineService } from '@tandem/messaging';
import { notificationsVariables } from './config';
import { AccountEmails } from './email/account-emails';
import { EmailQueue } from './email/email.queue';
import { EmailWorker } from './email/email.worker';
import { Mailer } from './email/mailer';
import { TicketEmails } from './email/ticket-emails';
import { OrganizationProjection } from './organization/organization.consumer';

/** Mails: which events people hear about, and the sending of it. */
export const notificationsService = defineService({
  name: 'notifications',
  variables: notificationsVariables,
  controllers: [TicketEmails, AccountEmails, OrganizationProjection],
  providers: () => [EmailQueue, EmailWorker, Mailer],
});
