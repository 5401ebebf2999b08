import { resolve } from 'node:path';
import { attemptsPerAddressFactor, limits, subdomainRule } from '@tandem/contracts';
import { ConfigError, secretList, serviceConfig, type Env, type ServiceConfig } from '@tandem/platform';
import * as z from 'zod';

const count = (fallback: number) => z.coerce.number().int().min(fallback, `may only be raised, ${fallback} or more`).default(fallback);

/** The gateway's variables, in addition to those of every process. */
export const gatewayVariables = {
  SESSION_SECRET: secretList().describe(
    'Signs access and CSRF tokens: openssl rand -base64 32. Separated by commas during a rotation: the first signs, all verify.',
  ),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .describe(
      'Comma-separated addresses or networks (10.0.0.0/8) of trusted proxies, whose X-Forwarded-* headers are used; none if empty.',
    ),
  WEB_ROOT: z
    .string()
    .transform((folder) => resolve(folder))
    .optional()
    .describe('Folder of the built web app (web/dist); if unset, the gateway serves the API only.'),
  SITE_ORGANIZATION: z
    .string()
    .regex(subdomainRule.pattern, 'must be the subdomain of an organization')
    .optional()
    .describe(
      'Subdomain of the organization to which the product’s own host sends customers (Submit Support Ticket, Check Ticket Status). If empty, customers are asked for their team.',
    ),
  CERTIFICATE_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port on which the proxy asks whether it may get a certificate for a host (GET /?domain=). Answers this machine and TRUSTED_PROXIES only; closed if empty.',
    ),
  CERTIFICATE_HOSTS_FILE: z
    .string()
    .transform((file) => resolve(file))
    .optional()
    .describe(
      'File with the last list of hosts, from which CERTIFICATE_PORT answers while identity is down; required with CERTIFICATE_PORT.',
    ),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)[^\s]+$/, 'must be an address like mailto:security@example.com or https://example.com/security')
    .optional()
    .describe('The contact for security reports in /.well-known/security.txt; mailto:security@{host of PUBLIC_URL} if empty.'),
  RATE_LIMIT_API_PER_MINUTE: count(limits.api.limit).describe(
    'API calls per minute and account, or per client address without an account.',
  ),
  RATE_LIMIT_REST_API_PER_MINUTE: count(limits.rest_api.limit).describe('API calls per minute and API token.'),
  RATE_LIMIT_LOGIN_PER_ADDRESS: count(attemptsPerAddressFactor * limits.login.limit).describe(
    'Failed sign-ins per client address in 15 minutes, over all accounts.',
  ),
  RATE_LIMIT_SUBMISSIONS_PER_HOUR: count(limits.ticket_submission.limit).describe(
    'Tickets that one client address may submit in portals and widgets per hour; six times as many files and comments.',
  ),
  RATE_LIMIT_EMAIL_TESTS_PER_HOUR: count(limits.email_test.limit).describe(
    'Test emails, and changed mail servers, which are tested before they are saved, per hour and account.',
  ),
  CHALLENGE_ABOVE_PER_10_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(30)
    .describe('Maximum submissions of one organization in ten minutes before browsers must solve a proof of work.'),
};

export type GatewayConfig = ServiceConfig & z.infer<z.ZodObject<typeof gatewayVariables>>;

export function gatewayConfig(env?: Env): GatewayConfig {
  const config = serviceConfig('gateway', gatewayVariables, env);
  if ((config.CERTIFICATE_PORT === undefined) !== (config.CERTIFICATE_HOSTS_FILE === undefined))
    throw new ConfigError('gateway', ['CERTIFICATE_PORT and CERTIFICATE_HOSTS_FILE go together: set both or none']);
  return config;
}

/** Cookies are `Secure` and prefixed, and HSTS is sent, only if PUBLIC_URL is https. */
export const isHttps = (config: Pick<GatewayConfig, 'PUBLIC_URL'>) => config.PUBLIC_URL.startsWith('https:');
