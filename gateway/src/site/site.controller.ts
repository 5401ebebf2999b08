import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '@tandem/contracts';
import { All, Controller, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { GatewayConfig } from '../config';
import type { GatewayReply, GatewayRequest } from '../request';
import { acceptsBrotli, CompressedPages } from './compressed-pages';
import { firstHtmlOf } from './first-html';
import { allowInlineScripts } from './inline-scripts';
import { preloadLinksOf } from './preload-links';
import { helpHead, helpTargetOf, type HelpContent } from './help-head';
import { HelpPages, type Missing } from './help-pages';
import { docsPageOf, withAddress } from './docs-markdown';
import { pageHtml, type PageHead } from './page-head';
import { pageLanguageOf } from './page-language';
import { findPage, isProductOnly, landing, portalHome, type SitePage } from './pages';
import { isSiteFile } from './site-files';
import { SiteHosts, type SiteHost } from './site-host';

const immutable = 'public, max-age=31536000, immutable';
/** Vite adds a content hash to these file names. */
const isHashed = (path: string) => path.startsWith('/assets/');

/** What a path shows on a host; `page` is undefined if there is no such page. */
interface FoundPage {
  path: string;
  page: SitePage | undefined;
  host: SiteHost;
  content: HelpContent | Missing | undefined;
}

/** All paths without another route: the web app's files, its pages (one `index.html`), and the not-found page. */
@Controller()
export class SiteController {
  private readonly preloadLinks: ReturnType<typeof preloadLinksOf>;
  private readonly firstHtml: ReturnType<typeof firstHtmlOf>;
  private readonly compressed = new CompressedPages();

  constructor(
    @Inject('CONFIG') private readonly config: GatewayConfig,
    private readonly hosts: SiteHosts,
    private readonly help: HelpPages,
  ) {
    this.preloadLinks = config.WEB_ROOT === undefined ? () => undefined : preloadLinksOf(config.WEB_ROOT);
    this.firstHtml =
      config.WEB_ROOT === undefined
        ? { page: () => undefined, head: () => undefined }
        : firstHtmlOf(config.WEB_ROOT, { isSingle: config.SINGLE_ORGANIZATION });
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
    const page = findPage(path === '/index.html' ? '/' : path);
    const host = await this.hosts.find(request, page);
    const target = page && this.redirectOf(page, host, request.url);
    void reply.header('cache-control', 'no-cache');
    if (target !== undefined) return void (await reply.redirect(target, 302));
    const content = page && (await this.contentOf(page, path, host, request.id));
    if (typeof content === 'object' && content.path !== path)
      return void (await reply.redirect(content.path + request.url.slice(path.length), 301));
    await this.sendPage(root, { path, page, host, content }, request, reply);
  }

  private async sendPage(root: string, found: FoundPage, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    const { path, page, host, content } = found;
    const isPortal = host.kind === 'portal';
    const isCustomerPage = isPortal || page?.isPortal === true;
    const language = isCustomerPage ? pageLanguageOf(request, host.organization) : 'en';
    if (isCustomerPage) void reply.header('vary', 'accept-language, cookie');
    const built = await readFile(join(root, 'index.html'), 'utf8');
    // The first HTML shows the first tab of a page.
    const isFirstTab = !/[?&]tab=/.test(request.url);
    const article = typeof content === 'object' ? content.article : undefined;
    const firstPage = page && isFirstTab ? this.firstHtml.page(page.path, host, language, article) : undefined;
    const html = pageHtml(built, this.headOf(found, language), firstPage);
    allowInlineScripts(reply, built);
    const parts = page?.path.startsWith('/survey/') ? (['portal', 'survey'] as const) : (['portal'] as const);
    const texts = isCustomerPage ? { language, parts } : undefined;
    const link = page && this.preloadLinks(path, { isPortal, texts, isUrgent: firstPage === undefined });
    if (link) void reply.header('link', link);
    void reply.type('text/html; charset=utf-8');
    // The next request may get the article.
    if (content === 'unavailable') return void (await reply.header('cache-control', 'no-store').send(html));
    const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
    void reply.header('etag', etag);
    const isFound = page !== undefined && content !== 'unknown' && !(isPortal && host.organization === null);
    if (isFound && request.headers['if-none-match'] === etag) return void (await reply.status(304).send());
    void reply.status(isFound ? 200 : 404);
    const isCompressed = isFound && !isCustomerPage && firstPage !== undefined && acceptsBrotli(request.headers['accept-encoding']);
    const body = isCompressed ? this.compressed.find(etag, html) : undefined;
    if (body === undefined) return void (await reply.send(html));
    await reply.header('content-encoding', 'br').header('vary', 'accept-encoding').send(body);
  }

  /** Undefined for a page that shows neither an article nor a category, and on a host without an organization. */
  private async contentOf(
    page: SitePage,
    path: string,
    { kind, organization }: SiteHost,
    request_id: string,
  ): Promise<FoundPage['content']> {
    const target = helpTargetOf(page.path, path);
    if (target === undefined || kind !== 'portal' || organization === null) return undefined;
    return organization === undefined ? 'unavailable' : this.help.find(organization.id, target, request_id);
  }

  private async serveMarkdown(root: string, path: string, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    const host = await this.hosts.find(request);
    const target = this.redirectOf(findPage(`/docs/${docsPageOf(path)}`)!, host, request.url);
    if (target !== undefined) return void (await reply.redirect(target, 302));
    const markdown = withAddress(await readFile(join(root, path), 'utf8'), host.origin, { isSingle: this.config.SINGLE_ORGANIZATION });
    await reply.header('cache-control', 'public, max-age=3600').type('text/markdown; charset=utf-8').send(markdown);
  }

  /**
   * The redirect to the host that serves this page: the product's host for its own pages, the verified domain of the organization for the
   * pages of its other hosts, and the site's organization for portal pages of a product host.
   */
  private redirectOf(page: SitePage, host: SiteHost, url: string): string | undefined {
    if (host.kind === 'portal_domain') return this.hosts.productUrl(url);
    if (host.kind === 'portal' && isProductOnly(page)) return this.hosts.productUrl(url);
    if (host.kind === 'portal') return host.isReplaced ? host.canonicalOrigin + url : undefined;
    return page.isPortal && host.redirectsTo !== null ? host.redirectsTo + url : undefined;
  }

  private headOf({ path, page: requested, host, content }: FoundPage, language: Language): PageHead {
    const { kind, organization, canonicalOrigin } = host;
    const page = content === 'unknown' ? undefined : requested;
    const isPortal = kind === 'portal';
    const siteName = isPortal ? (organization?.name ?? 'Support') : 'Tandem';
    const english = page?.path === '/' ? (isPortal ? portalHome : landing) : page;
    const texts = (page && this.firstHtml.head(page.path, language)) ?? english;
    const isCustomerPage = isPortal || requested?.isPortal === true;
    const head: PageHead = {
      title: texts?.title ?? (page ? siteName : 'Page not found'),
      description: (texts?.description ?? landing.description).replace('{name}', () => siteName),
      url: canonicalOrigin + path,
      siteName,
      language,
      isIndexed: page?.isIndexed === true,
      picture: isPortal ? null : '/pictures/tickets-light.webp',
      organization: isPortal ? organization : null,
      site: {
        kind: isPortal ? 'portal' : 'product',
        organization,
        portal: isPortal ? null : this.hosts.sitePortal,
        ...(this.hosts.singlePortal === null ? {} : { singlePortal: this.hosts.singlePortal }),
        ...(isCustomerPage ? { language } : {}),
      },
    };
    if (typeof content !== 'object' || !organization) return head;
    const helpTitle = this.firstHtml.head('/help', language)?.title ?? findPage('/help')!.title!;
    return { ...head, ...helpHead(content, { organization, origin: canonicalOrigin, helpTitle }, head.description) };
  }
}
