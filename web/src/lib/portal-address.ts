/**
 * Where the organization's portal is: its subdomain before the product's host, which is the host of this page, unless the page was
 * itself opened on the portal's.
 */
export function portalAddress(subdomain: string, stored: string | null, page: Pick<Location, 'protocol' | 'host'> = location): string {
  const product = stored && page.host.startsWith(`${stored}.`) ? page.host.slice(stored.length + 1) : page.host;
  return `${page.protocol}//${subdomain}.${product}`;
}
