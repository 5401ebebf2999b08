import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docsPageNames, PublicBranding, type Language, type PublicOrganization } from '@tandem/contracts';
import { docsPageOf, llmsText, withAddress } from './docs-markdown';
import { firstHtmlOf } from './first-html';
import { pageHtml, type PageHead } from './page-head';
import { pageLanguageOf } from './page-language';
import { findPage, isProductOnly, robotsText, sitePages } from './pages';
import { securityText } from './security-text';

const router = ['router.tsx', 'DocsRoutes.tsx']
  .map((file) => readFileSync(join(__dirname, '../../../web/src/app', file), 'utf8'))
  .join('\n');
const built =
  '<!doctype html><html><head><title>Tandem</title><meta name="description" content="x" /><meta name="theme-color" content="#fff" />' +
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml" /></head><body><div id="root"></div></body></html>';

describe('the pages of the site', () => {
  it('are those of the router', () => {
    const routes = [...router.matchAll(/<Route\s+path="([^"]+)"/g)].map(([, path]) => path!);
    const docs = (path: string) => (docsPageNames.some((name) => name === path) ? `/docs/${path}` : path === ':id' ? '/tickets/:id' : path);
    const known = sitePages.map(({ path }) => path);
    expect(
      routes
        .map((path) => (path.startsWith('/') ? path : docs(path)))
        .map((path) => path.replace('/*', ''))
        .filter((path) => path !== '*')
        .sort(),
    ).toEqual(known.sort());
  });
  it.each(['/submit-ticket', '/submit-ticket/', '/ticket-status/check', '/ticket-status/0190', '/survey/0190', '/'])(
    '%s is served on every host',
    (path) => expect(isProductOnly(findPage(path)!)).toBe(false),
  );
  it.each(['/auth', '/auth/reset-password', '/docs', '/docs/widget-setup', '/dashboard', '/tickets/0190', '/settings'])(
    '%s is served on the product host only',
    (path) => expect(isProductOnly(findPage(path)!)).toBe(true),
  );
  it.each(['/no/such/page', '/ticket-status/1/2', '/docs/unknown', '/wp-login.php', '//evil.example', '/tickets/1/2/3'])(
    '%s is not a page',
    (path) => expect(findPage(path)).toBeUndefined(),
  );
  it('serves the guide for customers on every host', () => expect(isProductOnly(findPage('/docs/customer-guide')!)).toBe(false));
});

describe('the documentation as Markdown', () => {
  it('exists for its pages only', () => {
    expect(['/docs/build.md', '/docs/unknown.md', '/docs/build', '/docs/build.mdx', '/other/build.md'].map(docsPageOf)).toEqual([
      'build',
      ...Array<undefined>(4),
    ]);
  });

  it('contains the addresses of this installation', () => {
    const built = 'https://tandem.invalid/x https://acme.tandem.invalid/api/v1 tandem.invalid';
    expect(withAddress(built, 'http://localhost:3000', { isSingle: true })).toBe(
      'http://localhost:3000/x http://localhost:3000/api/v1 localhost:3000',
    );
    expect(withAddress(built, 'http://localhost:3000', { isSingle: false })).toBe(
      'http://localhost:3000/x http://acme.localhost:3000/api/v1 localhost:3000',
    );
  });

  it('is listed in llms.txt', () => {
    const lines = llmsText('https://tandem.example').split('\n');
    expect(lines.filter((line) => line.includes('/docs/') && line.includes('.md)'))).toHaveLength(docsPageNames.length);
    expect(lines).toContain(
      '- [Customer guide](https://tandem.example/docs/customer-guide.md): Submit a ticket, follow it, and reply. No account needed.',
    );
  });
});

describe('robots.txt', () => {
  it('hides tickets, surveys, the staff app and the API', () => {
    const product = robotsText(false).split('\n');
    for (const path of ['/ticket-status/', '/survey/', '/dashboard', '/tickets', '/settings', '/api/', '/accept-invitation'])
      expect(product).toContain(`Disallow: ${path}`);
    expect(product).toContain('Allow: /ticket-status/check$');
    expect(product).not.toContain('Disallow: /');
    expect(robotsText(true)).not.toContain('/dashboard');
  });
});

describe('security.txt', () => {
  it('has a contact and a date of expiry in half a year', () => {
    const now = new Date('2026-11-22T10:30:00Z');
    expect(securityText({ contact: 'mailto:a@b.example', origin: 'https://b.example', now })).toBe(
      'Contact: mailto:a@b.example\nExpires: 2027-05-21T00:00:00Z\nPreferred-Languages: en\nCanonical: https://b.example/.well-known/security.txt\n',
    );
  });
});

const organization: PublicOrganization = {
  id: '01980000-0000-7000-8000-000000000001',
  name: 'x',
  subdomain: 'x',
  default_priority: 'medium',
  business_hours: null,
  time_zone: 'UTC',
  holidays: [],
  languages: { default: 'en', offered: ['en'] },
  categories: [],
  has_wording: false,
  branding: { ...PublicBranding.parse({}), primary_color: '#FFD400', logo_url: '/api/v1/public/branding-assets/1', favicon_url: '/f"' },
};

describe('the language of a customer page', () => {
  it.each<[string, Record<string, string>, Language]>([
    ['/submit-ticket', {}, 'en'],
    ['/submit-ticket', { 'accept-language': 'de-CH, en;q=0.8' }, 'de'],
    ['/submit-ticket', { 'accept-language': 'de', cookie: 'a=b; tandem_language=fr' }, 'fr'],
    ['/submit-ticket?lang=ja&x=1', { 'accept-language': 'de', cookie: 'tandem_language=fr' }, 'ja'],
    ['/submit-ticket?lang=xx', { 'accept-language': 'pt-PT', cookie: 'tandem_language=xx' }, 'pt-BR'],
  ])('of %s with %j is %s', (url, headers, language) => expect(pageLanguageOf({ url, headers })).toBe(language));

  it('is one that the organization offers', () => {
    const headers = { 'accept-language': 'de, fr;q=0.5', cookie: 'tandem_language=ja' };
    const offering = (offered: Language[]) => ({ ...organization, languages: { default: offered[0]!, offered } });
    expect(pageLanguageOf({ url: '/?lang=pl', headers }, offering(['it', 'fr']))).toBe('fr');
    expect(pageLanguageOf({ url: '/?lang=pl', headers }, offering(['it', 'nl']))).toBe('it');
  });
});

describe('the head of a page', () => {
  const head: PageHead = {
    title: 'Submit a ticket',
    description: 'Write to us',
    url: 'https://acme.tandem.example/submit-ticket',
    siteName: 'Acme',
    language: 'en',
    isIndexed: true,
    picture: null,
    organization,
    site: { kind: 'portal' },
  };

  it('has title, description, og: tags, icon, theme color and brand colors', () => {
    const html = pageHtml(built, head);
    expect(html).toContain('<title>Submit a ticket · Acme</title>');
    for (const tag of [
      '<meta name="description" content="Write to us" />',
      '<meta property="og:title" content="Submit a ticket" />',
      '<meta property="og:description" content="Write to us" />',
      '<meta property="og:type" content="website" />',
      '<meta property="og:url" content="https://acme.tandem.example/submit-ticket" />',
      '<meta property="og:site_name" content="Acme" />',
      '<link rel="canonical" href="https://acme.tandem.example/submit-ticket" />',
      '<meta property="og:image" content="https://acme.tandem.example/api/v1/public/branding-assets/1" />',
      '<meta name="theme-color" content="#f5cc01" />',
      '<link rel="icon" href="/f&quot;" />',
    ])
      expect(html).toContain(tag);
    expect(html).toMatch(
      /<style id="brand">html:root,html\[data-theme='light'\]\{--accent:#f5cc01;[^<]*html\[data-theme='dark'\]\{--accent:#/,
    );
    expect(html).not.toContain('noindex');
    expect(html.match(/<title>/g)).toHaveLength(1);
  });

  it('has a wide picture on the product’s own host', () => {
    const html = pageHtml(built, { ...head, url: 'https://tandem.example/', picture: '/pictures/tickets-light.webp', organization: null });
    expect(html).toContain('<meta property="og:image" content="https://tandem.example/pictures/tickets-light.webp" />');
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image" />');
  });

  it('escapes names in text, attributes and data', () => {
    const name = `</title><script>alert(1)</script>"'&$&$1`;
    const html = pageHtml(built, { ...head, title: name, siteName: name, description: name, site: { name: '</script><b>' } });
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<b>');
    expect(html).toContain('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;$&amp;$1');
    const data = /<script type="application\/json" id="site">(.*?)<\/script>/.exec(html)![1]!;
    expect(JSON.parse(data)).toEqual({ name: '</script><b>' });
  });

  describe('the first HTML', () => {
    const root = mkdtempSync(join(tmpdir(), 'tandem-first-html-'));
    const form = '<form>tandem:name</form><footer><span data-powered-by="true">Powered by Tandem</span></footer>';
    const pages = {
      product: { '/': '<h1>Tandem</h1>', '/docs/build': '<code>https://tandem.invalid/api</code>' },
      portal: { en: { '/submit-ticket': form }, de: { '/submit-ticket': '<h1>Wie können wir Ihnen helfen?</h1>' } },
      'portal-logo': { en: { '/submit-ticket': `<img src="tandem:logo" alt="tandem:name"/>${form}` } },
      styles: { product: { '/': 'h1{margin:0}' }, portal: { '/submit-ticket': 'form{display:grid}' } },
      heads: { de: { '/submit-ticket': { title: 'Ticket erstellen', description: 'Beschreiben Sie, was passiert ist.' } } },
    };
    writeFileSync(join(root, 'first-html.json'), JSON.stringify(pages));
    afterAll(() => rmSync(root, { recursive: true }));
    const firstPage = (
      path: string,
      kind: 'product' | 'portal',
      of: PublicOrganization | null | undefined = null,
      language: Language = 'en',
    ) => firstHtmlOf(root, { isSingle: false }).page(path, { kind, organization: of, origin: 'https://desk.example:8443' }, language);
    const firstHtml = (...of: Parameters<typeof firstPage>) => firstPage(...of)?.html;
    const branded = (changes: Partial<PublicBranding>, name = 'Acme') => ({
      ...organization,
      name,
      branding: { ...organization.branding, ...changes },
    });

    it('is in front of the app, on the host that serves the page', () => {
      expect(pageHtml(built, head, firstPage('/', 'product'))).toContain(
        '<body><div id="first-html"><h1>Tandem</h1></div>\n    <div id="root"></div></body>',
      );
      expect(firstHtml('/submit-ticket', 'product')).toBeUndefined();
      expect(firstHtml('/ticket-status/:id', 'portal', organization)).toBeUndefined();
      expect(pageHtml(built, head, undefined)).not.toContain('first-html');
    });
    it('has its styles in the head, and the style sheet after it, with less specific rules than the brand colors', () => {
      const sheet = '<link rel="stylesheet" crossorigin href="/assets/index.css">';
      const withSheet = built.replace('</head>', `<script type="module" src="/assets/a.js"></script>${sheet}</head>`);
      const html = pageHtml(withSheet, head, firstPage('/submit-ticket', 'portal', organization));
      expect(html).toMatch(/<style>form\{display:grid\}<\/style>.*<style id="brand">.*<\/head>/s);
      expect(html).toMatch(/<\/footer><\/div><link rel="stylesheet"[^>]*>\s*<div id="root">/);
      expect(html.split(sheet)).toHaveLength(2);
      expect(html).toContain('<script type="module" fetchpriority="low" src="/assets/a.js">');
      expect(pageHtml(withSheet, head)).toMatch(
        /<script type="module" src="\/assets\/a.js"><\/script><link rel="stylesheet"[^>]*>.*<\/head>/s,
      );
    });
    it('has the address of the installation in samples of the documentation', () => {
      expect(firstHtml('/docs/build', 'product')).toBe('<code>https://desk.example:8443/api</code>');
    });
    it('has the name and logo of the organization, escaped', () => {
      const html = firstHtml('/submit-ticket', 'portal', branded({ logo_url: '/a"b' }, '<b>tandem:logo</b>'));
      expect(html).toMatch(/^<img src="\/a&quot;b" alt="&lt;b&gt;tandem:logo&lt;\/b&gt;"\/><form>&lt;b&gt;tandem:logo&lt;\/b&gt;<\/form>/);
      expect(firstHtml('/submit-ticket', 'portal', branded({ logo_url: null }))).not.toContain('<img');
    });
    it('omits the name of the product if the organization hides it', () => {
      expect(firstHtml('/submit-ticket', 'portal', branded({}))).toContain('Powered by Tandem');
      const hidden = branded({ hide_powered_by: true });
      const index = readFileSync(join(__dirname, '../../../web/index.html'), 'utf8');
      const html = pageHtml(
        index,
        { ...head, url: 'https://help.acme.example/', organization: hidden },
        firstPage('/submit-ticket', 'portal', hidden),
      );
      expect(html).toContain('<form>Acme</form>');
      expect(html).not.toMatch(/tandem/i);
    });
    it('is in the language of the customer, with the texts for its head', () => {
      expect(firstHtml('/submit-ticket', 'portal', branded({ logo_url: null }), 'de')).toContain('Wie können wir Ihnen helfen?');
      expect(firstHtmlOf(root, { isSingle: false }).head('/submit-ticket', 'de')?.title).toBe('Ticket erstellen');
      expect(firstHtmlOf(root, { isSingle: false }).head('/submit-ticket', 'en')).toBeUndefined();
      const opened = '<html lang="en">';
      expect(pageHtml(opened, { ...head, language: 'de' })).toBe('<html lang="de">');
      expect(pageHtml(opened, { ...head, language: 'ar' })).toBe('<html lang="ar" dir="rtl">');
    });
    it('is omitted on a host without an organization, and if identity does not answer', () => {
      expect(firstHtml('/submit-ticket', 'portal', null)).toBeUndefined();
      expect(firstHtml('/submit-ticket', 'portal', undefined)).toBeUndefined();
    });
    it('is omitted if the organization has custom wording', () => {
      expect(firstHtml('/submit-ticket', 'portal', { ...branded({}), has_wording: true })).toBeUndefined();
    });
  });

  it('ignores an invalid color', () => {
    const branding = { ...organization.branding, primary_color: 'red}</style><script>' };
    expect(pageHtml(built, { ...head, organization: { ...organization, branding } })).not.toContain('<script>');
  });

  it('keeps tickets and the staff app out of search engines', () =>
    expect(pageHtml(built, { ...head, isIndexed: false })).toContain('<meta name="robots" content="noindex" />'));
});
