import { dnsVariables, type DnsServers, type ServiceConfig } from '@tandem/platform';
import * as z from 'zod';

/** Identity's variables, in addition to those of every service. */
export const identityVariables = {
  SIGN_UP: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe(
      'Who may create an account: open, everyone, who may also create an organization; invite, people with an invitation; closed, only an operator (tandem admin create). Single sign-on is not affected.',
    ),
  LIVE_DEMOS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(0)
    .describe(
      'Maximum number of visitors who try the product at the same time, each in a demo organization that is deleted after an hour and sends no emails; 0: none.',
    ),
  OPERATORS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((email) => email.trim().toLowerCase())
        .filter((email) => email !== ''),
    )
    .pipe(z.array(z.email('must contain addresses of accounts, separated by commas')))
    .describe(
      'Addresses of the accounts that may open /operator, separated by commas. They need two-factor sign-in. Empty: no one, and the page does not exist.',
    ),
  UPDATES_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL' })
    .optional()
    .describe(
      'URL of a JSON document with the latest version ({"version":"0.3.0"}), read when an operator opens /operator; never if empty.',
    ),
  ...dnsVariables,
};
export type IdentityConfig = ServiceConfig & {
  SIGN_UP: 'open' | 'invite' | 'closed';
  LIVE_DEMOS: number;
  OPERATORS: string[];
  UPDATES_URL?: string | undefined;
  DNS_SERVERS?: DnsServers | undefined;
};
