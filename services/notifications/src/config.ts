import { mailVariables, type MailConfig, type ServiceConfig } from '@tandem/platform';
import * as z from 'zod';

/** What notifications needs beside what every service needs. */
export const notificationsVariables = {
  SMTP_URL: z.url().describe('Mail server that sends: smtp://user:password@host:port, or smtps:// for TLS from the start'),
  MAIL_FROM: z.email().default('support@tandem.localhost').describe('Address that mails come from; the display name is the organization’s'),
  ...mailVariables,
};
export type NotificationsConfig = ServiceConfig & { SMTP_URL: string; MAIL_FROM: string } & MailConfig;
