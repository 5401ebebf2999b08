import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicTicket } from '@tandem/contracts';
import { eventually, startForTest } from '@tandem/testing';
import { gateway } from '../src/gateway.module';
import { anAddress, Browser } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

const framePage = '<!doctype html><title>Support</title>';

describe('the widget', () => {
  let app: TestApp;
  let ada: OwnerSession;
  let bob: OwnerSession;
  let web: string;
  beforeAll(async () => {
    web = mkdtempSync(join(tmpdir(), 'tandem-widget-'));
    mkdirSync(join(web, 'widget/v1'), { recursive: true });
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>Tandem</title>');
    writeFileSync(join(web, 'widget-frame.html'), framePage);
    writeFileSync(join(web, 'widget/v1/widget.js'), 'void 0;');
    app = await startTestApp({ WEB_ROOT: web });
    [ada, bob] = await Promise.all([app.signUpOwner('Ada Engines'), app.signUpOwner('Bob Bakery')]);
  });
  afterAll(() => rmSync(web, { recursive: true }));

  const visitor = (address = anIpAddress()) => app.browser(undefined, address);
  const config = (key: string, browser = visitor()) =>
    browser.get<{ name: string }>(`/widget/v1/config?organization=${encodeURIComponent(key)}`);
  const submit = (browser: Browser, key = ada.organization.subdomain!, email = anAddress()) =>
    browser.post<PublicTicket>(`/widget/v1/tickets?organization=${key}`, { subject: 'From the site', customer_email: email });
  const allow = (allowed_sites: string[], owner = ada) =>
    owner.browser.send('PUT', '/widget-settings', { body: { allowed_sites, identity_required: false } });

  describe('finds its organization', () => {
    it('by subdomain or ID, ignoring case, on any of our hosts', async () => {
      const { subdomain, id } = ada.organization;
      const names = await Promise.all(
        [subdomain!, subdomain!.toUpperCase(), id, id.toUpperCase()].map(async (key) => (await config(key)).data.name),
      );
      expect(names).toEqual(Array(4).fill('Ada Engines'));
      expect((await config(subdomain!, app.browser(bob.portalHost))).data.name).toBe('Ada Engines');
    });

    it('but not with an unknown key or without one', async () => {
      for (const key of ['nobody-has-this', crypto.randomUUID(), "x'--", '__proto__', '..%2f', 'x'.repeat(90)])
        expect([key, codeOf(await config(key))]).toEqual([key, '404 organization.not_found']);
      const none = await visitor().get('/widget/v1/config');
      expect([codeOf(none), none.body.errors?.[0]?.path]).toEqual(['422 request.invalid', 'organization']);
      expect(codeOf(await visitor().get('/widget/v1/config?organization=a&organization=b'))).toBe('422 request.invalid');
    });

    it('by the new subdomain after a change, and no longer by the old one', async () => {
      const carl = await app.signUpOwner();
      const before = carl.organization.subdomain!;
      expect((await config(before)).status).toBe(200);
      const after = `new-${before}`.slice(0, 30);
      expect((await carl.browser.patch(`/organizations/${carl.organization.id}`, { subdomain: after })).status).toBe(200);
      await eventually(async () => expect(codeOf(await config(before))).toBe('404 organization.not_found'));
      expect((await config(after)).status).toBe(200);
    });
  });

  it('creates a ticket, reads it and comments on it, ignoring sessions', async () => {
    const email = anAddress('visitor');
    const taken = await submit(bob.browser, ada.organization.subdomain!, email);
    expect([taken.status, taken.data.subject]).toEqual([201, 'From the site']);
    const key = `organization=${ada.organization.subdomain!}`;
    const path = `/widget/v1/tickets/${taken.data.id}`;
    expect((await visitor().get<PublicTicket>(`${path}?${key}&email=${encodeURIComponent(email)}`)).data.id).toBe(taken.data.id);
    expect((await visitor().post(`${path}/comments?${key}`, { email, content: 'More' })).status).toBe(201);
    const seen = (other: string, address: string) => visitor().get(`${path}?organization=${other}&email=${encodeURIComponent(address)}`);
    for (const answer of [await seen(bob.organization.subdomain!, email), await seen(ada.organization.subdomain!, anAddress())])
      expect(codeOf(answer)).toBe('404 ticket.not_found');
  });

  it('refuses requests that the page of another site sends itself', async () => {
    const send = (headers: Record<string, string>) =>
      visitor().post(
        `/widget/v1/tickets?organization=${ada.organization.subdomain!}`,
        { subject: 'x', customer_email: anAddress() },
        { headers },
      );
    expect(codeOf(await send({ origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }))).toBe('403 csrf.failed');
    expect((await send({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' })).status).toBe(201);
  });

  describe('the limits', () => {
    it('allow a hundred calls per organization and minute over all clients and gateways', async () => {
      const [dora, second] = await Promise.all([app.signUpOwner(), app.secondGateway()]);
      const { subdomain, id } = dora.organization;
      const elsewhere = () => new Browser(second.url, visitor().host, { 'x-forwarded-for': anIpAddress() });
      const answers = [];
      for (let i = 0; i < 100; i++) answers.push(await config(i % 2 ? subdomain! : id, i % 3 ? visitor() : elsewhere()));
      expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
      expect(answers.at(-1)!.headers.get('x-ratelimit-remaining')).toBe('0');
      const refused = await config(id, elsewhere());
      expect([codeOf(refused), Number(refused.headers.get('retry-after')) > 0]).toEqual(['429 limit.exceeded', true]);
      expect((await config(ada.organization.id)).status).toBe(200);
    });

    it('allow one client half of that, counting guesses of keys as well', async () => {
      const guesser = visitor();
      const answers = [];
      for (let i = 0; i < 50; i++) answers.push(codeOf(await config(`guess-${i}`, guesser)));
      expect(answers).toEqual(Array(50).fill('404 organization.not_found'));
      expect(codeOf(await config(ada.organization.id, guesser))).toBe('429 limit.exceeded');
    });

    it('count tickets from portal and widget together, and one /64 as one client', async () => {
      const network = `2001:db8:${crypto.randomUUID().slice(0, 4)}:3`;
      const at = (i: number, host?: string) => app.browser(host, `${network}::${i + 1}`);
      const answers = [];
      for (let i = 0; i < 11; i++)
        answers.push(
          i % 2
            ? await submit(at(i), bob.organization.subdomain!)
            : await at(i, bob.portalHost).post('/public/tickets', { subject: 'x', customer_email: anAddress() }),
        );
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(201), 429]);
    });

    it('limit the emails to one mailbox through both, with any +tag', async () => {
      const eve = await app.signUpOwner();
      const [local, domain] = anAddress('victim').split('@') as [string, string];
      const answers = [];
      for (let i = 0; i < 21; i++) {
        const customer_email = `${local}+${i}@${domain}`;
        answers.push(
          i % 2
            ? await submit(visitor(), eve.organization.id, customer_email)
            : await app.browser(eve.portalHost).post('/public/tickets', { subject: 'x', customer_email }),
        );
      }
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(201), 429]);
    });
  });

  describe('the frame', () => {
    const frame = (key: string, browser = visitor()) =>
      browser.get(`//widget/frame?organization=${key}`, { headers: { accept: 'text/html' } });
    const ancestors = (headers: Headers) => /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1];

    it('can be embedded by any site until sites are configured, then only by those', async () => {
      const key = ada.organization.subdomain!;
      const { status, text, headers } = await frame(key);
      expect([status, text, ancestors(headers)]).toEqual([200, framePage, '*']);
      const sites = ['https://www.example.com', 'https://*.example.org'];
      expect((await allow(sites)).status).toBe(200);
      await eventually(async () => expect(ancestors((await frame(key)).headers)).toBe(`'self' ${sites.join(' ')}`));
      expect(ancestors((await frame(bob.organization.subdomain!)).headers)).toBe('*');
    });

    it('has the usual security policy otherwise, without headers that prevent embedding', async () => {
      const https = await startForTest(gateway, { ...app.env, PUBLIC_URL: 'https://tandem.example' });
      for (const browser of [visitor(), new Browser(https.url, 'tandem.example', { 'x-forwarded-for': anIpAddress() })]) {
        const { headers } = await frame(bob.organization.id, browser);
        const page = await browser.get('//', { headers: { accept: 'text/html' } });
        const rest = (csp: string | null) => csp?.replace(/frame-ancestors [^;]+/, '');
        expect(rest(headers.get('content-security-policy'))).toBe(rest(page.headers.get('content-security-policy')));
        for (const name of ['x-frame-options', 'cross-origin-opener-policy']) expect([name, headers.get(name)]).toEqual([name, null]);
        expect(headers.get('referrer-policy')).toBe('same-origin');
        expect(headers.get('permissions-policy')).toContain('camera=()');
        expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-cache', 'nosniff']);
        expect([ancestors(page.headers), page.headers.get('x-frame-options')]).toEqual(["'none'", 'DENY']);
      }
    });

    it('shows an error if the widget is not set up', async () => {
      for (const query of ['?organization=nobody-has-this', '', '?organization=a&organization=b', '?organization=%22%3E%3Cscript%3E']) {
        const answer = await visitor().get(`//widget/frame${query}`);
        expect([query, answer.status, answer.headers.get('content-type')]).toEqual([query, 404, 'text/html; charset=utf-8']);
        expect(answer.text).toContain('This widget is not set up.');
        expect(answer.text).not.toContain('<script');
      }
    });

    it('is loaded by a script that any site may embed and cache for an hour', async () => {
      const { status, headers } = await visitor().get('//widget/v1/widget.js');
      expect([status, headers.get('cache-control'), headers.get('cross-origin-resource-policy')]).toEqual([
        200,
        'public, max-age=3600',
        'cross-origin',
      ]);
      expect(headers.get('content-type')).toMatch(/javascript/);
      expect((await visitor().get('//widget-frame.html', { headers: { accept: 'text/html' } })).headers.get('x-frame-options')).toBe(
        'DENY',
      );
    });
  });
});
