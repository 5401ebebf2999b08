import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Branding } from '@tandem/contracts';
import { DnsServer } from '@tandem/identity/test/dns-server';
import { eventually } from '@tandem/testing';
import { anAddress, Browser } from './client';
import { anIpAddress, codeOf, password, startTestApp, type OwnerSession, type TestApp } from './test-app';

const host = 'help.example';
const singlePortal = `http://${host}`;
let app: TestApp;
let acme: OwnerSession;
let web: string;
let dns: DnsServer;
/** An account of a visitor who signed up before the organization existed. */
let early: string;
beforeAll(async () => {
  dns = await DnsServer.start();
  web = mkdtempSync(join(tmpdir(), 'tandem-web-'));
  writeFileSync(join(web, 'index.html'), '<!doctype html><html><head><title>Tandem</title></head></html>');
  app = await startTestApp({ SINGLE_ORGANIZATION: 'true', PUBLIC_URL: singlePortal, WEB_ROOT: web, DNS_SERVERS: dns.address });
});
afterAll(() => {
  dns?.close();
  rmSync(web, { recursive: true });
});

async function open(name: string, path: string) {
  const browser = new Browser(app.gateway.url, name, { 'x-forwarded-for': anIpAddress() });
  const { status, headers, text } = await browser.get(`/${path}`, { headers: { accept: '*/*' } });
  const data = /<script type="application\/json" id="site">(.*?)<\/script>/.exec(text)?.[1] ?? '{}';
  return {
    status,
    text,
    location: headers.get('location'),
    title: /<title>(.*?)<\/title>/.exec(text)?.[1],
    site: JSON.parse(data) as object,
  };
}

it('shows the landing page until the organization is created, which works once', async () => {
  expect(await open(host, '/')).toMatchObject({ status: 200, site: { kind: 'product', organization: null, singlePortal } });
  expect(await open(host, '/submit-ticket')).toMatchObject({ status: 200, site: { kind: 'product', organization: null } });
  early = await app.account();
  acme = await app.signUpOwner('Acme Tools');
  expect(acme.organization.name).toBe('Acme Tools');
  const { browser } = await app.signIn(early);
  expect(codeOf(await browser.post('/organizations', { name: 'A second one' }))).toBe('403 sign_up.closed');
});

it('requires an invitation for new accounts, once the organization exists', async () => {
  const signUp = { email: anAddress(), password, first_name: 'Eve' };
  expect(codeOf(await app.browser().post('/auth/sign-up', signUp))).toBe('403 sign_up.invitation_required');
  expect((await app.browser().get('/public/installation')).data).toMatchObject({ sign_up: 'invite' });
});

it('serves the portal with its home on the product’s host, next to the staff app', async () => {
  await eventually(async () => expect((await open(host, '/')).title).toBe('Help center · Acme Tools'));
  const page = await open(host, '/submit-ticket');
  expect(page).toMatchObject({ status: 200, title: 'Submit a ticket · Acme Tools', site: { kind: 'portal', portal: null, singlePortal } });
  expect(page.text).toContain(`<link rel="canonical" href="${singlePortal}/submit-ticket" />`);
  // Without the organization: pages of the staff app do not wait for identity.
  expect((await open(host, '/auth')).site).toEqual({ kind: 'product', portal: singlePortal, singlePortal });
});

it.each(['203.0.113.7', 'localhost:3000'])('redirects portal pages of %s to the product’s host', async (other) =>
  expect(await open(other, '/submit-ticket?a=b')).toMatchObject({ status: 302, location: `${singlePortal}/submit-ticket?a=b` }),
);

it('accepts a ticket of a customer on the product’s host', async () => {
  const ticket = { subject: 'A broken drill', customer_email: anAddress('customer') };
  const answer = await app.browser().post('/public/tickets', ticket);
  expect(answer.status).toBe(201);
  await eventually(async () => expect((await acme.browser.get('/tickets')).text).toContain('A broken drill'));
});

it('redirects to the verified domain of the organization', async () => {
  const domain = 'help.acme-tools.example';
  const { custom_domain_record: record } = (await acme.browser.send<Branding>('PUT', '/branding', { body: { custom_domain: domain } }))
    .data;
  dns.records.set(record!.name, [[record!.value]]);
  expect((await acme.browser.post('/branding/custom-domain/verify', {})).status).toBe(200);
  for (const path of ['/', '/submit-ticket'])
    await eventually(async () => expect(await open(host, path)).toMatchObject({ status: 302, location: `http://${domain}${path}` }));
  expect((await open(domain, '/submit-ticket')).text).toContain(`<link rel="canonical" href="http://${domain}/submit-ticket" />`);
  expect((await open(domain, '/dashboard')).location).toBe(`${singlePortal}/dashboard`);
});
