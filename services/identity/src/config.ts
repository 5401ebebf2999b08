import { isIP } from 'node:net';
import type { ServiceConfig } from '@tandem/platform';
import * as z from 'zod';

/** `192.0.2.1`, `192.0.2.1:5353`, `[2001:db8::1]:53`: what `Resolver.setServers` takes. */
function isServer(address: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+|[^[\]]*::[^[\]]*))(?::(\d{1,5}))?$/.exec(address) ?? [];
  const ip = bracketed ?? plain ?? '';
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  return bracketed === undefined ? isIP(address) !== 0 || isIP(ip) === 4 : isIP(ip) === 6;
}
const serversIn = (list: string): string[] => list.split(',').map((server) => server.trim());

/** What identity needs beside what every service needs. */
export const identityVariables = {
  DNS_SERVERS: z
    .string()
    .refine((list) => serversIn(list).every(isServer), 'must be addresses like 192.0.2.53 or 192.0.2.53:5353, separated by commas')
    .transform(serversIn)
    .optional()
    .describe('DNS servers that are asked for the records of custom domains, separated by commas; those of the system when empty'),
};
export type IdentityConfig = ServiceConfig & { DNS_SERVERS?: string[] | undefined };
