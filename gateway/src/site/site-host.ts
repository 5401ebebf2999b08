import { AppError, readPublicOrganization, systemContext, type PublicOrganization } from '@tandem/contracts';
import { LiveEvents, Services } from '@tandem/messaging';
import { classifyHost, normalizeHost, portalOrigin } from '@tandem/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { OrganizationOfHost } from '../host/organization-of-host';
import { CachedLookup } from '../host/cached-lookup';
import { hostOf, type GatewayRequest } from '../request';
import { isServedToCustomers, type SitePage } from './pages';

export interface SiteHost {
  kind: 'product' | 'portal_domain' | 'portal';
  /**
   * Null if the host has no organization. Undefined if identity did not answer, or if this page does not show it; a page that does requests
   * it.
   */
  organization: PublicOrganization | null | undefined;
  /** Scheme and host of this site. */
  origin: string;
  /** Scheme and host that links to this site use: for a portal, its `portalOrigin`. */
  canonicalOrigin: string;
  /** Whether the pages of this portal redirect to `canonicalOrigin`, because the organization has a verified domain. */
  isReplaced: boolean;
  /** On a product host: the portal to which its portal pages redirect. */
  redirectsTo: string | null;
}

/** The organization of a host, and where its portal is. */
type FoundSite = { organization: PublicOrganization | null | undefined; portal?: string; hasDomain?: boolean };

/** Which site a host serves: the product, or the portal of one organization. */
@Injectable()
export class SiteHosts {
  private readonly organizations: CachedLookup<PublicOrganization>;
  private readonly productOrigin: string;
  /** The portal of the single organization. */
  readonly singlePortal: string | null;
  /** The portal of SITE_ORGANIZATION, or of the single organization. */
  readonly sitePortal: string | null;

  constructor(
    services: Services,
    live: LiveEvents,
    private readonly hosts: OrganizationOfHost,
    @Inject('CONFIG') private readonly config: GatewayConfig,
  ) {
    const { PUBLIC_URL, SITE_ORGANIZATION: subdomain } = config;
    this.productOrigin = new URL(PUBLIC_URL).origin;
    this.singlePortal = config.SINGLE_ORGANIZATION ? this.productOrigin : null;
    this.sitePortal = this.singlePortal ?? (subdomain === undefined ? null : portalOrigin(config, { subdomain }));
    const read = (id: string, request_id: string) =>
      services.call(readPublicOrganization, { ...systemContext(id, request_id), actor: { type: 'customer' } }, {});
    this.organizations = new CachedLookup(live, read, ['organization.', 'branding.']);
  }

  /** An address on the product's host. */
  productUrl(pathAndQuery: string): string {
    return this.productOrigin + pathAndQuery;
  }

  async find(request: GatewayRequest, page?: SitePage): Promise<SiteHost> {
    const host = hostOf(request);
    const classified = classifyHost(host, this.config);
    const { kind } = classified;
    if (kind === 'product') return this.findOnProduct(request, classified.hasPortal, page);
    if (kind === 'portal_domain') return this.product(kind);
    const origin = `${new URL(this.config.PUBLIC_URL).protocol}//${host}`;
    const { organization, portal = origin, hasDomain = false } = kind === 'invalid' ? { organization: null } : await this.siteOf(request);
    const isReplaced = kind === 'subdomain' && hasDomain;
    return { kind: 'portal', organization, origin, canonicalOrigin: portal, isReplaced, redirectsTo: null };
  }

  /** A product host. The host of PUBLIC_URL is also the portal of a single organization, once that exists. */
  private async findOnProduct(request: GatewayRequest, hasPortal: boolean, page?: SitePage): Promise<SiteHost> {
    if (!hasPortal) return this.product('product');
    // All other pages must work while identity does not answer.
    if (page === undefined || !isServedToCustomers(page)) return { ...this.product('product'), organization: undefined };
    const isPublicHost = normalizeHost(hostOf(request)) === normalizeHost(new URL(this.productOrigin).host);
    if (this.singlePortal === null || !isPublicHost) {
      const { organization } = await this.siteOf(request);
      return { ...this.product('product'), organization };
    }
    const { organization, portal = this.productOrigin, hasDomain = false } = await this.siteOf(request);
    const site = { organization, canonicalOrigin: portal, isReplaced: hasDomain, redirectsTo: null };
    return { ...this.product(organization === null ? 'product' : 'portal'), ...site };
  }

  private product(kind: SiteHost['kind']): SiteHost {
    const { productOrigin: origin, sitePortal: redirectsTo } = this;
    return { kind, organization: null, origin, canonicalOrigin: origin, isReplaced: false, redirectsTo };
  }

  private async siteOf(request: GatewayRequest): Promise<FoundSite> {
    try {
      const found = await this.hosts.find(hostOf(request), request.id);
      const organization = await this.organizations.find(found.id, request.id);
      return { organization, portal: portalOrigin(this.config, found), hasDomain: found.custom_domain !== null };
    } catch (error) {
      if (error instanceof AppError && error.code === 'organization.not_found') return { organization: null };
      if (error instanceof AppError && error.code === 'service.unavailable') return { organization: undefined };
      throw error;
    }
  }
}
