import * as z from 'zod';
import { EmailTokens } from './email-tokens';
import { secretList } from './variables';

/** Variables that the sending and the receiving processes must share. */
export const mailVariables = {
  LINK_SECRET: secretList().describe(
    'Signs reply addresses in emails and links to files; the same for all processes: openssl rand -base64 32. Separated by commas after a rotation: the first signs, all verify.',
  ),
  MAIL_DOMAIN: z
    .string()
    .toLowerCase()
    .default('tandem.localhost')
    .describe('Mail domain: organizations receive email at support@{subdomain}.{MAIL_DOMAIN}, and Message-IDs end with it.'),
};
export interface MailConfig {
  LINK_SECRET: string[];
  MAIL_DOMAIN: string;
}

/** Provides `EmailTokens` to processes that send or receive mail; secret and domain must be the same in all of them. */
export const emailTokensProvider = (config: MailConfig) => ({
  provide: EmailTokens,
  useFactory: () => new EmailTokens(config.LINK_SECRET, config.MAIL_DOMAIN),
});
