import { AppError, readPublicOrganization, systemContext, type PublicOrganization } from '@tandem/contracts';
import { LiveEvents, Services } from '@tandem/messaging';
import { classifyHost, portalOrigin } from '@tandem/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { OrganizationOfHost } from '../host/organization-of-host';
import { CachedLookup } from '../host/cached-lookup';
import { hostOf, type GatewayRequest } from '../request';

export interface SiteHost {
  kind: 'product' | 'portal_domain' | 'portal';
  /** Null if the host has no organization. Undefined if identity did not answer; the page requests it again. */
  organization: PublicOrganization | null | undefined;
  /** Scheme and host of this site. */
  origin: string;
  /** Scheme and host that links to this site use: the organization's verified domain, else its subdomain. */
  canonicalOrigin: string;
  /** Whether the pages of this host redirect to `canonicalOrigin`: it is a subdomain, and the organization has a verified domain. */
  isReplaced: boolean;
}

/** The organization of a host, and where its portal is. */
type FoundSite = { organization: PublicOrganization | null | undefined; portal?: string; hasDomain?: boolean };

/** Which site a host serves: the product, or the portal of one organization. */
@Injectable()
export class SiteHosts {
  private readonly organizations: CachedLookup<PublicOrganization>;
  private readonly productOrigin: string;
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
    if (config.SINGLE_ORGANIZATION) this.sitePortal = this.productOrigin;
    else this.sitePortal = subdomain === undefined ? null : portalOrigin(config, { subdomain });
    const read = (id: string, request_id: string) =>
      services.call(readPublicOrganization, { ...systemContext(id, request_id), actor: { type: 'customer' } }, {});
    this.organizations = new CachedLookup(live, read, ['organization.', 'branding.']);
  }

  /** An address on the product's host. */
  productUrl(pathAndQuery: string): string {
    return this.productOrigin + pathAndQuery;
  }

  async find(request: GatewayRequest): Promise<SiteHost> {
    const host = hostOf(request);
    const classified = classifyHost(host, this.config);
    const { kind } = classified;
    if (kind === 'product' || kind === 'portal_domain') {
      const hasPortal = kind === 'product' && classified.hasPortal;
      const { organization } = hasPortal ? await this.siteOf(request) : { organization: null };
      return { kind, organization, origin: this.productOrigin, canonicalOrigin: this.productOrigin, isReplaced: false };
    }
    const origin = `${new URL(this.config.PUBLIC_URL).protocol}//${host}`;
    const { organization, portal = origin, hasDomain = false } = kind === 'invalid' ? { organization: null } : await this.siteOf(request);
    return { kind: 'portal', organization, origin, canonicalOrigin: portal, isReplaced: kind === 'subdomain' && hasDomain };
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
