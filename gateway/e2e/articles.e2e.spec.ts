import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Article,
  ArticleCategory,
  ArticleMatch,
  Attachment,
  PublicArticle,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from '@tandem/contracts';
import { WebhookSink } from '@tandem/sandbox';
import { eventually } from '@tandem/testing';
import type { Browser } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const index =
  '<!doctype html><html lang="en"><head><title>Tandem</title><meta name="description" content="x" /></head><body><div id="root"></div></body></html>';
const firstHtml = {
  product: {},
  portal: { en: { '/help/:address': '<main><article><h1>tandem:title</h1><div>tandem:article</div></article></main>' } },
  'portal-logo': {},
  styles: { product: {}, portal: {} },
  heads: {},
};

let web: string;
let sink: WebhookSink;
let app: TestApp;
let ada: OwnerSession;
let eve: OwnerSession;
let reader: Browser;
beforeAll(async () => {
  web = mkdtempSync(join(tmpdir(), 'tandem-web-'));
  writeFileSync(join(web, 'index.html'), index);
  writeFileSync(join(web, 'first-html.json'), JSON.stringify(firstHtml));
  sink = await WebhookSink.start();
  app = await startTestApp({ WEB_ROOT: web, RATE_LIMIT_API_PER_MINUTE: '1000', WEBHOOK_TEST_RECEIVERS: new URL(sink.url).host });
  [ada, eve] = await Promise.all([app.signUpOwner('Ada Engines'), app.signUpOwner('Eve')]);
  reader = app.browser(ada.portalHost);
});
afterAll(async () => {
  rmSync(web, { recursive: true });
  await sink?.close();
});

async function write(body: object): Promise<Article> {
  const answer = await ada.browser.post<Article>('/articles', body);
  expect(answer.status).toBe(201);
  return answer.data;
}
async function publish({ id }: Pick<Article, 'id'>): Promise<Article> {
  const { version } = (await ada.browser.get<Article>(`/articles/${id}`)).data;
  const answer = await ada.browser.post<Article>(`/articles/${id}/publish`, { version });
  expect(answer.status).toBe(200);
  return answer.data;
}
const pageOf = (path: string, browser = reader, method = 'GET') => browser.send(method, `/${path}`);
const linkedData = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json]) => JSON.parse(json!) as Record<string, unknown>,
  );

describe('a published article', () => {
  let category: ArticleCategory;
  let article: Article;
  const path = () => `/help/${article.number}-refund-a-payment`;
  beforeAll(async () => {
    category = (await ada.browser.post<ArticleCategory>('/article-categories', { name: 'Payments' })).data;
    const body = '# Steps\n\nOpen **Payments** & choose [Refund](https://pay.example/).';
    article = await publish(await write({ title: 'Refund a payment', summary: 'Get money back.', body, category_id: category.id }));
  });

  it('is served as HTML with its title, canonical address, text and JSON-LD', async () => {
    const { status, text, headers } = await pageOf(path());
    expect(status).toBe(200);
    const origin = `http://${ada.portalHost}`;
    for (const part of [
      '<title>Refund a payment · Ada Engines</title>',
      '<meta name="description" content="Get money back." />',
      `<link rel="canonical" href="${origin}${path()}" />`,
      '<h1>Refund a payment</h1>',
      '<h2 id="steps" dir="auto">Steps</h2>',
      'Open <strong>Payments</strong> &amp; choose <a href="https://pay.example/" rel="nofollow noopener">Refund</a>.',
    ])
      expect(text).toContain(part);
    expect(linkedData(text)).toMatchObject([
      { '@type': 'Article', headline: 'Refund a payment', publisher: { name: 'Ada Engines' } },
      { '@type': 'BreadcrumbList', itemListElement: [{ item: `${origin}/help` }, { name: 'Payments' }, { item: origin + path() }] },
    ]);
    expect(headers.get('cache-control')).toBe('no-cache');
    const etag = headers.get('etag')!;
    expect((await reader.get(`/${path()}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await pageOf(path(), reader, 'HEAD');
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
  });

  it('redirects from addresses with another title, with their query', async () => {
    for (const other of [`/help/${article.number}`, `/help/${article.number}-old-title`, `${path()}/`]) {
      const { status, headers } = await pageOf(`${other}?lang=de`);
      expect([other, status, headers.get('location')]).toEqual([other, 301, `${path()}?lang=de`]);
    }
    const redirected = await pageOf(`/help/categories/${category.number}`);
    expect([redirected.status, redirected.headers.get('location')]).toEqual([301, `/help/categories/${category.number}-payments`]);
    expect((await pageOf(`/help/categories/${category.number}-payments`)).text).toContain('<title>Payments · Ada Engines</title>');
  });

  it('is not found under an unknown number, without a number, and on the host of another organization', async () => {
    for (const unknown of ['/help/999999', '/help/refund', '/help/0', '/help/categories/999999-x']) {
      const { status, text } = await pageOf(unknown);
      expect([unknown, status]).toEqual([unknown, 404]);
      expect(text).toContain('<meta name="robots" content="noindex" />');
    }
    const foreign = await pageOf(path(), app.browser(eve.portalHost));
    expect(foreign.status).toBe(404);
    expect(foreign.text).not.toContain('Refund');
    expect(codeOf(await app.browser(eve.portalHost).get(`/public/articles/${article.number}`))).toBe('404 article.not_found');
  });

  it('is found by a search and can be rated', async () => {
    const { data } = await reader.get<ArticleMatch[]>('/public/help/search?q=refund');
    expect(data.map(({ number }) => number)).toEqual([article.number]);
    const body = { helpful: true, remark: 'Thank you', reader: 'a'.repeat(20) };
    // The tickets service needs the organization's time zone, which it gets by an event.
    await eventually(async () => {
      expect((await reader.send('PUT', `/public/articles/${article.number}/rating`, { body })).status).toBe(200);
    });
    expect((await ada.browser.get<Article>(`/articles/${article.id}`)).data).toMatchObject({ helpful: 1, not_helpful: 0 });
  });

  it('is in the sitemap of its organization only, which robots.txt names', async () => {
    const { status, text, headers } = await pageOf('/sitemap.xml');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(text).toContain(`<loc>http://${ada.portalHost}${path()}</loc><lastmod>${article.published_at}</lastmod>`);
    expect(text).toContain(`/help/categories/${category.number}-payments</loc>`);
    expect((await pageOf('/robots.txt')).text).toContain(`Sitemap: http://${ada.portalHost}/sitemap.xml`);
    for (const host of [eve.portalHost, app.browser().host]) {
      expect((await pageOf('/sitemap.xml', app.browser(host))).status).toBe(404);
      expect((await pageOf('/robots.txt', app.browser(host))).text).not.toContain('Sitemap');
    }
  });

  it('shows a new title once that is published, and redirects from the old one', async () => {
    const moved = await publish(await write({ title: 'Old name', body: 'Text' }));
    await ada.browser.patch(`/articles/${moved.id}`, { title: 'New name' });
    expect((await pageOf(`/help/${moved.number}-old-name`)).status).toBe(200);
    await publish(moved);
    await eventually(async () => {
      const { status, headers } = await pageOf(`/help/${moved.number}-old-name`);
      expect([status, headers.get('location')]).toEqual([301, `/help/${moved.number}-new-name`]);
    });
  });
});

it('an internal article reaches no page, search, sitemap or public operation', async () => {
  const article = await publish(await write({ title: 'Internal salaries', body: 'Secret', visibility: 'internal' }));
  expect((await pageOf(`/help/${article.number}-internal-salaries`)).status).toBe(404);
  expect((await reader.get(`/public/articles/${article.number}`)).status).toBe(404);
  for (const path of ['/public/help', '/public/help/pages', '/public/help/search?q=salaries', '//sitemap.xml'])
    expect([path, /salaries|Secret/i.test((await reader.get(path)).text)]).toEqual([path, false]);
});

describe('a picture of an article', () => {
  it('is public from publishing to unpublishing, without cookies, with an entity tag', async () => {
    const article = await write({ title: 'With a picture', body: '![The page](page.png)' });
    const announced = await ada.browser.post<{ attachment_id: string; upload_url: string }>('/attachments', {
      file_name: 'page.png',
      size: png.length,
    });
    const upload = { raw: png, headers: { 'content-type': 'image/png' } };
    expect((await app.browser().send('PUT', `/${announced.data.upload_url}`, upload)).status).toBe(200);
    const { attachment_id } = announced.data;
    expect((await ada.browser.post<Attachment>(`/articles/${article.id}/pictures`, { attachment_id })).status).toBe(201);
    const read = (method = 'GET', headers = {}) => reader.fetch(method, `/public/article-pictures/${attachment_id}`, { headers });
    expect((await read()).status).toBe(404);

    await publish(article);
    const { data } = await reader.get<PublicArticle>(`/public/articles/${article.number}`);
    expect(data.pictures.map(({ id }) => id)).toEqual([attachment_id]);
    expect((await pageOf(`/help/${article.number}-with-a-picture`)).text).toContain(
      `<img src="/api/v1/public/article-pictures/${attachment_id}" alt="The page" loading="lazy" />`,
    );
    const shown = await read();
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=300',
      etag: `"${attachment_id}"`,
      'x-content-type-options': 'nosniff',
    });
    expect(shown.headers.get('set-cookie')).toBeNull();
    const head = await read('HEAD');
    expect([head.status, head.headers.get('etag'), (await head.arrayBuffer()).byteLength]).toEqual([200, `"${attachment_id}"`, 0]);
    expect((await read('GET', { 'if-none-match': `"${attachment_id}"` })).status).toBe(304);

    await ada.browser.post(`/articles/${article.id}/unpublish`);
    expect((await read('GET', { 'if-none-match': `"${attachment_id}"` })).status).toBe(404);
    await eventually(async () => expect((await pageOf(`/help/${article.number}-with-a-picture`)).status).toBe(404));
  });

  it('is not found by an unknown or invalid id', async () => {
    for (const id of ['01980000-0000-7000-8000-000000000001', 'x', '%00'])
      expect([id, (await reader.get(`/public/article-pictures/${id}`)).status]).toEqual([id, 404]);
  });
});

it('sends a webhook when an article is published and unpublished, and none for a draft', async () => {
  const { data } = await ada.browser.post<{ endpoint: { id: string } }>('/webhook-endpoints', {
    url: sink.hookUrl,
    events: ['article.published', 'article.unpublished'],
  });
  const article = await write({ title: 'Announced', body: 'Text' });
  await publish(article);
  await ada.browser.post(`/articles/${article.id}/unpublish`);
  await eventually(async () => {
    const listed = (await ada.browser.get<WebhookDelivery[]>(`/webhook-endpoints/${data.endpoint.id}/deliveries`)).data;
    const read = await Promise.all(listed.map(({ id }) => ada.browser.get<WebhookDeliveryDetails>(`/webhook-deliveries/${id}`)));
    // Events of earlier tests can follow the endpoint's creation and be delivered to it, too.
    const deliveries = read.map((answer) => answer.data).filter(({ body }) => body.includes(article.id));
    expect(deliveries.map(({ event, state }) => `${event} ${state}`).sort()).toEqual([
      'article.published delivered',
      'article.unpublished delivered',
    ]);
  });
});

it('a page without an answer of the tickets service has no article and is not cached', async () => {
  const article = await publish(await write({ title: 'Unavailable', body: 'Text' }));
  const gateway = await app.secondGateway({ TICKETS_URL: 'http://127.0.0.1:9' });
  const response = await fetch(`${gateway.url}/help/${article.number}-unavailable`, { headers: { 'x-forwarded-host': ada.portalHost } });
  const html = await response.text();
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(html).not.toMatch(/tandem:article|noindex/);
});
