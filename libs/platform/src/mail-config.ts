import * as z from 'zod';
import { EmailTokens } from './email-tokens';

/** Variables that the sending and the receiving processes must share. */
export const mailVariables = {
  MAIL_DOMAIN: z
    .string()
    .toLowerCase()
    .default('tandem.localhost')
    .describe('Mail domain: organizations receive email at support@{subdomain}.{MAIL_DOMAIN}, and Message-IDs end with it.'),
};
export interface MailConfig {
  MAIL_DOMAIN: string;
}

/** Provides `EmailTokens` to processes that send or receive mail; secret and domain must be the same in all of them. */
export const emailTokensProvider = (config: MailConfig & { CONTEXT_SECRET: string }) => ({
  provide: EmailTokens,
  useFactory: () => new EmailTokens(config.CONTEXT_SECRET, config.MAIL_DOMAIN),
});
