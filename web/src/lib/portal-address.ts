import { readSite } from './site';

/**
 * Address of the organization's portal: that of the single organization, else its subdomain on the product's host. That is the host of this
 * page, unless the page itself was opened on the portal's host.
 */
export function portalAddress(subdomain: string, stored: string | null, page: Pick<Location, 'protocol' | 'host'> = location): string {
  const { singlePortal } = readSite();
  if (singlePortal !== undefined) return singlePortal;
  const product = stored && page.host.startsWith(`${stored}.`) ? page.host.slice(stored.length + 1) : page.host;
  return `${page.protocol}//${subdomain}.${product}`;
}
