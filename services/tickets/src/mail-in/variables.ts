import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ConfigError, dnsVariables, mailVariables, type DnsServers, type MailConfig } from '@tandem/platform';
import * as z from 'zod';

const relaysIn = (list: string): string[] => list.split(',').map((relay) => relay.trim());
/** Accepts forms such as `192.0.2.10`, `192.0.2.0/24` and `2001:db8::/32`. */
function isRelay(text: string): boolean {
  const [, ip = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(ip);
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128);
}

/** Variables for receiving mail, in addition to those of every service. */
export const mailInVariables = {
  ...mailVariables,
  ...dnsVariables,
  MAIL_IN_RELAYS: z
    .string()
    .refine((list) => relaysIn(list).every(isRelay), 'must be addresses or networks like 192.0.2.10 or 10.0.0.0/8, separated by commas')
    .transform(relaysIn)
    .optional()
    .describe(
      'Your own mail servers that relay incoming email, as addresses or networks separated by commas. SPF is not checked for their email, because the sender used another address.',
    ),
  MAIL_IN_PORT: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(65_535, 'must be at most 65535')
    .optional()
    .describe('Port that receives email by SMTP, in processes that run jobs; 0 for a free one. If empty, no email is received.'),
  MAIL_IN_HOST: z.string().default('127.0.0.1').describe('Address that receives email; 0.0.0.0 in a container.'),
  MAIL_IN_TLS_CERT: z.string().optional().describe('File with the certificate (PEM, with its chain) for STARTTLS; no STARTTLS if empty.'),
  MAIL_IN_TLS_KEY: z.string().optional().describe('File with the key of that certificate.'),
  // Must be less than the five minutes for which a poll claims its mailbox, or a second poll could start before the first ends.
  MAILBOX_POLL_MS: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(1_000, 'must be at least 1000')
    .max(240_000, 'must be at most 240000')
    .default(120_000)
    .describe('Time limit for one poll of a mailbox, in milliseconds; no further email is fetched in its second half.'),
};

export interface MailInConfig extends MailConfig {
  DNS_SERVERS?: DnsServers | undefined;
  MAIL_IN_RELAYS?: string[] | undefined;
  MAIL_IN_PORT?: number | undefined;
  MAIL_IN_HOST: string;
  MAIL_IN_TLS_CERT?: string | undefined;
  MAIL_IN_TLS_KEY?: string | undefined;
  MAILBOX_POLL_MS: number;
}

/** The certificate and its key, or nothing. An incomplete pair or an unreadable file is an error, because the fallback would be no TLS. */
export function mailInTlsOf({ MAIL_IN_TLS_CERT, MAIL_IN_TLS_KEY }: MailInConfig): { cert: Buffer; key: Buffer } | undefined {
  if (MAIL_IN_TLS_CERT === undefined && MAIL_IN_TLS_KEY === undefined) return undefined;
  if (MAIL_IN_TLS_CERT === undefined || MAIL_IN_TLS_KEY === undefined)
    throw new ConfigError('tickets', ['MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY belong together: set both of them, or none']);
  return { cert: commentContent('MAIL_IN_TLS_CERT', MAIL_IN_TLS_CERT), key: commentContent('MAIL_IN_TLS_KEY', MAIL_IN_TLS_KEY) };
}

function commentContent(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new ConfigError('tickets', [`${name} names a file that cannot be read`]);
  }
}
