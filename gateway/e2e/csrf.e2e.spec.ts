import { randomUUID } from 'node:crypto';
import { refreshSession, uploadFile, uploadImportFile } from '@tandem/contracts';
import { documentedOperations } from '../src/openapi/documented-operations';
import { usesSession } from '../src/routes/for-operation';
import { anAddress, type Browser } from './client';
import { codeOf, password, startTestApp, type TestApp } from './test-app';

describe('a page of another site', () => {
  let app: TestApp;
  let browser: Browser;
  let organization_id: string;
  beforeAll(async () => {
    app = await startTestApp();
    const owner = await app.signUpOwner();
    browser = owner.browser;
    organization_id = owner.organization.id;
  });
  const ticket = () => ({ subject: 'x', customer_email: anAddress() });

  it.each([
    ['nothing', null],
    ['an empty token', ''],
    ['a made-up token', 'A'.repeat(43)],
  ])('cannot write with the session’s cookies and %s', async (_what, csrf) => {
    expect(codeOf(await browser.post('/tickets', ticket(), { csrf }))).toBe('403 csrf.failed');
  });

  it('cannot write with the token of another session, even if it plants that token as a cookie', async () => {
    const other = (await app.signUpOwner()).browser;
    const planted = `tandem_session=${browser.cookies.get('tandem_session')!.value}; tandem_csrf=${other.csrfToken!}`;
    expect(codeOf(await app.browser().post('/tickets', ticket(), { csrf: other.csrfToken!, headers: { cookie: planted } }))).toBe(
      '403 csrf.failed',
    );
  });

  it('cannot refresh or end a session', async () => {
    expect(codeOf(await browser.post('/auth/refresh', {}, { csrf: null }))).toBe('403 csrf.failed');
    expect(codeOf(await browser.post('/auth/sign-out', {}, { csrf: null }))).toBe('403 csrf.failed');
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  it.each([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['Origin of another host', { origin: 'https://evil.example' }],
    ['Origin: null', { origin: 'null' }],
  ])('cannot sign in, sign up or submit a ticket: %s', async (_what, headers) => {
    const visitor = app.browser();
    for (const [path, body] of [
      ['/auth/sign-in', { email: anAddress(), password }],
      ['/auth/sign-up', { email: anAddress(), password }],
      ['/public/tickets', ticket()],
    ] as const) {
      expect(codeOf(await visitor.post(path, body, { headers }))).toBe('403 csrf.failed');
    }
  });

  // Uploads are excluded: the signed URL is the only permission, cookies are ignored, and other sites cannot know the URL.
  const unsafe = documentedOperations.filter(
    (op) => op.method !== 'GET' && op.allow !== 'gateway' && op !== uploadFile && op !== uploadImportFile,
  );
  const address = (path: string) => path.replace(/:\w+/g, () => randomUUID());

  it.each(unsafe.filter((op) => usesSession(op) || op.name === refreshSession.name).map((op) => [`${op.method} ${op.path}`, op] as const))(
    'cannot call %s with the session’s cookies',
    async (_route, op) => {
      const victim = app.as('admin', organization_id);
      victim.cookies.set('tandem_refresh', { value: 'A'.repeat(43), path: '/api/v1/auth', attributes: '' });
      for (const csrf of [null, 'A'.repeat(43)]) {
        expect(codeOf(await victim.send(op.method, address(op.path), { body: {}, csrf }))).toBe('403 csrf.failed');
      }
    },
  );

  it.each(unsafe.map((op) => [`${op.method} ${op.path}`, op] as const))('cannot call %s from another site', async (_route, op) => {
    const victim = app.as('admin', organization_id);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<string, string>[]) {
      expect(codeOf(await victim.send(op.method, address(op.path), { body: {}, headers }))).toBe('403 csrf.failed');
    }
  });

  it('is distinguished from our own pages on the product host and on a portal', async () => {
    const own = { origin: `http://${browser.host}`, 'sec-fetch-site': 'same-origin' };
    expect((await browser.post('/tickets', ticket(), { headers: own })).status).toBe(201);
    const owner = await app.signUpOwner();
    const portal = app.browser(owner.portalHost);
    expect((await portal.post('/public/tickets', ticket(), { headers: { origin: `http://${owner.portalHost}` } })).status).toBe(201);
  });

  it('cannot send a form, because only JSON is accepted', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp']) {
      const answer = await app
        .browser()
        .send('POST', '/auth/sign-in', { raw: JSON.stringify({ email: anAddress(), password }), headers: { 'content-type': type } });
      expect([type, codeOf(answer)]).toEqual([type, '415 request.unsupported_media_type']);
    }
  });
});
