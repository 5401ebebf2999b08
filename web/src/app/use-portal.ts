import { portalAddress } from '../lib/portal-address';
import { readSite } from '../lib/site';
import { useSession } from './api';
import { useReadBrandingQuery } from './branding.api';

/** Address of the organization's portal; on a host without an organization (development) the page itself resolves it. */
export function usePortal(): string | undefined {
  const subdomain = useSession().organization?.subdomain;
  return subdomain ? portalAddress(subdomain, subdomain) : readSite().singlePortal;
}

/** Address for links that customers open: the verified custom domain, otherwise that of the portal. */
export function usePublicAddress(): string | undefined {
  const portal = usePortal();
  const { data } = useReadBrandingQuery();
  return data?.custom_domain && data.custom_domain_verified ? `https://${data.custom_domain}` : portal;
}
