import type { Session } from '@tandem/contracts';
import { OpenIdProviderForTest } from '@tandem/identity/test/oidc-provider';
import type { Browser } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

const client = { client_id: 'tandem', client_secret: 'a secret that the provider has made' };

describe('signing in at the organization’s OpenID provider', () => {
  let app: TestApp;
  let provider: OpenIdProviderForTest;
  let ada: OwnerSession;
  beforeAll(async () => {
    [app, provider] = await Promise.all([startTestApp({ ALLOW_PRIVATE_OUTBOUND: 'true' }), OpenIdProviderForTest.start()]);
    ada = await app.signUpOwner();
    const connection = { issuer: provider.issuer, ...client, auto_join: true };
    const saved = await ada.browser.send<{ redirect_uri: string }>('PUT', '/oidc-connection', { body: connection });
    expect(saved.status).toBe(200);
    await provider.register({ ...client, redirect_uri: saved.data.redirect_uri });
    provider.people.set('ada', { email: ada.email, email_verified: true });
    provider.people.set('eve', { email: 'eve@unverified.example', email_verified: false });
  });
  afterAll(() => provider?.close());

  const begin = (browser: Browser, redirect?: string) =>
    browser.post<{ authorize_url: string }>('/auth/oidc', { subdomain: ada.organization.subdomain, redirect });
  /** Follows the provider's redirect. */
  const returnTo = (browser: Browser, callback: URL) => browser.get(`/${callback.pathname}${callback.search}`);
  const cookiesOf = (browser: Browser) => [...browser.cookies.keys()].sort();

  it('starts a session and opens the requested page', async () => {
    const browser = app.browser();
    const begun = await begin(browser, '/tickets?status=open');
    expect(begun.status).toBe(200);
    expect(Object.keys(begun.data)).toEqual(['authorize_url']);
    expect(browser.cookies.get('tandem_oidc')).toMatchObject({
      path: '/api/v1/auth/oidc',
      attributes: expect.stringMatching(/^Max-Age=600; Path=\/api\/v1\/auth\/oidc; HttpOnly; SameSite=Lax$/),
    });
    const answer = await returnTo(browser, await provider.visit(begun.data.authorize_url, 'ada'));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/tickets?status=open']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(cookiesOf(browser)).toEqual(['tandem_csrf', 'tandem_refresh', 'tandem_session']);
    const session = await browser.get<Session>('/auth/session');
    expect(session.data.profile).toMatchObject({ email: ada.email, role: 'admin', organization_id: ada.organization.id });
    expect((await browser.post('/auth/refresh')).status).toBe(200);
  });

  it('is refused in a browser that did not start it, without a session or a reason', async () => {
    const [mine, theirs] = [app.browser(), app.browser()];
    const begun = await begin(mine);
    await begin(theirs);
    const callback = await provider.visit(begun.data.authorize_url, 'ada');
    const answer = await returnTo(theirs, callback);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/auth?sso_error=oidc.failed']);
    expect(cookiesOf(theirs)).toEqual([]);
    expect((await returnTo(mine, callback)).headers.get('location')).toBe('/auth?sso_error=oidc.failed');
  });

  it('redirects to the sign-in page with the reason', async () => {
    const browser = app.browser();
    const begun = await begin(browser);
    const answer = await returnTo(browser, await provider.visit(begun.data.authorize_url, 'eve'));
    expect(answer.headers.get('location')).toBe('/auth?sso_error=oidc.not_a_member');
    expect(cookiesOf(browser)).toEqual([]);
  });

  it.each([
    ['no parameters', ''],
    ['an error of the provider', '?error=access_denied&state=x'],
    ['a redirect to another site', '?redirect=https://evil.example&state=x&code=y'],
    ['an invalid encoding', '?%ff'],
    ['very long parameters', `?state=${'x'.repeat(9_000)}`],
  ])('redirects to the sign-in page if the callback has %s', async (_what, query) => {
    const answer = await app.browser().get(`/auth/oidc/callback/${ada.organization.id}${query}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/auth?sso_error=oidc.failed']);
  });

  it('redirects to the sign-in page if the callback names no organization', async () => {
    const answer = await app.browser().get('/auth/oidc/callback/nobody?state=x&code=y');
    expect(answer.headers.get('location')).toBe('/auth?sso_error=oidc.failed');
  });

  it('is not consumed by a HEAD request', async () => {
    const browser = app.browser();
    const callback = await provider.visit((await begin(browser)).data.authorize_url, 'ada');
    expect((await browser.send('HEAD', `/${callback.pathname}${callback.search}`)).status).toBe(405);
    expect((await returnTo(browser, callback)).headers.get('location')).toBe('/dashboard');
  });

  it.each([
    ['a binding chosen by the client', { binding: '0'.repeat(64) }, 'binding'],
    ['no subdomain', { subdomain: undefined }, 'subdomain'],
    ['an invalid subdomain', { subdomain: 'https://evil.example' }, 'subdomain'],
    ['an unknown member', { issuer: 'https://evil.example' }, 'issuer'],
  ])('refuses to start with %s, naming the field and setting no cookie', async (_what, more, path) => {
    const browser = app.browser();
    const answer = await browser.post('/auth/oidc', { subdomain: ada.organization.subdomain, ...more });
    expect(codeOf(answer)).toBe('422 request.invalid');
    expect(answer.body.errors!.map((error) => error.path)).toContain(path);
    expect(cookiesOf(browser)).toEqual([]);
  });

  it.each(['', 'null', '[]', '"x"', '{'])('refuses to start with the body %j', async (raw) => {
    const answer = await app.browser().send('POST', '/auth/oidc', { raw, headers: { 'content-type': 'application/json' } });
    expect([400, 422]).toContain(answer.status);
  });

  it('refuses to start from another site, and returns the same error for an organization without a provider as for an unknown one', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const subdomain = ada.organization.subdomain;
    expect(codeOf(await app.browser().post('/auth/oidc', { subdomain }, { headers }))).toBe('403 csrf.failed');
    const none = await app.signUpOwner();
    for (const unknown of ['nobody-has-this', none.organization.subdomain])
      expect(codeOf(await app.browser().post('/auth/oidc', { subdomain: unknown }))).toBe('404 oidc.not_connected');
  });

  it('uses __Host- cookies over HTTPS', async () => {
    const gateway = await app.secondGateway({ PUBLIC_URL: 'https://help.example', ALLOW_PRIVATE_OUTBOUND: 'false' });
    const response = await fetch(`${gateway.url}/api/v1/auth/oidc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.18.0.1' },
      body: JSON.stringify({ subdomain: ada.organization.subdomain }),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-tandem_oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  it('logs neither code nor state', async () => {
    const written: string[] = [];
    // Before the gateway starts, because its logger chooses its output when it is created.
    const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    try {
      const gateway = await app.secondGateway({ LOG_LEVEL: 'info' });
      const address = `${gateway.url}/api/v1/auth/oidc/callback/${ada.organization.id}`;
      await fetch(`${address}?state=the-state&code=the-code`, { redirect: 'manual', headers: { cookie: 'tandem_oidc=the-secret' } });
      await gateway.close();
    } finally {
      spy.mockRestore();
    }
    const log = written.join('');
    expect(log).toContain('"route":"/api/v1/auth/oidc/callback/:organization_id","status":302');
    expect(log).not.toMatch(/the-state|the-code|the-secret/);
  });
});
