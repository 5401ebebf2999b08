import { dnsVariables, type DnsServers, type ServiceConfig } from '@tandem/platform';

/** Identity's variables, in addition to those of every service. */
export const identityVariables = dnsVariables;
export type IdentityConfig = ServiceConfig & { DNS_SERVERS?: DnsServers | undefined };
