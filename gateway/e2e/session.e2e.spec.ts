import type { Session } from '@tandem/contracts';
import { startForTest } from '@tandem/testing';
import { gateway } from '../src/gateway.module';
import { anAddress, Browser } from './client';
import { anIpAddress, codeOf, password, startTestApp, type TestApp } from './test-app';
import { copyOf, withAuthenticator } from './team';

const names = ['tandem_session', 'tandem_refresh', 'tandem_csrf'];
const valuesOf = (browser: Browser) => names.map((name) => browser.cookies.get(name)?.value);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '10000' });
});

describe('signing in', () => {
  const signIn = (browser: Browser, email: string, secret = password) =>
    browser.post<Session>('/auth/sign-in', { email, password: secret });

  it('replaces planted cookies and never continues their session', async () => {
    const mallory = await app.signIn(await app.account());
    const email = await app.account();
    const victim = copyOf(mallory.browser, app.browser());
    const planted = valuesOf(victim);
    const { session } = await app.signIn(email, victim);
    expect(session.session_id).not.toBe(mallory.session.session_id);
    for (const [i, value] of valuesOf(victim).entries()) expect([value, value === planted[i]]).toEqual([expect.any(String), false]);
    expect((await victim.get<Session>('/auth/session')).data.profile.email).toBe(email);
    // The planted cookies are still a session of the attacker who planted them.
    expect((await mallory.browser.get<Session>('/auth/session')).data.session_id).toBe(mallory.session.session_id);
  });

  it('sets three cookies on HTTP and HTTPS, of which scripts can read the CSRF token only', async () => {
    const email = await app.account();
    const https = await startForTest(gateway, { ...app.env, PUBLIC_URL: 'https://tandem.example' });
    const secure = new Browser(https.url, 'tandem.example', { 'x-forwarded-for': anIpAddress() });
    const lines = async (browser: Browser, prefix: string) => {
      const found = (await signIn(browser, email)).headers.getSetCookie();
      return Object.fromEntries(found.map((line) => [line.split('=')[0]!.replace(prefix, ''), line]));
    };
    const [plain, safe] = [await lines(app.browser(), 'tandem_'), await lines(secure, '__Host-tandem_')];
    for (const each of [plain, safe]) {
      expect(Object.keys(each).sort()).toEqual(['csrf', 'refresh', 'session']);
      expect(Object.values(each).map((line) => /SameSite=Lax/.test(line) && !/Domain=/i.test(line))).toEqual([true, true, true]);
      expect([each['session'], each['refresh'], each['csrf']].map((line) => /HttpOnly/.test(line!))).toEqual([true, true, false]);
    }
    expect(Object.values(plain).map((line) => /Secure/.test(line))).toEqual([false, false, false]);
    expect(Object.values(safe).map((line) => /; Secure/.test(line) && /; Path=\/(;|$)/.test(line))).toEqual([true, true, true]);
    expect(plain['refresh']).toContain('Path=/api/v1/auth');
  });

  it('fails after a minimum time, for known and unknown addresses', async () => {
    for (const email of [await app.account(), anAddress('nobody')]) {
      const begun = performance.now();
      expect(codeOf(await signIn(app.browser(), email, 'wrong password'))).toBe('401 credentials.invalid');
      expect(performance.now() - begun).toBeGreaterThanOrEqual(249);
    }
  });

  it('with a second factor sets all cookies after the code, and none before it', async () => {
    const email = await app.account();
    const owner = await app.signIn(email);
    const code = await withAuthenticator(owner.browser);
    const browser = app.browser();
    const challenge = await browser.post<{ mfa_required: true; mfa_token: string }>('/auth/sign-in', { email, password });
    expect([challenge.status, challenge.data.mfa_required]).toEqual([200, true]);
    expect(challenge.headers.getSetCookie()).toEqual([]);
    const { mfa_token } = challenge.data;
    const wrong = await browser.post('/auth/mfa', { mfa_token, code: code(40) });
    expect([codeOf(wrong), wrong.headers.getSetCookie()]).toEqual(['401 mfa.code_invalid', []]);
    const right = await browser.post<Session>('/auth/mfa', { mfa_token, code: code(1) });
    expect([right.status, right.data.profile.email]).toEqual([200, email]);
    expect([...browser.cookies.keys()].sort()).toEqual([...names].sort());
    expect(right.text).not.toContain(browser.cookies.get('tandem_refresh')!.value);
    expect((await browser.get('/me')).status).toBe(200);
    expect(codeOf(await browser.post('/auth/mfa', { mfa_token, code: code(1) }))).toBe('410 mfa.challenge_expired');
  });
});

describe('an active session', () => {
  it('rotates once when a hundred tabs refresh at the same time, and signs none of them out', async () => {
    const { browser } = await app.signIn(await app.account());
    const tabs = Array.from({ length: 100 }, () => copyOf(browser, app.browser()));
    const before = browser.cookies.get('tandem_refresh')!.value;
    const answers = await Promise.all(tabs.map((tab) => tab.post<Session>('/auth/refresh')));
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    const rotated = tabs.map((tab) => tab.cookies.get('tandem_refresh')!.value).filter((value) => value !== before);
    expect(rotated).toHaveLength(1);
    // The tabs share one cookie jar: all of them have the new cookie now.
    browser.cookies.get('tandem_refresh')!.value = rotated[0]!;
    expect((await browser.post('/auth/refresh')).status).toBe(200);
    for (const tab of tabs) expect((await tab.get('/me')).status).toBe(200);
  });

  it('is extended with a new access token and the same refresh token', async () => {
    const { browser } = await app.signIn(await app.account());
    const [access, refresh] = valuesOf(browser);
    const answer = await browser.post<Session>('/auth/session/extend');
    expect(answer.status).toBe(200);
    expect(Date.parse(answer.data.idle_expires_at) - Date.now()).toBeGreaterThan(29 * 60_000);
    expect(answer.text).not.toMatch(/refresh_token|access_version/);
    expect(
      answer.headers
        .getSetCookie()
        .map((line) => line.split('=')[0])
        .sort(),
    ).toEqual(['tandem_csrf', 'tandem_session']);
    expect([browser.cookies.get('tandem_session')!.value === '', browser.cookies.get('tandem_refresh')!.value]).toEqual([false, refresh]);
    expect(access).toBeDefined();
    expect(codeOf(await app.browser().post('/auth/session/extend'))).toBe('401 session.required');
    expect(codeOf(await browser.post('/auth/session/extend', {}, { csrf: null }))).toBe('403 csrf.failed');
  });

  it('accepts the idle time of the user, and refuses an invalid one without signing out', async () => {
    const { browser } = await app.signIn(await app.account());
    const idle = await browser.post<Session>('/auth/refresh', { idle_seconds: 600 });
    expect(idle.status).toBe(200);
    for (const body of [{ idle_seconds: -1 }, { idle_seconds: '5' }, { idle_seconds: 1e9 }, { refresh_token: 'A'.repeat(43) }, []])
      expect([body, codeOf(await browser.post('/auth/refresh', body))]).toEqual([body, '422 request.invalid']);
    expect(codeOf(await browser.send('POST', '/auth/refresh', { raw: '{', headers: { 'content-type': 'application/json' } }))).toBe(
      '400 request.malformed',
    );
    expect((await browser.post('/auth/refresh')).status).toBe(200);
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(200);
  });

  it.each([
    ['a new password', (browser: Browser) => browser.post('/me/password', { current_password: password, new_password: `${password}!` })],
    ['signing out all other devices', (browser: Browser) => browser.send('DELETE', '/auth/sessions')],
    ['turning on two-factor sign-in', async (browser: Browser) => ({ status: 200, code: await withAuthenticator(browser) })],
  ])('survives %s: its tabs can refresh, other devices are signed out', async (what, change) => {
    const email = await app.account();
    const [{ browser }, other] = [await app.signIn(email), await app.signIn(email)];
    const tab = copyOf(browser, app.browser());
    expect((await change(browser)).status).toBe(200);
    // The tab's token has been invalidated, or will be in a moment: refreshing must work in both cases.
    expect([(await browser.post('/auth/refresh')).status, (await tab.post('/auth/refresh')).status]).toEqual([200, 200]);
    expect([(await browser.get('/me')).status, (await tab.get('/me')).status]).toEqual([200, 200]);
    const elsewhere = await other.browser.post('/auth/refresh');
    expect(elsewhere.status).toBe(what.startsWith('turning on') ? 200 : 401);
  });
});

// The last test, because it closes a service.
describe('the gateway log', () => {
  const token = 'qLr3Jm0C5mXyJ0gqVbZlqWnJ2a3h7z6m0tqk1P9dXyZ';

  it('contains routes, but never URLs with tokens', async () => {
    const written: string[] = [];
    // Replaced before the logger is created, because the logger chooses its output then.
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((data) => written.push(String(data)) > 0);
    try {
      const verbose = await app.secondGateway({ LOG_LEVEL: 'trace' });
      const browser = new Browser(verbose.url, 'localhost:3000');
      const calls = [
        () => browser.get(`/invitations/${token}`),
        () => browser.post(`/invitations/${token}/accept`),
        () => browser.post(`/invitations/${token}/decline`),
        () => browser.post('/auth/confirm-email', { token }),
        () => browser.post('/auth/password/reset', { token, password }),
        () => browser.get(`//reset-password?token=${token}`),
        () => browser.get(`/nothing/${token}`),
      ];
      for (const call of calls) expect((await call()).status).toBeGreaterThanOrEqual(400);
      await app.services.identity.close();
      expect((await browser.get(`/invitations/${token}`)).status).toBe(503);
      await verbose.close();
    } finally {
      write.mockRestore();
    }
    const log = written.join('');
    expect(log).toContain('"route":"/api/v1/invitations/:token"');
    expect(log).not.toContain(token);
  });
});
