import * as z from 'zod';
import { MailMarks } from './mail-marks';

/** Variables that the sending and the receiving processes must share. */
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

/** Provides `MailMarks` to processes that send or receive mail; secret and domain must be the same in all of them. */
export const mailMarksProvider = (config: MailConfig & { CONTEXT_SECRET: string }) => ({
  provide: MailMarks,
  useFactory: () => new MailMarks(config.CONTEXT_SECRET, config.MAIL_DOMAIN),
});
