import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { All, Controller, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';
import { firstHtmlOf } from './first-html';
import { preloadLinksOf } from './preload-links';
import { docsPageOf, withAddress } from './docs-markdown';
import { pageHtml, type PageHead } from './page-head';
import { findPage, isProductOnly, landing, portalHome, type SitePage } from './pages';
import { isSiteFile } from './site-files';
import { SiteHosts, type SiteHost } from './site-host';

const immutable = 'public, max-age=31536000, immutable';
/** Vite adds a content hash to these file names. */
const isHashed = (path: string) => path.startsWith('/assets/');

/** All paths without another route: the web app's files, its pages (one `index.html`), and the not-found page. */
@Controller()
export class SiteController {
  private readonly preloadLinks: ReturnType<typeof preloadLinksOf>;
  private readonly firstHtml: ReturnType<typeof firstHtmlOf>;

  constructor(
    @Inject('CONFIG') private readonly config: GatewayConfig,
    private readonly hosts: SiteHosts,
  ) {
    this.preloadLinks = config.WEB_ROOT === undefined ? () => undefined : preloadLinksOf(config.WEB_ROOT);
    this.firstHtml = config.WEB_ROOT === undefined ? () => undefined : firstHtmlOf(config.WEB_ROOT);
  }

  /** Ignores the Accept header: curl, link previews and monitors also request pages. */
  @All('*')
  @RouteConfig({ compress: true })
  async serve(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const path = request.url.split('?', 1)[0]!;
    const root = this.config.WEB_ROOT;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    // The platform's exception filter turns this into a 405 if the path exists for another method.
    if (root === undefined || !reads || /^\/(api|health)(\/|$)/.test(path)) throw new NotFoundException();
    if (docsPageOf(path) && (await isSiteFile(root, path))) return this.serveMarkdown(root, path, request, reply);
    if (await isSiteFile(root, path)) {
      reply.header('cache-control', isHashed(path) ? immutable : 'public, max-age=3600');
      return void (await reply.sendFile(path, root));
    }
    // A missing script or style sheet must not be answered with a page.
    if (isHashed(path)) throw new NotFoundException();
    await this.servePage(root, path, request, reply);
  }

  private async servePage(root: string, path: string, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    const host = await this.hosts.find(request);
    const page = findPage(path === '/index.html' ? '/' : path);
    const target = page && this.redirectOf(page, host, request.url);
    void reply.header('cache-control', 'no-cache');
    if (target !== undefined) return void (await reply.redirect(target, 302));
    const isPortal = host.kind === 'portal';
    const built = await readFile(join(root, 'index.html'), 'utf8');
    const html = pageHtml(built, this.headOf(path, page, host), page && this.firstHtml(page.path, host));
    const link = page && this.preloadLinks(path, isPortal);
    if (link) void reply.header('link', link);
    const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
    void reply.header('etag', etag).type('text/html; charset=utf-8');
    const isFound = page !== undefined && !(isPortal && host.organization === null);
    if (isFound && request.headers['if-none-match'] === etag) return void (await reply.status(304).send());
    await reply.status(isFound ? 200 : 404).send(html);
  }

  private async serveMarkdown(root: string, path: string, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    const host = await this.hosts.find(request);
    const target = this.redirectOf(findPage(`/docs/${docsPageOf(path)}`)!, host, request.url);
    if (target !== undefined) return void (await reply.redirect(target, 302));
    const markdown = withAddress(await readFile(join(root, path), 'utf8'), host.origin);
    await reply.header('cache-control', 'public, max-age=3600').type('text/markdown; charset=utf-8').send(markdown);
  }

  /**
   * The redirect to the host that serves this page: the product's host for its own pages, the verified domain of the organization for the
   * pages of its subdomain, and the site's organization for portal pages of the product's host.
   */
  private redirectOf(page: SitePage, host: SiteHost, url: string): string | undefined {
    if (host.kind === 'portal_domain') return this.hosts.productUrl(url);
    if (host.kind === 'portal' && isProductOnly(page)) return this.hosts.productUrl(url);
    if (host.kind === 'portal') return host.isReplaced ? host.canonicalOrigin + url : undefined;
    return page.isPortal && this.hosts.sitePortal !== null ? this.hosts.sitePortal + url : undefined;
  }

  private headOf(path: string, page: SitePage | undefined, { kind, organization, canonicalOrigin }: SiteHost): PageHead {
    const isPortal = kind === 'portal';
    const siteName = isPortal ? (organization?.name ?? 'Support') : 'Tandem';
    const texts = page?.path === '/' ? (isPortal ? portalHome : landing) : page;
    return {
      title: texts?.title ?? (page ? siteName : 'Page not found'),
      description: (texts?.description ?? landing.description).replace('{name}', () => siteName),
      url: canonicalOrigin + path,
      siteName,
      isIndexed: page?.isIndexed === true,
      organization: isPortal ? organization : null,
      site: { kind: isPortal ? 'portal' : 'product', organization, portal: isPortal ? null : this.hosts.sitePortal },
    };
  }
}
