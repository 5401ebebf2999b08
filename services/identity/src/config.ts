import { dnsVariables, type DnsServers, type ServiceConfig } from '@tandem/platform';

/** What identity needs beside what every service needs. */
export const identityVariables = dnsVariables;
export type IdentityConfig = ServiceConfig & { DNS_SERVERS?: DnsServers | undefined };
