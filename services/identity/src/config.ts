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
  ...dnsVariables,
};
export type IdentityConfig = ServiceConfig & {
  SIGN_UP: 'open' | 'invite' | 'closed';
  LIVE_DEMOS: number;
  DNS_SERVERS?: DnsServers | undefined;
};
