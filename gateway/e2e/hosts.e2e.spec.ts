import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PublicOrganization } from '@tandem/contracts';
import { eventually, startForTest } from '@tandem/testing';
import { gateway } from '../src/gateway.module';
import { Browser } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let ada: OwnerSession;
let web: string;
beforeAll(async () => {
  web = mkdtempSync(join(tmpdir(), 'tandem-web-'));
  writeFileSync(
    join(web, 'index.html'),
    '<!doctype html><html><head><title>Tandem</title><meta name="description" content="x" /></head></html>',
  );
  writeFileSync(join(web, 'favicon.ico'), 'the product’s icon');
  app = await startTestApp({ PORTAL_DOMAINS: 'desk.example', WEB_ROOT: web });
  ada = await app.signUpOwner('Ada Engines');
});

afterAll(() => rmSync(web, { recursive: true }));

/** Sends a request byte by byte as given, for requests that no HTTP client would send. */
async function raw(url: string, lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

describe('the organization of a host', () => {
  const organizationAt = (host: string) => app.browser(host).get<PublicOrganization>('/public/organization');

  it('is found by the subdomain of localhost or a portal domain', async () => {
    const { subdomain } = ada.organization;
    for (const host of [`${subdomain}.localhost:3000`, `${subdomain}.desk.example`])
      expect((await organizationAt(host)).data).toMatchObject({ name: 'Ada Engines' });
  });

  it('is not found on another domain whose first label is a subdomain', async () => {
    const { subdomain } = ada.organization;
    for (const host of [
      `${subdomain}.bigbank.example`,
      `${subdomain}.desk.example.evil.example`,
      `${subdomain}.com`,
      `www.${subdomain}.localhost`,
    ])
      expect([host, codeOf(await organizationAt(host))]).toEqual([host, '404 organization.not_found']);
  });
});

describe('a request', () => {
  it('with two Host headers is refused, whichever comes first', async () => {
    const own = `Host: ${ada.portalHost}`;
    for (const hosts of [
      [own, 'Host: evil.example'],
      ['Host: evil.example', own],
      [own, own],
    ]) {
      const answer = await raw(app.gateway.url, ['GET /api/v1/public/organization HTTP/1.1', ...hosts]);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*"code":"request.malformed"/);
    }
  });
  it('whose URL and Host header differ is refused', async () => {
    const answer = await raw(app.gateway.url, ['GET http://evil.example/api/v1/public/organization HTTP/1.1', `Host: ${ada.portalHost}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
  it('without a Host header is refused', async () => expect(await raw(app.gateway.url, ['GET / HTTP/1.1'])).toMatch(/^HTTP\/1\.1 400 /));
  it('whose URL and Host header agree is accepted', async () => {
    const lines = [`GET http://${ada.portalHost}/api/v1/public/organization HTTP/1.1`, `Host: ${ada.portalHost}`];
    expect(await raw(app.gateway.url, lines)).toMatch(/^HTTP\/1\.1 200 [^]*Ada Engines/);
  });
});

it('signing out empties the browser’s cache', async () => {
  const { browser } = await app.signIn(ada.email);
  const answer = await browser.post('/auth/sign-out');
  expect([answer.status, answer.headers.get('clear-site-data')]).toEqual([200, '"cache"']);
});

describe('readiness of the gateway', () => {
  const names = ['identity', 'tickets', 'notifications', 'integrations', 'analytics', 'redis', 'nats'];
  const readiness = async (url: string) => {
    const answer = await fetch(`${url}/health/ready`);
    return { status: answer.status, body: (await answer.json()) as { status: string; checks: Record<string, string> } };
  };

  it('lists each dependency without details', async () => {
    expect(await readiness(app.gateway.url)).toEqual({
      status: 200,
      body: { status: 'ok', checks: Object.fromEntries(names.map((name) => [name, 'ok'])) },
    });
  });
  it('is degraded, but still 200, while dependencies are down', async () => {
    const nowhere = 'http://127.0.0.1:9';
    const env = { ...app.env, TICKETS_URL: nowhere, REDIS_URL: 'redis://:x7Kq2v@127.0.0.1:9' };
    const { status, body } = await readiness((await startForTest(gateway, env)).url);
    expect([status, body.status, body.checks]).toEqual([
      200,
      'degraded',
      { ...Object.fromEntries(names.map((name) => [name, 'ok'])), tickets: 'down', redis: 'down' },
    ]);
  });
});

describe('the pages of a host', () => {
  const product = 'http://localhost:3000';
  const open = async (host: string, path: string, base = app.gateway.url) => {
    const answer = await new Browser(base, host, { 'x-forwarded-for': anIpAddress() }).get(`/${path}`, { headers: { accept: '*/*' } });
    const data = /<script type="application\/json" id="site">(.*?)<\/script>/.exec(answer.text)?.[1];
    const title = /<title>(.*?)<\/title>/.exec(answer.text)?.[1];
    const site =
      data === undefined ? undefined : (JSON.parse(data) as { kind: string; organization: { name: string } | null; portal: string | null });
    return { status: answer.status, location: answer.headers.get('location'), title, site, text: answer.text, headers: answer.headers };
  };

  it('show the landing page on the product host and the portal on the host of an organization', async () => {
    expect(await open('localhost:3000', '/')).toMatchObject({
      status: 200,
      title: 'The help desk with two-way task sync · Tandem',
      site: { kind: 'product' },
    });
    expect(await open(ada.portalHost, '/')).toMatchObject({
      status: 200,
      title: 'Help center · Ada Engines',
      site: { kind: 'portal', organization: { name: 'Ada Engines' } },
    });
  });

  it('redirect the staff app, sign-in and documentation to the product host', async () => {
    for (const path of [
      '/auth',
      '/auth/reset-password?token=a&b=c',
      '/dashboard',
      '/tickets/0190',
      '/docs',
      '/docs/widget-setup',
      '/settings?tab=sla',
    ])
      expect([path, await open(ada.portalHost, path)]).toEqual([path, expect.objectContaining({ status: 302, location: product + path })]);
    expect(await open('desk.example', '/')).toMatchObject({ status: 302, location: `${product}/` });
  });

  it('never redirect to a host from the request', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/auth',
      '/\\evil.example',
      '/auth//evil.example',
      '/.evil.example',
      '/@evil.example/auth',
    ]) {
      const { status, location } = await open(ada.portalHost, path);
      expect([path, status, location === null || new URL(location).origin === product]).toEqual([path, expect.any(Number), true]);
    }
    expect((await open('auth.evil.example', '/auth')).location).toBe(`${product}/auth`);
    const line = await raw(app.gateway.url, [`GET http://${ada.portalHost}/auth HTTP/1.1`, `Host: ${ada.portalHost}`]);
    expect(line).toMatch(new RegExp(`location: ${product}/auth\r\n`, 'i'));
  });

  it('return 404 on an unknown host, without data of an organization whose subdomain it starts with', async () => {
    const { subdomain } = ada.organization;
    for (const host of [`${subdomain}.bigbank.example`, 'nobody-at-all.localhost:3000'])
      for (const path of ['/', '/submit-ticket']) {
        const page = await open(host, path);
        expect(page).toMatchObject({ status: 404, site: { kind: 'portal', organization: null } });
        expect(page.text).not.toContain('Ada Engines');
      }
  });

  it('contain og: tags, title and brand colors in the first HTML, but never the customer’s email address', async () => {
    await ada.browser.send('PUT', '/branding', { body: { primary_color: '#1D4ED8', secondary_color: '#7C3AED' } });
    await eventually(async () => expect((await open(ada.portalHost, '/')).text).toContain('--accent:#1d4ed8'));
    const { text } = await open(ada.portalHost, '/ticket-status/0190?email=jonas%40example.com');
    expect(text).toContain('<title>Ticket status · Ada Engines</title>');
    for (const property of ['title', 'description', 'type', 'url', 'site_name'])
      expect(text).toContain(`<meta property="og:${property}" content="`);
    expect(text).toContain(`<meta property="og:url" content="http://${ada.portalHost}/ticket-status/0190" />`);
    expect(text).toContain('<meta name="robots" content="noindex" />');
    expect(text).not.toContain('jonas');
  });

  it('redirect portal paths from the product host to the portal of SITE_ORGANIZATION, if it is set', async () => {
    const { subdomain } = ada.organization;
    const { url } = await startForTest(gateway, { ...app.env, SITE_ORGANIZATION: subdomain! });
    expect(await open('localhost:3000', '/submit-ticket?a=b', url)).toMatchObject({
      status: 302,
      location: `http://${ada.portalHost}/submit-ticket?a=b`,
    });
    expect((await open('localhost:3000', '/', url)).site).toMatchObject({ kind: 'product', portal: `http://${ada.portalHost}` });
    expect((await open(ada.portalHost, '/submit-ticket', url)).status).toBe(200);
    expect((await open('localhost:3000', '/submit-ticket')).status).toBe(200);
  });

  it('are served while identity is down, without the organization', async () => {
    const { url } = await startForTest(gateway, { ...app.env, IDENTITY_URL: 'http://127.0.0.1:9' });
    const page = await open(ada.portalHost, '/submit-ticket', url);
    expect([page.status, page.site]).toEqual([200, { kind: 'portal', portal: null }]);
  });
});

describe('well-known files', () => {
  const get = async (host: string, path: string) => {
    const answer = await app.browser(host).get(`/${path}`, { headers: { accept: '*/*' } });
    return { status: answer.status, type: answer.headers.get('content-type'), text: answer.text };
  };

  it('/robots.txt keeps tickets, surveys and the staff app out of search engines', async () => {
    const { status, type, text } = await get('localhost:3000', '/robots.txt');
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    for (const path of ['/ticket-status/', '/survey/', '/dashboard', '/api/']) expect(text).toContain(`Disallow: ${path}\n`);
    expect((await get(ada.portalHost, '/robots.txt')).text).not.toContain('/dashboard');
  });
  it('/.well-known/security.txt contains a contact and a future expiry date', async () => {
    const { status, type, text } = await get('localhost:3000', '/.well-known/security.txt');
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^Contact: mailto:security@localhost\n/);
    expect(Date.parse(/^Expires: (.*)$/m.exec(text)![1]!)).toBeGreaterThan(Date.now());
  });
  it('/favicon.ico is the icon of the organization on its host and the product icon elsewhere', async () => {
    expect((await get(ada.portalHost, '/favicon.ico')).text).toBe('the product’s icon');
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const { data } = await ada.browser.post<{ url: string }>('/branding/assets', { content: png.toString('base64') });
    await ada.browser.send('PUT', '/branding', { body: { favicon_url: data.url } });
    await eventually(async () => expect((await get(ada.portalHost, '/favicon.ico')).type).toBe('image/png'));
    expect((await get('localhost:3000', '/favicon.ico')).text).toBe('the product’s icon');
  });
});

describe('a team’s portal', () => {
  it('is found by its subdomain, without an account', async () => {
    const found = await app.browser().get(`/public/portal?team=${ada.organization.subdomain}`);
    expect(found).toMatchObject({ status: 200, data: { name: 'Ada Engines', url: `http://${ada.portalHost}` } });
    expect(codeOf(await app.browser().get('/public/portal?team=nobody-at-all'))).toBe('404 organization.not_found');
    expect(codeOf(await app.browser().get('/public/portal?team='))).toBe('422 request.invalid');
  });
});
