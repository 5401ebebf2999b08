import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import * as z from 'zod';

/** Accepts `192.0.2.1`, `192.0.2.1:5353`, `[2001:db8::1]:53`: the forms that `Resolver.setServers` accepts. */
function isServer(address: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+|[^[\]]*::[^[\]]*))(?::(\d{1,5}))?$/.exec(address) ?? [];
  const ip = bracketed ?? plain ?? '';
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  return bracketed === undefined ? isIP(address) !== 0 || isIP(ip) === 4 : isIP(ip) === 6;
}
const serversIn = (list: string): string[] => list.split(',').map((server) => server.trim());

/** `system`: the servers that the operating system uses. */
export type DnsServers = 'system' | string[];

export const dnsVariables = {
  DNS_SERVERS: z
    .string()
    .refine(
      (list) => list === 'system' || serversIn(list).every(isServer),
      'must be system, or addresses like 192.0.2.53 or 192.0.2.53:5353, separated by commas',
    )
    .transform((list): DnsServers => (list === 'system' ? list : serversIn(list)))
    .optional()
    .describe(
      'DNS servers, separated by commas, or `system` for those of the machine. If empty, custom domains use those of the machine, and the senders of incoming email are not checked.',
    ),
};

/** A resolver for these servers; by default for those that the operating system uses. */
export function dnsResolver(servers: DnsServers | undefined, options: { timeout: number; tries: number }): Resolver {
  const resolver = new Resolver(options);
  if (servers !== undefined && servers !== 'system') resolver.setServers(servers);
  return resolver;
}
