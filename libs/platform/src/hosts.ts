import { isIP } from 'node:net';

/** The configuration that decides which hosts belong to the product. */
export interface HostConfig {
  PUBLIC_URL: string;
  PORTAL_DOMAINS: readonly string[];
  SINGLE_ORGANIZATION: boolean;
}

/**
 * - `product`: the host of PUBLIC_URL, localhost, and every IP address. `hasPortal`: it also serves the portal of the first organization, as
 *   localhost and 127.* do, and the host of PUBLIC_URL with SINGLE_ORGANIZATION.
 * - `portal_domain`: a domain of PORTAL_DOMAINS without a subdomain.
 * - `subdomain`: exactly one label below the product's own domains or localhost.
 * - `custom`: any other host name; it belongs to an organization only if that organization has verified it.
 * - `invalid`: not a host name, or several labels below one of our own domains.
 */
export type HostKind =
  | { kind: 'product'; hasPortal: boolean }
  | { kind: 'portal_domain' }
  | { kind: 'subdomain'; subdomain: string }
  | { kind: 'custom'; name: string }
  | { kind: 'invalid' };

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`);
const loopback = /^127(?:\.\d{1,3}){3}$/;

/** The canonical form of a host: lower case, without port, brackets and trailing dot. */
export const normalizeHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');

const isLocalName = (name: string): boolean => name === 'localhost' || loopback.test(name);

/** Domains whose subdomains are portals. A PUBLIC_URL with an IP address has none. */
export function portalDomains({ PUBLIC_URL, PORTAL_DOMAINS }: HostConfig): string[] {
  const own = normalizeHost(new URL(PUBLIC_URL).host);
  return [...new Set([...(isIP(own) ? [] : [own]), ...PORTAL_DOMAINS, 'localhost'])];
}

/** Classifies a `Host` header. A subdomain counts only below our own domains, because anyone can point their own domain at us. */
export function classifyHost(host: string, config: HostConfig): HostKind {
  const name = normalizeHost(host);
  const isPublicHost = name === normalizeHost(new URL(config.PUBLIC_URL).host);
  if (isPublicHost || isLocalName(name) || isIP(name) !== 0)
    return { kind: 'product', hasPortal: isLocalName(name) || (isPublicHost && config.SINGLE_ORGANIZATION) };
  if (!hostName.test(name)) return { kind: 'invalid' };
  const domains = portalDomains(config);
  if (domains.includes(name)) return { kind: 'portal_domain' };
  const parents = domains.filter((domain) => name.endsWith(`.${domain}`));
  for (const parent of parents) {
    const subdomain = name.slice(0, -parent.length - 1);
    if (!subdomain.includes('.')) return { kind: 'subdomain', subdomain };
  }
  if (parents.length > 0 || !name.includes('.')) return { kind: 'invalid' };
  return { kind: 'custom', name };
}

/**
 * The base URL of an organization's portal: its verified custom domain, else its subdomain, else the product's host. A single organization
 * does not use its subdomain.
 */
export function portalOrigin(
  { PUBLIC_URL, SINGLE_ORGANIZATION }: Pick<HostConfig, 'PUBLIC_URL' | 'SINGLE_ORGANIZATION'>,
  organization: { subdomain: string | null; custom_domain?: string | null },
): string {
  const { protocol, host, port } = new URL(PUBLIC_URL);
  if (organization.custom_domain) return `${protocol}//${organization.custom_domain}${port === '' ? '' : `:${port}`}`;
  return organization.subdomain === null || SINGLE_ORGANIZATION ? `${protocol}//${host}` : `${protocol}//${organization.subdomain}.${host}`;
}
