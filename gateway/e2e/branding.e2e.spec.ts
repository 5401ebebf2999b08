import { DnsServer } from '@tandem/identity/test/dns-server';
import { aPicture } from '@tandem/identity/test/pictures';
import type { Branding } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

describe('branding', () => {
  let app: TestApp;
  let dns: DnsServer;
  let ada: OwnerSession;

  beforeAll(async () => {
    dns = await DnsServer.start();
    app = await startTestApp({ DNS_SERVERS: dns.address });
    ada = await app.signUpOwner();
  });
  afterAll(() => dns.close());

  it('serves images to any site, cacheable for a year, and sandboxed', async () => {
    const added = await ada.browser.post<{ url: string }>('/branding/assets', { content: aPicture.png().toString('base64') });
    expect(added.status).toBe(201);
    const answer = await fetch(`${app.gateway.url}${added.data.url}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(aPicture.png())).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('returns 404 for unknown images, without caching it', async () => {
    for (const id of [crypto.randomUUID(), 'x', '..%2f..%2fbranding']) {
      const answer = await app.browser().get(`/public/branding-assets/${id}`);
      expect(codeOf(answer)).toBe('404 branding.asset_not_found');
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  it('is served on the custom domain once that is verified, and no longer after it is removed', async () => {
    const domain = 'support.northwind.example';
    const put = (body: object) => ada.browser.send<Branding>('PUT', '/branding', { body });
    const visit = () => app.browser(domain).get<{ id: string; branding: { css: string } }>('/public/organization');
    const { data } = await put({ custom_domain: domain, custom_css: 'h1{color:red}' });
    expect(codeOf(await visit())).toBe('404 organization.not_found');
    expect(codeOf(await ada.browser.post('/branding/custom-domain/verify', {}))).toBe('422 custom_domain.not_verified');
    dns.records.set(data.custom_domain_record!.name, [[data.custom_domain_record!.value]]);
    expect((await ada.browser.post('/branding/custom-domain/verify', {})).status).toBe(200);
    await eventually(async () => {
      const { status, data: shown } = await visit();
      expect([status, shown.id, shown.branding.css]).toEqual([200, ada.organization.id, '.portal h1{color:red}']);
    });
    await put({ custom_domain: null });
    // The event invalidates the cache long before the entry would expire.
    await eventually(async () => expect((await visit()).status).toBe(404));
  });
});
