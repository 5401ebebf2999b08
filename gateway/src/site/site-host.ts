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
}

/** Which site a host serves: the product, or the portal of one organization. */
@Injectable()
export class SiteHosts {
  private readonly organizations: CachedLookup<PublicOrganization>;
  private readonly productOrigin: string;
  /** The portal of SITE_ORGANIZATION. */
  readonly sitePortal: string | null;

  constructor(
    services: Services,
    live: LiveEvents,
    private readonly hosts: OrganizationOfHost,
    @Inject('CONFIG') private readonly config: GatewayConfig,
  ) {
    const { PUBLIC_URL, SITE_ORGANIZATION: subdomain } = config;
    this.productOrigin = new URL(PUBLIC_URL).origin;
    this.sitePortal = subdomain === undefined ? null : portalOrigin(PUBLIC_URL, { subdomain });
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
    const { kind, ...rest } = classifyHost(host, this.config);
    if (kind === 'product') {
      const isLocal = 'isLocal' in rest && rest.isLocal;
      return { kind, organization: isLocal ? await this.organizationOf(request) : null, origin: this.productOrigin };
    }
    if (kind === 'portal_domain') return { kind, organization: null, origin: this.productOrigin };
    const origin = `${new URL(this.config.PUBLIC_URL).protocol}//${host}`;
    return { kind: 'portal', organization: kind === 'invalid' ? null : await this.organizationOf(request), origin };
  }

  private async organizationOf(request: GatewayRequest): Promise<PublicOrganization | null | undefined> {
    try {
      return await this.organizations.find(await this.hosts.find(hostOf(request), request.id), request.id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'organization.not_found') return null;
      if (error instanceof AppError && error.code === 'service.unavailable') return undefined;
      throw error;
    }
  }
}
