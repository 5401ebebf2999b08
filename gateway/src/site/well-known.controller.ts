import { readBrandingAsset } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { GatewayConfig } from '../config';
import { contextOf, type GatewayReply, type GatewayRequest } from '../request';
import { llmsText } from './docs-markdown';
import { robotsText } from './pages';
import { securityText } from './security-text';
import { SiteHosts } from './site-host';

const text = 'text/plain; charset=utf-8';
const cacheFor = (seconds: number) => `public, max-age=${seconds}`;

/** Files that programs request from every host. */
@Controller()
export class WellKnownController {
  constructor(
    @Inject('CONFIG') private readonly config: GatewayConfig,
    private readonly hosts: SiteHosts,
    private readonly services: Services,
  ) {}

  @Get('robots.txt')
  async robots(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { kind } = await this.hosts.find(request);
    await reply
      .header('cache-control', cacheFor(3600))
      .type(text)
      .send(robotsText(kind === 'portal'));
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
