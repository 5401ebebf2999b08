import { createPrivateKey } from 'node:crypto';
import { ConfigError, dnsVariables, mailVariables, type DnsServers, type MailConfig, type ServiceConfig } from '@tandem/platform';
import { undoSeconds } from '@tandem/contracts';
import * as z from 'zod';

/** Environment variables often carry a multi-line key on one line, with `\\n` for the line breaks. */
const privateKey = z
  .string()
  .transform((text) => text.replaceAll('\\n', '\n'))
  .refine((text) => {
    try {
      return createPrivateKey(text).type === 'private';
    } catch {
      return false;
    }
  }, 'is not a private key in PEM');

const receivers = z
  .string()
  .transform((list) => list.split(',').map((host) => host.trim()))
  .refine((hosts) => hosts.every((host) => URL.parse(`http://${host}`)?.host === host), 'must be a list of host:port, separated by commas');

/** The variables of notifications, in addition to those that every service needs. */
export const notificationsVariables = {
  SMTP_URL: z.url().describe('Mail server for outgoing email: smtp://user:password@host:port, or smtps:// for TLS from the start'),
  MAIL_FROM: z
    .email()
    .default('support@tandem.localhost')
    .describe('Address that emails come from; the display name is the organization’s'),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,62}$/i, 'must be a DNS label')
    .optional()
    .describe(
      'Signs emails from addresses below MAIL_DOMAIN with DKIM: the record is {DKIM_SELECTOR}._domainkey.{MAIL_DOMAIN}; unsigned if empty.',
    ),
  DKIM_PRIVATE_KEY: privateKey.optional().describe('The private key of that record, in PEM; required with DKIM_SELECTOR.'),
  WEBHOOK_TEST_RECEIVERS: receivers
    .default([])
    .describe(
      'host:port of receivers, separated by commas, that webhooks may call over http and at private addresses, such as a test receiver on this machine; for development only.',
    ),
  STATUS_EMAIL_DELAY_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600)
    .default(undoSeconds)
    .describe('How long emails to customers about a new status wait, so that staff can undo the change.'),
  ...mailVariables,
  ...dnsVariables,
};
export type NotificationsConfig = ServiceConfig & {
  SMTP_URL: string;
  MAIL_FROM: string;
  DKIM_SELECTOR?: string;
  DKIM_PRIVATE_KEY?: string;
  WEBHOOK_TEST_RECEIVERS: string[];
  STATUS_EMAIL_DELAY_SECONDS: number;
  DNS_SERVERS?: DnsServers | undefined;
} & MailConfig;

/** Rejects test receivers in production: they would let customers call our network. `npm start` is production without https. */
export function checkReceivers<C extends Pick<NotificationsConfig, 'name' | 'NODE_ENV' | 'PUBLIC_URL' | 'WEBHOOK_TEST_RECEIVERS'>>(
  config: C,
): C {
  if (config.WEBHOOK_TEST_RECEIVERS.length > 0 && config.NODE_ENV === 'production' && config.PUBLIC_URL.startsWith('https:'))
    throw new ConfigError(config.name, ['WEBHOOK_TEST_RECEIVERS must be empty in production: it is for development and tests only']);
  return config;
}

/** Fails at startup when only one of the two is set: emails would be sent unsigned, which shows only when they land in spam folders. */
export function checkSignature<C extends { name: ServiceConfig['name']; DKIM_SELECTOR?: string; DKIM_PRIVATE_KEY?: string }>(config: C): C {
  if ((config.DKIM_SELECTOR === undefined) !== (config.DKIM_PRIVATE_KEY === undefined))
    throw new ConfigError(config.name, ['DKIM_SELECTOR and DKIM_PRIVATE_KEY go together: set both or none']);
  return config;
}
