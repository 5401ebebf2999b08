import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, PublicBranding, type Operation, type PublicArticle, type PublicOrganization } from '@tandem/contracts';
import type { LiveEvents, Services } from '@tandem/messaging';
import { articleDescription, articleHtml } from './article-html';
import { firstHtmlOf } from './first-html';
import { helpHead, helpTargetOf } from './help-head';
import { HelpPages } from './help-pages';
import { pageHtml, type PageHead } from './page-head';
import { robotsText } from './pages';
import { sitemapXml } from './sitemap';

const organization: PublicOrganization = {
  id: '01980000-0000-7000-8000-000000000001',
  name: 'Acme',
  subdomain: 'acme',
  default_priority: 'medium',
  business_hours: null,
  time_zone: 'UTC',
  holidays: [],
  languages: { default: 'en', offered: ['en'] },
  categories: [],
  has_wording: false,
  branding: PublicBranding.parse({}),
};
const pictureId = '01980000-0000-7000-8000-000000000002';
const article: PublicArticle = {
  number: 12,
  title: 'Refund a payment',
  summary: 'How to get your money back.',
  language: 'de',
  body: '# Start\n\nOpen **Payments**.',
  category: { number: 3, name: 'Payments', description: null },
  pictures: [{ id: pictureId, file_name: 'a b.png', size: 5, content_type: 'image/png', created_at: '2026-11-01T00:00:00.000Z' }],
  first_published_at: '2026-11-01T00:00:00.000Z',
  published_at: '2026-11-20T00:00:00.000Z',
  related: [],
};
const htmlOf = (body: string) => articleHtml({ ...article, body }, 'acme.desk.example');
const origin = 'https://acme.desk.example';

describe('the HTML of an article', () => {
  it('has headings from level 2, with ids for links to sections', () =>
    expect(htmlOf('# One\n\n### Three\n\n###### Six')).toBe(
      '<h2 id="one" dir="auto">One</h2><h3 id="three" dir="auto">Three</h3><h4 id="six" dir="auto">Six</h4>',
    ));
  it('marks links to other hosts, and to no other schemes than http, https and mailto', () => {
    expect(htmlOf('[own](https://acme.desk.example/help)')).toContain('<a href="https://acme.desk.example/help">own</a>');
    expect(htmlOf('[other](https://evil.example/?a=1&b="2)')).not.toContain('"2');
    expect(htmlOf('[other](https://evil.example/?a=1&b=2)')).toContain(
      '<a href="https://evil.example/?a=1&amp;b=2" rel="nofollow noopener">other</a>',
    );
    for (const address of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'vbscript:x', ' javascript:alert(1)'])
      expect(htmlOf(`[x](${address})`)).not.toContain('<a');
  });
  it('shows the pictures of the article only', () => {
    expect(htmlOf('![A "picture"](a%20b.png)')).toBe(
      `<p dir="auto"><img src="/api/v1/public/article-pictures/${pictureId}" alt="A &quot;picture&quot;" loading="lazy" /></p>`,
    );
    expect(htmlOf('![other](c.png) ![x](https://evil.example/x.png)')).not.toContain('<img');
  });
  it.each([
    '<script>alert(1)</script>',
    '</script></div><img src=x onerror=alert(1)>',
    '`"><img onerror=alert(1)>`',
    '# <b onclick=x>',
    '[<img onerror=1>](https://a.example)',
    '```\n</code></pre><script>\n```',
    '![" onload="alert(1)](a%20b.png)',
  ])('escapes %j', (body) => {
    const elements = [...htmlOf(body).matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)];
    for (const [, tag, attributes] of elements) {
      expect(['p', 'h2', 'code', 'pre', 'a', 'img']).toContain(tag);
      expect(attributes!.replace(/"[^"]*"/g, '')).not.toMatch(/on\w+=/);
    }
    expect(htmlOf(body)).not.toMatch(/<script|<b |<img src=x/);
  });
  it('removes characters that reverse the direction of the text', () => expect(htmlOf('a\u202egpj.exe')).not.toContain('\u202e'));
  it('takes less than a second for 100 KB of any markup', () => {
    const started = performance.now();
    for (const part of ['[', '![a](', '*a _b ', '> ', '# a\n', '<', '`'])
      expect(htmlOf(part.repeat(100_000 / part.length)).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(7_000);
  });
  it('numbers repeated headings', () =>
    expect([...htmlOf('# a\n# a-2\n# a\n# a').matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual(['a', 'a-2', 'a-3', 'a-4']));
});

describe('the description of an article', () => {
  it('is its summary, or the beginning of its text', () => {
    expect(articleDescription(article)).toBe('How to get your money back.');
    expect(articleDescription({ summary: null, body: '# Start\n\nOpen **Payments**.' })).toBe('Start Open Payments.');
    const long = articleDescription({ summary: null, body: 'word '.repeat(100) });
    expect(long.length).toBeLessThanOrEqual(155);
    expect(long).toMatch(/word…$/);
  });
});

describe('the page of an article', () => {
  const root = mkdtempSync(join(tmpdir(), 'tandem-help-'));
  const template =
    '<header>tandem:name</header><main class="a"><nav>Help</nav><article><h1>tandem:title</h1><div>tandem:article</div></article></main>';
  const pages = {
    product: {},
    portal: { en: { '/help/:address': template, '/help': '<h1>Help</h1>' } },
    'portal-logo': {},
    styles: { product: {}, portal: { '/help/:address': 'h1{margin:0}' } },
    heads: {},
  };
  writeFileSync(join(root, 'first-html.json'), JSON.stringify(pages));
  afterAll(() => rmSync(root, { recursive: true }));
  const host = { kind: 'portal', organization, origin } as const;
  const { page } = firstHtmlOf(root, { isSingle: false });
  const built =
    '<!doctype html><html lang="en"><head><title>Tandem</title><meta name="description" content="x" /></head><body><div id="root"></div></body></html>';
  const head: PageHead = {
    title: '',
    description: '',
    url: `${origin}/help/12-refund-a-payment`,
    siteName: 'Acme',
    language: 'en',
    isIndexed: true,
    picture: null,
    organization,
    site: {},
  };
  const site = { organization, origin, helpTitle: 'Help articles' };
  const rendered = (changes: Partial<PublicArticle> = {}) => {
    const shown = { ...article, ...changes };
    return pageHtml(
      built,
      { ...head, ...helpHead({ path: '', article: shown }, site, 'An answer') },
      page('/help/:address', host, 'en', shown),
    );
  };
  const linkedData = (html: string) =>
    [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
      ([, json]) => JSON.parse(json!) as Record<string, unknown>,
    );

  it('has title, description, canonical address, times and the text in its language', () => {
    const html = rendered();
    for (const part of [
      '<title>Refund a payment · Acme</title>',
      '<meta name="description" content="How to get your money back." />',
      `<link rel="canonical" href="${head.url}" />`,
      '<meta property="og:type" content="article" />',
      '<meta property="article:modified_time" content="2026-11-20T00:00:00.000Z" />',
      '<article lang="de" dir="ltr"><h1>Refund a payment</h1><div><h2 id="start" dir="auto">Start</h2><p dir="auto">Open <strong>Payments</strong>.</p></div></article>',
    ])
      expect(html).toContain(part);
  });
  it('has JSON-LD of the article and the way to it', () => {
    expect(linkedData(rendered())).toMatchObject([
      {
        '@type': 'Article',
        headline: 'Refund a payment',
        dateModified: '2026-11-20T00:00:00.000Z',
        inLanguage: 'de',
        publisher: { '@type': 'Organization', name: 'Acme' },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { position: 1, name: 'Help articles', item: `${origin}/help` },
          { position: 2, name: 'Payments', item: `${origin}/help/categories/3-payments` },
          { position: 3, item: head.url },
        ],
      },
    ]);
  });
  it.each([
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "$& $1 $` $'",
    'tandem:article tandem:name',
    '<article>',
  ])('escapes the title %j', (title) => {
    const html = rendered({ title });
    expect(html).not.toMatch(/<script>alert|<img/);
    expect(html.match(/<article/g)).toHaveLength(1);
    expect(linkedData(html)[0]!['headline']).toBe(title);
    const shown = /<h1>(.*?)<\/h1>/.exec(html)![1]!;
    expect(
      shown
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, '&'),
    ).toBe(title);
  });
  it('keeps placeholders and patterns in the text as text', () =>
    expect(rendered({ body: "tandem:name $& $' <article>" })).toContain('<p dir="auto">tandem:name $&amp; $&#39; &lt;article&gt;</p>'));
  it('has no first HTML without the article', () => {
    expect(page('/help/:address', host, 'en')).toBeUndefined();
    expect(page('/help', host, 'en')?.html).toBe('<h1>Help</h1>');
  });
  it('shows only the article if the organization has custom wording', () => {
    const { html } = page('/help/:address', { ...host, organization: { ...organization, has_wording: true } }, 'en', article)!;
    expect(html).toMatch(/^<main class="a"><article lang="de" dir="ltr"><h1>Refund a payment<\/h1>.*<\/article><\/main>$/);
  });
  it('of a category has its description, or that of all help pages', () => {
    const category = { number: 3, name: 'Payments', description: null };
    expect(helpHead({ path: '', category }, site, 'All help')).toMatchObject({ title: 'Payments', description: 'All help' });
    const described = { ...category, description: 'Cards' };
    expect(helpHead({ path: '', category: described }, site, 'All help').description).toBe('Cards');
  });
});

describe('the address of a help page', () => {
  it.each([
    ['/help/:address', '/help/12-refund', { kind: 'article', number: 12 }],
    ['/help/:address', '/help/12/', { kind: 'article', number: 12 }],
    ['/help/:address', '/help/refund', { kind: 'article', number: undefined }],
    ['/help/categories/:address', '/help/categories/3-payments', { kind: 'category', number: 3 }],
    ['/help', '/help', undefined],
  ])('of the page %s, %s names %j', (pattern, path, target) => expect(helpTargetOf(pattern, path)).toEqual(target));
});

describe('an article for a page', () => {
  const live = { subscribe: () => () => undefined } as unknown as LiveEvents;
  const pagesWith = (call: (operation: Operation) => Promise<unknown>) => new HelpPages({ call } as unknown as Services, live);
  const find = (pages: HelpPages) => pages.find(organization.id, { kind: 'article', number: 12 }, 'r');

  it('is read once for concurrent and following requests', async () => {
    const call = jest.fn(() => Promise.resolve({ ...article, title: 'a\u202eb' }));
    const pages = pagesWith(call);
    await Promise.all([find(pages), find(pages)]);
    expect(await find(pages)).toMatchObject({ path: '/help/12-ab', article: { title: 'ab' } });
    expect(call).toHaveBeenCalledTimes(1);
  });
  it('is unknown without a number, and if the service knows no public article', async () => {
    const pages = pagesWith(() => Promise.reject(new AppError('article.not_found')));
    expect(await find(pages)).toBe('unknown');
    expect(await pages.find(organization.id, { kind: 'article', number: undefined }, 'r')).toBe('unknown');
  });
  it('is unavailable if the service fails, or does not answer within a second', async () => {
    expect(await find(pagesWith(() => Promise.reject(new AppError('service.unavailable'))))).toBe('unavailable');
    const started = performance.now();
    expect(await find(pagesWith(() => new Promise(() => undefined)))).toBe('unavailable');
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('sitemap.xml', () => {
  it('lists the help pages, categories and articles', () => {
    const xml = sitemapXml(
      {
        articles: [{ number: 12, title: 'Refund & more', published_at: '2026-11-20T00:00:00.000Z' }],
        categories: [{ number: 3, name: 'Payments' }],
      },
      origin,
    );
    expect(xml).toContain(`<url><loc>${origin}/help</loc><lastmod>2026-11-20T00:00:00.000Z</lastmod></url>`);
    expect(xml).toContain(`<url><loc>${origin}/help/categories/3-payments</loc></url>`);
    expect(xml).toContain(`<url><loc>${origin}/help/12-refund-more</loc><lastmod>2026-11-20T00:00:00.000Z</lastmod></url>`);
  });
  it('is named by robots.txt, which allows the help pages', () => {
    const lines = robotsText(true, `${origin}/sitemap.xml`).split('\n');
    expect(lines).toContain(`Sitemap: ${origin}/sitemap.xml`);
    expect(lines.filter((line) => line.startsWith('Disallow: /help'))).toEqual([]);
    expect(robotsText(true)).not.toContain('Sitemap');
  });
});
