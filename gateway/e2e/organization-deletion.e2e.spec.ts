import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceNames, type Attachment, type Organization, type Session, type Ticket } from '@tandem/contracts';
import type { ClickUpSandbox } from '@tandem/sandbox';
import { eventually, mailbox, type Mail } from '@tandem/testing';
import { Redis } from 'ioredis';
import { apiClient, issueToken } from './api-client';
import { anAddress, type Browser } from './client';
import { asSuperuser, finishDeletion, rowsWith } from './deleted-data';
import { colleague, invite, type Colleague } from './team';
import { codeOf, password, type OwnerSession, type TestApp } from './test-app';
import { connectClickUp, integrate, startTestAppWithClickUp } from './test-app-with-clickup';

/** In every text of the deleted organization. */
const canary = `canary${randomBytes(6).toString('hex')}`;
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

let app: TestApp;
let clickup: ClickUpSandbox;
let ada: OwnerSession;
let bob: OwnerSession;
let agent: Colleague;
let program: Browser;
beforeAll(async () => {
  ({ app, clickup } = await startTestAppWithClickUp({ SWEEP_MS: '300', RATE_LIMIT_API_PER_MINUTE: '1000' }));
  [ada, bob] = await Promise.all([app.signUpOwner(`${canary} Inc`), app.signUpOwner()]);
  agent = await colleague(app, ada, 'agent');
  program = apiClient(app.gateway, (await issueToken(ada)).value);
});

const succeed = async <T>(answer: Promise<{ status: number; text: string; data: T }>): Promise<T> => {
  const { status, text, data } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return data;
};

async function aFile(browser: Browser, name: string): Promise<Attachment> {
  const { upload_url } = await succeed(
    browser.post<{ upload_url: string }>('/attachments', { file_name: `${name}.png`, size: png.length }),
  );
  return succeed(app.browser().send<Attachment>('PUT', `/${upload_url}`, { raw: png, headers: { 'content-type': 'image/png' } }));
}

/** Uses as much of the product as possible, so that rows are in most tables. */
async function use({ browser, organization, email }: OwnerSession, name: string): Promise<void> {
  const file = await aFile(browser, name);
  const ticket = await app.ticket(browser, { subject: name, customer_email: `${name}@example.com`, tags: [name] });
  await succeed(browser.post(`/tickets/${ticket.id}/comments`, { content: name, attachment_ids: [file.id] }));
  await succeed(browser.post(`/tickets/${ticket.id}/comments`, { content: name, is_internal: true }));
  await succeed(browser.send('PUT', `/tickets/${ticket.id}/draft`, { body: { content: name } }));
  await succeed(browser.post('/views', { name, filter: {}, is_shared: true }));
  await succeed(browser.post('/macros', { name, content: name, is_shared: true }));
  await succeed(browser.post('/custom-fields', { key: 'note', type: 'text', label: name }));
  await succeed(browser.post('/articles', { title: name, body: name }));
  await succeed(browser.post('/rules', { name, triggers: ['ticket_created'], actions: [{ type: 'add_tags', tags: [name] }] }));
  await succeed(browser.post('/sla-policies', { name, priority_level: 'urgent' }));
  const { id: logo } = await succeed(browser.post<{ id: string }>('/branding/assets', { content: png.toString('base64') }));
  await succeed(
    browser.send('PUT', '/branding', { body: { logo_id: logo, email_template_header: name, custom_domain: `${name}.example` } }),
  );
  await succeed(browser.send('PUT', '/email/sender-domain', { body: { domain: `mail.${name}.example` } }));
  // Nothing listens there: its deliveries stay pending.
  await succeed(browser.post('/webhook-endpoints', { url: `https://hooks.${name}.example/x` }));
  await invite(app, { browser } as OwnerSession, 'agent', `${name}@invited.example`);
  await app.browser().post('/auth/password/forgot', { email });
  await app.ticket(browser, { subject: name, priority: 'urgent' });
  await succeed(app.browser(`${organization.subdomain}.${browser.host}`).get(`/public/organization`));
}

const rowsOf = async (texts: string[]) =>
  Object.fromEntries(await Promise.all(serviceNames.map(async (service) => [service, await rowsWith(app, service, texts)] as const)));
const nothing = Object.fromEntries(serviceNames.map((service) => [service, {}]));
/** Without rows that are added with time: attempts to deliver, events about them, and figures. */
const rowsOfBob = async () => {
  const { analytics: _, ...rows } = await rowsOf([bob.organization.id]);
  const isStable = ([table]: [string, number]) => !/^(webhook_|outbox|event_sequences)/.test(table);
  return Object.fromEntries(
    Object.entries(rows).map(([service, tables]) => [service, Object.fromEntries(Object.entries(tables).filter(isStable))]),
  );
};
const mailTo = (to: string, subject: string): Promise<Mail> =>
  eventually(async () => {
    const mail = (await mailbox.find({ to })).find((each) => each.subject.includes(subject));
    if (!mail) throw new Error(`No email “${subject}” to ${to}`);
    return mail;
  });
const setDate = (when: string) =>
  asSuperuser(app, 'identity', (client) =>
    client.query(`update organizations set deletion_at = ${when}, deletion_reminded_at = now() where id = $1`, [ada.organization.id]),
  );

describe('an organization that its admin deletes', () => {
  const path = () => `/organizations/${ada.organization.id}/deletion`;
  const body = { name: `${canary} Inc`, current_password: password };

  it('works as before until it is deleted, and every admin can cancel', async () => {
    expect(codeOf(await agent.browser.post(path(), body))).toBe('403 permission.denied');
    expect(codeOf(await bob.browser.post(path(), body))).toBe('404 organization.not_found');
    expect(codeOf(await program.post(path(), body))).toMatch(/^403 /);
    expect(codeOf(await ada.browser.post(path(), { ...body, current_password: 'wrong' }))).toBe('403 password.wrong');
    const { deletion_at } = await succeed(ada.browser.post<Organization>(path(), body));
    const days = (Date.parse(deletion_at!) - Date.now()) / 86_400_000;
    expect(Math.round(days * 100) / 100).toBe(14);
    expect((await agent.browser.get<Session>('/auth/session')).data.organization!.deletion_at).toBe(deletion_at);
    expect((await mailTo(ada.email, 'will be deleted')).text).toContain('Any admin can cancel');
    expect((await agent.browser.get('/tickets')).status).toBe(200);
    const cancelled = await succeed(ada.browser.send<Organization>('DELETE', path()));
    expect(cancelled.deletion_at).toBeNull();
    await mailTo(ada.email, 'won’t be deleted');
  });

  it('leaves nothing in any database, in files or at the task tool, and its subdomain is free', async () => {
    await connectClickUp(ada.browser, clickup);
    await integrate(ada.browser, clickup);
    await Promise.all([use(ada, canary), use(bob, 'bystander')]);
    await eventually(() => {
      expect(clickup.webhooks).toHaveLength(1);
    });
    await eventually(async () => {
      const rows = await rowsOf([ada.organization.id, canary]);
      expect(Object.keys(rows['tickets']!).length).toBeGreaterThan(15);
      expect(rows['integrations']).toMatchObject({ links: expect.any(Number) as number, ticket_copies: expect.any(Number) as number });
      expect(rows['notifications']).toMatchObject({
        webhook_deliveries: expect.any(Number) as number,
        emails: expect.any(Number) as number,
      });
      expect(rows['identity']).toMatchObject({ branding_assets: 1, api_tokens: 1, audit_log: expect.any(Number) as number });
      expect(rows['analytics']).toMatchObject({ ticket_facts: expect.any(Number) as number });
    });
    expect(await readdir(join(app.env['ATTACHMENTS_DIR']!, ada.organization.id))).not.toEqual([]);
    expect((await program.get<Ticket[]>('/tickets')).status).toBe(200);
    const before = await eventually(async () => {
      const [first, second] = [await rowsOfBob(), await rowsOfBob()];
      expect(first).toEqual(second);
      return first;
    });

    await succeed(ada.browser.post(path(), body));
    await setDate('now()');
    await eventually(async () => expect(codeOf(await ada.browser.get('/tickets'))).toMatch(/^401 /));
    expect(codeOf(await program.get('/tickets'))).toMatch(/^401 /);
    for (const to of [ada.email, agent.email])
      expect((await mailTo(to, 'were deleted')).text).toContain('all data of the organization are gone');
    expect(codeOf(await app.browser().post('/auth/sign-in', { email: ada.email, password }))).toBe('401 credentials.invalid');
    await finishDeletion(app, ada.organization.id);

    const members = [ada.session.profile.user_id, agent.user_id, ada.email, agent.email];
    await eventually(async () => expect(await rowsOf([ada.organization.id, canary, ...members])).toEqual(nothing));
    expect(await readdir(join(app.env['ATTACHMENTS_DIR']!, ada.organization.id)).catch(() => [])).toEqual([]);
    expect(clickup.webhooks).toEqual([]);
    expect(await rowsOfBob()).toEqual(before);
    await takeSubdomain();
    await expectExpiry();
  });

  /** Every gateway finds the new organization immediately. */
  async function takeSubdomain(): Promise<void> {
    expect(codeOf(await app.browser(ada.portalHost).get('/public/organization'))).toBe('404 organization.not_found');
    await succeed(bob.browser.patch(`/organizations/${bob.organization.id}`, { subdomain: ada.organization.subdomain }));
    await eventually(async () => {
      const { data } = await app.browser(ada.portalHost).get<{ id: string }>('/public/organization');
      expect(data.id).toBe(bob.organization.id);
    });
    // Their addresses can be used for new accounts.
    const email = anAddress();
    await app.account(email);
  }

  /** What Redis still stores of the organization expires. */
  async function expectExpiry(): Promise<void> {
    const redis = new Redis(app.env['REDIS_URL']!);
    try {
      const keys = await redis.keys(`${app.env['REDIS_PREFIX']}:*${ada.organization.id}*`);
      for (const key of keys) expect([key, await redis.pttl(key)]).toEqual([key, expect.any(Number)]);
      for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
    } finally {
      redis.disconnect();
    }
  }
});
