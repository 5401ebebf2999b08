import type { ConfirmedEmail, Session } from '@tandem/contracts';
import { eventually, mailbox } from '@tandem/testing';
import { anAddress, type Browser } from './client';
import { codeOf, password, startTestApp, type TestApp } from './test-app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '10000' });
});

const newPassword = 'battery staple 9 horse';
const signIn = (email: string, secret: string) => app.browser().post<Session>('/auth/sign-in', { email, password: secret });
const linkOf = async (to: string, subject: string) =>
  new URL((await mailbox.waitFor({ to, subject })).links.find((link) => link.includes('token='))!);

describe('confirming an address', () => {
  /** Signs up in a new browser; returns it with the token of the emailed link. */
  const signedUp = async () => {
    const [browser, email] = [app.browser(), anAddress()];
    expect((await browser.post('/auth/sign-up', { email, password })).status).toBe(202);
    const [mail] = await eventually(async () => {
      const mails = await mailbox.find({ to: email });
      expect(mails).toHaveLength(1);
      return mails;
    });
    const token = new URL(mail!.links.find((link) => link.includes('token='))!).searchParams.get('token');
    return { browser, email, token };
  };
  const confirm = (browser: Browser, token: string | null) => browser.post<ConfirmedEmail>('/auth/confirm-email', { token });

  it('signs in the browser that signed up, and removes its HttpOnly cookie', async () => {
    const { browser, email, token } = await signedUp();
    expect(browser.cookies.get('tandem_signup')?.attributes).toMatch(/HttpOnly/i);
    expect(browser.cookies.get('tandem_signup')?.attributes).toMatch(/SameSite=Lax/i);
    const answer = await confirm(browser, token);
    expect([answer.status, answer.data.email, answer.data.session?.profile.email]).toEqual([200, email, email]);
    expect(answer.text).not.toContain('refresh_token');
    expect((await browser.get<Session>('/auth/session')).data.profile.email).toBe(email);
    expect(browser.cookies.has('tandem_signup')).toBe(false);
    expect((await browser.post('/auth/refresh')).status).toBe(200);
  });

  it('does not sign in another browser, nor any browser when the link is used again', async () => {
    const { browser, email, token } = await signedUp();
    const elsewhere = app.browser();
    expect((await confirm(elsewhere, token)).data).toEqual({ email, session: null });
    expect([...elsewhere.cookies.keys()]).toEqual([]);
    expect(codeOf(await confirm(browser, token))).toBe('410 confirmation.invalid');
    expect(codeOf(await browser.get('/auth/session'))).toBe('401 session.required');
  });

  it('does not replace the session of a browser that is signed in to another account', async () => {
    const { browser, token } = await signedUp();
    const other = await app.account();
    await app.signIn(other, browser);
    expect((await confirm(browser, token)).data.session).toBeNull();
    expect((await browser.get<Session>('/auth/session')).data.profile.email).toBe(other);
  });

  it('sets the same cookie if the address already has an account', async () => {
    const browser = app.browser();
    await browser.post('/auth/sign-up', { email: await app.account(), password });
    expect(browser.cookies.has('tandem_signup')).toBe(true);
  });

  it('is refused for a page of another site, so that it cannot sign visitors in to another account', async () => {
    const { browser, token } = await signedUp();
    const forged = await browser.post('/auth/confirm-email', { token }, { headers: { origin: 'https://evil.example' } });
    expect(codeOf(forged)).toBe('403 csrf.failed');
  });
});

describe('a forgotten password', () => {
  it('is replaced through the emailed link on our own host, which ends all sessions and sends an email', async () => {
    const email = await app.account();
    const { browser: laptop } = await app.signIn(email);
    const stranger = app.browser('evil.example');
    expect((await stranger.post('/auth/password/forgot', { email }, { headers: { host: 'evil.example' } })).status).toBe(202);
    const link = await linkOf(email, 'Set a new password');
    expect(`${link.origin}${link.pathname}`).toBe(`${new URL(app.env['PUBLIC_URL']!).origin}/auth/reset-password`);
    const token = link.searchParams.get('token');
    const phone = app.browser();
    expect((await phone.post('/auth/password/reset', { token, password: newPassword })).data).toEqual({ email });
    await eventually(async () => expect((await laptop.get('/auth/session')).status).toBe(401));
    expect(codeOf(await laptop.post('/auth/refresh'))).toBe('401 session.expired');
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(email, newPassword)).status).toBe(200);
    expect(codeOf(await phone.post('/auth/password/reset', { token, password }))).toBe('410 reset.invalid');
    await mailbox.waitFor({ to: email, subject: 'Your password was changed' });
  });
});

describe('the account of a user', () => {
  it('changes its password: other devices are signed out, the current one stays signed in', async () => {
    const email = await app.account();
    const [{ browser: here }, { browser: elsewhere }] = [await app.signIn(email), await app.signIn(email)];
    const wrong = await here.post('/me/password', { current_password: 'wrong password', new_password: newPassword });
    expect(codeOf(wrong)).toBe('403 password.wrong');
    expect((await here.post('/me/password', { current_password: password, new_password: newPassword })).status).toBe(200);
    await eventually(async () => expect((await elsewhere.get('/auth/session')).status).toBe(401));
    expect((await elsewhere.post('/auth/refresh')).status).toBe(401);
    expect((await here.post('/auth/refresh')).status).toBe(200);
    expect((await here.get<Session>('/auth/session')).data.profile.email).toBe(email);
    await mailbox.waitFor({ to: email, subject: 'Your password was changed' });
  });

  it('is blocked after five wrong passwords, with Retry-After', async () => {
    const { browser } = await app.signIn(await app.account());
    const attempt = () => browser.post('/me/password', { current_password: 'wrong password', new_password: newPassword });
    for (let round = 0; round < 5; round++) expect(codeOf(await attempt())).toBe('403 password.wrong');
    const refused = await attempt();
    expect(codeOf(refused)).toBe('429 login.blocked');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_700);
  });

  it('changes its address through the link sent to the new one, and notifies the old one', async () => {
    const { browser, email } = await app.signUpOwner();
    const next = anAddress();
    expect((await browser.post('/me/email', { email: next, current_password: password })).status).toBe(202);
    const link = await linkOf(next, 'Confirm your new email address');
    const token = link.searchParams.get('token');
    expect((await app.browser().post('/auth/confirm-email-change', { token })).data).toEqual({ email: next });
    expect((await browser.get<Session>('/auth/session')).data.profile.email).toBe(next);
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(next, password)).status).toBe(200);
    await mailbox.waitFor({ to: email, subject: 'Your email address was changed' });
  });
});
