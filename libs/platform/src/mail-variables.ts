import * as z from 'zod';

/** What whoever sends mail and whoever receives it must agree on. */
export const mailVariables = {
  MAIL_DOMAIN: z
    .string()
    .toLowerCase()
    .default('tandem.localhost')
    .describe('Mail domain: organizations get mail at support@{subdomain}.{MAIL_DOMAIN}, and Message-IDs end in it.'),
};
export interface MailConfig {
  MAIL_DOMAIN: string;
}
