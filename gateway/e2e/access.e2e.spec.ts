import { randomUUID } from 'node:crypto';
import type { AppError, MfaState, Session } from '@tandem/contracts';
import { signContext, type RunningService } from '@tandem/platform';
import { startFlakyProxy, eventually } from '@tandem/testing';
import { AccessTokens } from '../src/auth/access-token';
import { Browser, EventReader } from './client';
import { anIpAddress, codeOf, password, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { colleague, copyOf, invite, withAuthenticator } from './team';

describe('access of a user', () => {
  let app: TestApp;
  let ada: OwnerSession;
  let second: RunningService;
  beforeAll(async () => {
    app = await startTestApp();
    ada = await app.signUpOwner();
    second = await app.secondGateway();
  });
  /** The same browser, connected to another replica. */
  const at = (gateway: RunningService, browser: Browser) =>
    copyOf(browser, new Browser(gateway.url, browser.host, { 'x-forwarded-for': anIpAddress() }));
  const patch = async (user_id: string, body: object) => {
    const answer = await ada.browser.patch(`/team/members/${user_id}`, body);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  };
  const over = (browser: Browser) => eventually(async () => expect(codeOf(await browser.get('/tickets'))).toBe('401 session.expired'));

  it('is revoked on every replica soon after the user is deactivated, including event streams and refreshing', async () => {
    const { browser, user_id } = await colleague(app, ada, 'agent');
    const elsewhere = at(second, browser);
    expect([(await browser.get('/tickets')).status, (await elsewhere.get('/tickets')).status]).toEqual([200, 200]);
    const streams = await Promise.all([EventReader.open(browser), EventReader.open(elsewhere)]);
    await eventually(() => expect(streams.every(({ raw }) => raw.length > 0)).toBe(true));
    const others = await EventReader.open(at(second, ada.browser));

    await patch(user_id, { is_active: false });
    await Promise.all([over(browser), over(elsewhere)]);
    await eventually(() => expect(streams.map(({ ended }) => ended)).toEqual([true, true]));
    // The last event gives the reason: the browser refreshes its session immediately.
    for (const { raw } of streams) expect(raw.at(-1)).toContain('event: access');
    expect(others.ended).toBe(false);
    others.close();
    const late = await app.secondGateway();
    expect(codeOf(await at(late, browser).get('/tickets'))).toBe('401 session.expired');
    expect(codeOf(await at(late, browser).get('/events'))).toBe('401 session.expired');
    expect(codeOf(await elsewhere.post('/auth/refresh'))).toBe('401 session.expired');
    expect([...elsewhere.cookies.keys()]).toEqual([]);
    expect((await ada.browser.get('/tickets')).status).toBe(200);
  });

  describe('is revoked before the response to the change', () => {
    const refused = (answers: { status: number; body: { code?: AppError['code'] } }[]) => expect(new Set(answers.map(codeOf)));
    /** Concurrent reads, so that some of them reach the gateway before NATS could have. */
    const reads = (browser: Browser) => Promise.all(Array.from({ length: 10 }, () => browser.get('/tickets')));

    it.each([
      ['a demotion', { role: 'agent' }],
      ['a deactivation', { is_active: false }],
    ])('by %s: the same gateway rejects every request with the old token', async (_what, change) => {
      for (let round = 0; round < 5; round++) {
        const { browser, user_id } = await colleague(app, ada, 'manager');
        const elsewhere = at(second, browser);
        await patch(user_id, change);
        refused(await reads(browser)).toEqual(new Set(['401 session.expired']));
        await over(elsewhere);
      }
    });

    it('by a new password and by signing out all other devices', async () => {
      const email = await app.account();
      const [{ browser: here }, { browser: there }] = [await app.signIn(email), await app.signIn(email)];
      expect((await here.send('DELETE', '/auth/sessions')).status).toBe(200);
      refused(await Promise.all(Array.from({ length: 10 }, () => there.get('/me')))).toEqual(new Set(['401 session.expired']));
      // The current session stays active with a renewed token.
      expect((await here.post('/auth/refresh')).status).toBe(200);
      const { browser: other } = await app.signIn(email);
      expect((await here.post('/me/password', { current_password: password, new_password: `${password} 2` })).status).toBe(200);
      refused(await Promise.all(Array.from({ length: 10 }, () => other.get('/me')))).toEqual(new Set(['401 session.expired']));
    });

    it('even if that gateway cannot reach NATS', async () => {
      const proxy = await startFlakyProxy(app.env['NATS_URL']!);
      const cut = await app.secondGateway({ NATS_URL: proxy.url });
      const { browser, user_id } = await colleague(app, ada, 'manager');
      proxy.cut();
      expect((await at(cut, ada.browser).patch(`/team/members/${user_id}`, { role: 'agent' })).status).toBe(200);
      refused(await reads(at(cut, browser))).toEqual(new Set(['401 session.expired']));
      proxy.restore();
      await cut.close();
      await proxy.close();
    });

    it('but not if the change is refused', async () => {
      const { browser } = await colleague(app, ada, 'manager');
      const { data: members } = await ada.browser.get<{ user_id: string; role: string }[]>('/team/members');
      const admin = members.find(({ role }) => role === 'admin')!;
      expect(codeOf(await ada.browser.patch(`/team/members/${admin.user_id}`, { role: 'agent' }))).toBe('409 member.last_admin');
      expect((await ada.browser.get('/tickets')).status).toBe(200);
      expect((await browser.get('/tickets')).status).toBe(200);
    });
  });

  it('allows sign-out with a superseded token', async () => {
    const { browser, user_id } = await colleague(app, ada, 'agent');
    await patch(user_id, { role: 'manager' });
    await over(browser);
    expect((await browser.post('/auth/sign-out')).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('follows a role change: both tabs of a browser refresh and get the new role', async () => {
    const { browser, user_id } = await colleague(app, ada, 'agent');
    const tab = copyOf(browser, app.browser());
    expect(codeOf(await browser.get('/audit-log'))).toBe('403 permission.denied');
    await patch(user_id, { role: 'admin' });
    await over(browser);
    const [one, other] = [await browser.post<Session>('/auth/refresh'), await tab.post<Session>('/auth/refresh')];
    expect([one.status, one.data.profile.role, other.status, other.data.profile.role]).toEqual([200, 'admin', 200, 'admin']);
    for (const each of [browser, tab]) expect((await each.get('/audit-log')).status).toBe(200);
    await patch(user_id, { role: 'agent' });
    await over(browser);
    await over(tab);
  });

  it('is revoked on a replica that was disconnected from NATS once it reconnects', async () => {
    const proxy = await startFlakyProxy(app.env['NATS_URL']!);
    const disconnected = await app.secondGateway({ NATS_URL: proxy.url });
    const { browser, user_id } = await colleague(app, ada, 'agent');
    const there = at(disconnected, browser);
    expect((await there.get('/tickets')).status).toBe(200);
    proxy.cut();
    await patch(user_id, { role: 'manager' });
    await over(browser);
    expect((await there.get('/tickets')).status).toBe(200);
    proxy.restore();
    await eventually(async () => expect(codeOf(await there.get('/tickets'))).toBe('401 session.expired'));
    await disconnected.close();
    await proxy.close();
  });

  it('is granted by the token alone on a gateway that starts without NATS', async () => {
    // Waits for NATS for three seconds; without that limit it would never start.
    const alone = await app.secondGateway({ NATS_URL: 'nats://127.0.0.1:1' });
    expect((await at(alone, ada.browser).get('/tickets')).status).toBe(200);
    expect((await fetch(`${alone.url}/health/ready`)).status).toBe(200);
  });

  it('is granted by accepting an invitation, without another sign-in', async () => {
    const email = await app.account();
    const token = await invite(app, ada, 'manager', email);
    const { browser } = await app.signIn(email);
    expect(codeOf(await browser.get('/tickets'))).toBe('403 organization.required');
    expect((await browser.post(`/invitations/${token}/accept`)).status).toBe(200);
    expect((await browser.get('/tickets')).status).toBe(200);
    expect((await browser.get<Session>('/auth/session')).data.profile).toMatchObject({
      organization_id: ada.organization.id,
      role: 'manager',
    });
    expect((await browser.post('/auth/refresh')).status).toBe(200);
  });

  it('is not granted by an invalid invitation', async () => {
    const { browser } = await app.signIn(await app.account());
    const before = browser.cookies.get('tandem_session')!.value;
    expect(codeOf(await browser.post(`/invitations/${'A'.repeat(43)}/accept`))).toBe('404 invitation.not_found');
    expect(browser.cookies.get('tandem_session')!.value).toBe(before);
  });

  describe('without the second factor that the organization requires', () => {
    it('covers only the user’s own account until a second factor is set up', async () => {
      const owner = await app.signUpOwner();
      await withAuthenticator(owner.browser);
      await eventually(async () => expect((await owner.browser.post('/auth/refresh')).status).toBe(200));
      const { browser } = await colleague(app, owner, 'admin');
      expect((await browser.get('/tickets')).status).toBe(200);
      const path = `/organizations/${owner.organization.id}`;
      expect((await owner.browser.patch(path, { require_mfa_for_admins: true })).status).toBe(200);
      await over(browser);
      const refreshed = await browser.post<Session>('/auth/refresh');
      expect([refreshed.status, refreshed.data.mfa_enrolment_required]).toEqual([200, true]);
      for (const refused of ['/tickets', '/team/members', path, '/audit-log', '/events'])
        expect([refused, codeOf(await browser.get(refused))]).toEqual([refused, '403 mfa.enrolment_required']);
      expect((await browser.get('/me')).status).toBe(200);
      expect((await browser.get<MfaState>('/me/mfa')).data).toMatchObject({ enabled: false, required: true });

      await withAuthenticator(browser);
      await eventually(async () => expect(codeOf(await browser.get('/me'))).toBe('401 session.expired'));
      expect((await browser.post<Session>('/auth/refresh')).data.mfa_enrolment_required).toBe(false);
      expect((await browser.get('/tickets')).status).toBe(200);
      // A member who joins as an admin afterwards needs it from the start.
      const late = await colleague(app, owner, 'admin');
      expect(codeOf(await late.browser.get('/tickets'))).toBe('403 mfa.enrolment_required');
    });

    it('is refused by the services too, because the signed context has no role', async () => {
      const { SESSION_SECRET, CONTEXT_SECRET } = app.env as Record<string, string>;
      const browser = app.as('admin', ada.organization.id);
      const cookie = browser.cookies.get('tandem_session')!;
      const tokens = new AccessTokens({ SESSION_SECRET: [SESSION_SECRET!] });
      const claims = tokens.verifyEvenIfExpired(cookie.value)!;
      cookie.value = tokens.sign({ ...claims, enrol: true });
      expect(codeOf(await browser.get('/tickets'))).toBe('403 mfa.enrolment_required');
      const actor = { type: 'user', user_id: claims.sub, role: null, session_id: claims.sid } as const;
      const context = signContext({ organization_id: ada.organization.id, actor, request_id: randomUUID() }, CONTEXT_SECRET!);
      const answer = await fetch(`${app.services.tickets.url}/tickets`, { headers: { 'x-tandem-context': context } });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'permission.denied']);
    });
  });
});
