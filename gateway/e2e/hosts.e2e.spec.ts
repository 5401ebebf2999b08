import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Branding, PublicOrganization } from '@tandem/contracts';
import { DnsServer } from '@tandem/identity/test/dns-server';
import { eventually, startForTest } from '@tandem/testing';
import { CertificateServer } from '../src/certificate/certificate.server';
import { gatewayConfig } from '../src/config';
import { gateway } from '../src/gateway.module';
import { Browser } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let ada: OwnerSession;
let web: string;
let dns: DnsServer;
beforeAll(async () => {
  dns = await DnsServer.start();
  web = mkdtempSync(join(tmpdir(), 'tandem-web-'));
  writeFileSync(
    join(web, 'index.html'),
    '<!doctype html><html><head><title>Tandem</title><meta name="description" content="x" /></head></html>',
  );
  writeFileSync(join(web, 'favicon.ico'), 'the product’s icon');
  app = await startTestApp({ PORTAL_DOMAINS: 'desk.example', WEB_ROOT: web, DNS_SERVERS: dns.address });
  ada = await app.signUpOwner('Ada Engines');
});

afterAll(() => {
  dns.close();
  rmSync(web, { recursive: true });
});

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
  const names = ['identity', 'tickets', 'notifications', 'integrations', 'analytics', 'redis', 'nats', 'context'];
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

describe('a gateway with another CONTEXT_SECRET than the services', () => {
  it('is not ready, and answers 503, which signs no user out', async () => {
    const other = await app.secondGateway({ CONTEXT_SECRET: 'another-secret-of-this-test-1234567890' });
    const answer = await fetch(`${other.url}/health/ready`);
    expect([answer.status, ((await answer.json()) as { checks: Record<string, string> }).checks['context']]).toEqual([503, 'down']);
    const { cookies } = ada.browser;
    const browser = new Browser(other.url, ada.browser.host, { 'x-forwarded-for': anIpAddress() });
    cookies.forEach((cookie, name) => browser.cookies.set(name, cookie));
    expect(codeOf(await browser.get('/tickets'))).toBe('503 service.unavailable');
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

  it('redirect from the subdomain to the verified domain, until that is removed', async () => {
    const tam = await app.signUpOwner('Tam Bikes');
    const domain = 'help.tam-bikes.example';
    const put = (custom_domain: string | null) => tam.browser.send<Branding>('PUT', '/branding', { body: { custom_domain } });
    const { custom_domain_record: record } = (await put(domain)).data;
    expect((await open(tam.portalHost, '/submit-ticket')).status).toBe(200);
    dns.records.set(record!.name, [[record!.value]]);
    expect((await tam.browser.post('/branding/custom-domain/verify', {})).status).toBe(200);
    // The port is that of PUBLIC_URL.
    const target = `http://${domain}:3000`;
    const paths = ['/', '/submit-ticket', '/ticket-status/0190?email=jonas%40example.com&a=//b', '/survey/0190', '/docs/customer-guide'];
    await eventually(async () => expect((await open(tam.portalHost, '/')).status).toBe(302));
    for (const host of [tam.portalHost, `${tam.organization.subdomain}.desk.example`])
      for (const path of paths)
        expect([path, await open(host, path)]).toEqual([path, expect.objectContaining({ status: 302, location: target + path })]);
    const page = await open(domain, '/submit-ticket');
    expect([page.status, page.site]).toMatchObject([200, { organization: { name: 'Tam Bikes' } }]);
    expect(page.text).toContain(`<link rel="canonical" href="${target}/submit-ticket" />`);
    // Pages of the product, unknown pages and the API stay where they are.
    expect((await open(tam.portalHost, '/dashboard')).location).toBe(`${product}/dashboard`);
    expect((await open(tam.portalHost, '/no-such-page')).status).toBe(404);
    expect((await app.browser(tam.portalHost).get('/public/organization')).status).toBe(200);
    expect((await app.browser().get(`/public/portal?team=${tam.organization.subdomain}`)).data).toEqual({ name: 'Tam Bikes', url: target });
    await put(null);
    await eventually(async () => expect((await open(tam.portalHost, '/')).status).toBe(200));
    expect((await open(tam.portalHost, '/')).text).toContain(`<link rel="canonical" href="http://${tam.portalHost}/" />`);
  });

  it('are served while identity is down, without the organization', async () => {
    const { url } = await startForTest(gateway, { ...app.env, IDENTITY_URL: 'http://127.0.0.1:9' });
    const page = await open(ada.portalHost, '/submit-ticket', url);
    expect([page.status, page.site]).toEqual([200, { kind: 'portal', language: 'en', portal: null }]);
  });
});

describe('the port that the proxy asks for certificates', () => {
  const domain = 'help.certified.example';
  const certificates = () => ({ CERTIFICATE_PORT: '0', CERTIFICATE_HOSTS_FILE: join(web, 'certificate-hosts.json') });
  const start = async (env: Record<string, string> = {}) => {
    const running = await startForTest(gateway, { ...app.env, ...certificates(), ...env });
    const base = `http://127.0.0.1:${running.app.get(CertificateServer).port}`;
    return { close: running.close, ask: async (query: string, init?: RequestInit) => (await fetch(`${base}${query}`, init)).status };
  };
  const put = (custom_domain: string | null) => ada.browser.send<Branding>('PUT', '/branding', { body: { custom_domain } });

  it('allows subdomains and verified domains, new ones immediately, and refuses all other hosts', async () => {
    const { subdomain } = ada.organization;
    const { ask, close } = await start();
    for (const host of [`${subdomain}.localhost`, `${subdomain}.desk.example`, `${subdomain!.toUpperCase()}.Desk.Example`])
      expect([host, await ask(`/?domain=${host}`)]).toEqual([host, 200]);
    const { custom_domain_record: record } = (await put(domain)).data;
    expect(await ask(`/?domain=${domain}`)).toBe(403);
    dns.records.set(record!.name, [[record!.value]]);
    expect((await ada.browser.post('/branding/custom-domain/verify', {})).status).toBe(200);
    await eventually(async () => expect(await ask(`/?domain=${domain}`)).toBe(200));
    const refused = [
      'localhost',
      'desk.example',
      'nobody-at-all.desk.example',
      `www.${subdomain}.desk.example`,
      `x.${domain}`,
      '127.0.0.1',
    ];
    for (const host of [...refused, `${domain}.evil.example`, `${subdomain}.bigbank.example`, '', '%00', '*.desk.example', '../x'])
      expect([host, await ask(`/?domain=${host}`)]).toEqual([host, 403]);
    expect(await ask(`/?domain=${domain}&domain=evil.example`)).toBe(403);
    expect(await ask('/')).toBe(403);
    expect(await ask(`/?domain=${domain}`, { method: 'POST' })).toBe(405);
    expect(await ask(`/api/v1/public/organization?domain=${domain}`)).toBe(404);
    await close();
  });

  it('answers from the file while identity, NATS and Redis are down', async () => {
    const away = { IDENTITY_URL: 'http://127.0.0.1:9', NATS_URL: 'nats://tandem:x@127.0.0.1:9', REDIS_URL: 'redis://:x7Kq2v@127.0.0.1:9' };
    const { ask } = await start(away);
    expect(await ask(`/?domain=${domain}`)).toBe(200);
    expect(await ask(`/?domain=${ada.organization.subdomain}.desk.example`)).toBe(200);
    expect(await ask('/?domain=nobody-at-all.desk.example')).toBe(403);
  });

  it('refuses every host if the file is unreadable and identity is down', async () => {
    writeFileSync(certificates().CERTIFICATE_HOSTS_FILE, '{"version":');
    const { ask } = await start({ IDENTITY_URL: 'http://127.0.0.1:9' });
    expect(await ask(`/?domain=${domain}`)).toBe(403);
    await put(null);
  });

  it('needs its file', () => {
    expect(() => gatewayConfig({ ...app.env, CERTIFICATE_PORT: '0' })).toThrow('set both or none');
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
