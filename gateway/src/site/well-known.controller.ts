import { AppError, readBrandingAsset } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { llmsText } from './docs-markdown';
import { HelpPages, type HelpPagesList } from './help-pages';
import { findPage, robotsText } from './pages';
import { securityText } from './security-text';
import { SiteHosts, type SiteHost } from './site-host';
import { sitemapXml } from './sitemap';

const text = 'text/plain; charset=utf-8';
const cacheFor = (seconds: number) => `public, max-age=${seconds}`;

/** Files that programs request from every host. */
@Controller()
export class WellKnownController {
  constructor(
    @Inject('CONFIG') private readonly config: GatewayConfig,
    private readonly hosts: SiteHosts,
    private readonly services: Services,
    private readonly help: HelpPages,
  ) {}

  @Get('robots.txt')
  async robots(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { kind } = await this.hosts.find(request);
    // A single organization's help pages are on the product's host.
    const host = await this.hosts.find(request, findPage('/help'));
    const pages = await this.helpPagesOf(host, request.id).catch(() => null);
    const sitemap = pages === null ? undefined : `${host.canonicalOrigin}/sitemap.xml`;
    await reply
      .header('cache-control', cacheFor(3600))
      .type(text)
      .send(robotsText(kind === 'portal', sitemap));
  }

  /** The help pages of an organization's host. Not found without public articles. */
  @Get('sitemap.xml')
  async sitemap(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const host = await this.hosts.find(request, findPage('/help'));
    const pages = await this.helpPagesOf(host, request.id);
    if (pages === null) return void (await reply.status(404).type(text).send('Not found\n'));
    await reply.header('cache-control', cacheFor(60)).type('application/xml; charset=utf-8').send(sitemapXml(pages, host.canonicalOrigin));
  }

  /** Null if the host has no public articles. */
  private async helpPagesOf({ kind, organization }: SiteHost, request_id: string): Promise<HelpPagesList | null> {
    if (kind !== 'portal' || organization === null) return null;
    if (organization === undefined) throw new AppError('service.unavailable', { retryAfterSeconds: 5 });
    const pages = await this.help.all(organization.id, request_id);
    return pages.articles.length === 0 ? null : pages;
  }

  @Get('.well-known/security.txt')
  async security(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { origin } = await this.hosts.find(request);
    const { SECURITY_CONTACT, PUBLIC_URL } = this.config;
    const contact = SECURITY_CONTACT ?? `mailto:security@${new URL(PUBLIC_URL).hostname}`;
    await reply
      .header('cache-control', cacheFor(86_400))
      .type(text)
      .send(securityText({ contact, origin, now: new Date() }));
  }

  /** On the product's host only: the portals of organizations have no documentation of the product. */
  @Get('llms.txt')
  async llms(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { kind, origin } = await this.hosts.find(request);
    if (kind === 'portal') return void (await reply.status(404).type(text).send('Not found\n'));
    await reply.header('cache-control', cacheFor(3600)).type(text).send(llmsText(origin));
  }

  /** The organization's icon on its host; the product's icon if it has none or identity does not answer. */
  @Get('favicon.ico')
  async icon(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { kind, organization } = await this.hosts.find(request);
    const url = kind === 'portal' ? organization?.branding.favicon_url : undefined;
    void reply.header('cache-control', cacheFor(3600));
    if (url) {
      const ctx = contextOf(request, { type: 'customer' }, null);
      const answer = await this.services.forward(readBrandingAsset, ctx, { path: url.replace(/^\/api\/v1/, ''), headers: {} });
      if (answer.status === readBrandingAsset.status)
        return void (await reply.type(answer.headers['content-type'] ?? 'image/x-icon').send(answer.body));
    }
    await reply.sendFile('favicon.ico', this.config.WEB_ROOT);
  }
}
