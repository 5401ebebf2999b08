import * as z from 'zod';
import { MailMarks } from './mail-marks';

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

/** What a process that sends or receives mail injects: of the same secret and domain everywhere. */
export const mailMarksProvider = (config: MailConfig & { CONTEXT_SECRET: string }) => ({
  provide: MailMarks,
  useFactory: () => new MailMarks(config.CONTEXT_SECRET, config.MAIL_DOMAIN),
});
