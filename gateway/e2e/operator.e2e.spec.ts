import { randomUUID } from 'node:crypto';
import type {
  DeadLetterSummary,
  Installation,
  InstallationOrganization,
  OperatorLogEntry,
  Organization,
  ServiceName,
  Session,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { apiClient, issueToken } from './api-client';
import { anAddress, type Browser } from './client';
import { colleague, withAuthenticator } from './team';
import { codeOf, password, startTestApp, type OwnerSession, type TestApp } from './test-app';

type Letter = DeadLetterSummary & { service: ServiceName };

let app: TestApp;
/** The operator, and an admin who is none. Both have organizations. */
let operator: { email: string; browser: Browser };
let ada: OwnerSession;
const listed = anAddress('operator');
const withoutSecondFactor = anAddress('operator');
beforeAll(async () => {
  app = await startTestApp({ OPERATORS: `${listed.toUpperCase()}, ${withoutSecondFactor}` });
  ada = await app.signUpOwner('Northwind Operations');
  const email = await app.account(listed);
  const { browser } = await app.signIn(email);
  const code = await withAuthenticator(browser);
  const { data } = await app.browser().post<{ mfa_token: string }>('/auth/sign-in', { email, password });
  operator = { email, browser: app.browser() };
  const signedIn = await operator.browser.post('/auth/mfa', { mfa_token: data.mfa_token, code: code(0) });
  expect(signedIn.status).toBe(200);
  // Its session is older than the second factor.
  expect((await browser.post('/auth/refresh')).status).toBe(200);
  expect(codeOf(await browser.get('/operator'))).toBe('404 route.not_found');
});

const paths = ['/operator', '/operator/dead-letters', '/operator/connections', '/operator/organizations', '/operator/log'];
const log = async () => (await operator.browser.get<OperatorLogEntry[]>('/operator/log')).data;

describe('an operator', () => {
  it('reads the state of each part, and each request is recorded with the address', async () => {
    const { status, data } = await operator.browser.get<Installation>('/operator');
    expect([status, data.services.map(({ name, state }) => [name, state?.dead_letters])]).toEqual([
      200,
      ['identity', 'tickets', 'notifications', 'integrations', 'analytics'].map((name) => [name, 0]),
    ]);
    expect(data).toMatchObject({
      servers: [
        { name: 'nats', is_up: true },
        { name: 'redis', is_up: true },
      ],
      update: { status: 'off', version: null },
      last_backup: null,
      emails: { oldest_seconds: expect.any(Number) },
    });
    const queues = data.services.flatMap(({ state }) => state!.queues!.map(({ name }) => name));
    expect(queues).toEqual(expect.arrayContaining(['identity']));
    expect((await log()).slice(0, 2)).toMatchObject([
      { action: 'log.viewed', email: operator.email },
      { action: 'overview.viewed', email: operator.email, target: null, ip: expect.stringMatching(/^198\./) },
    ]);
  });

  it('finds organizations by name, with their size', async () => {
    await app.ticket(ada.browser);
    const announced = await ada.browser.post<{ upload_url: string }>('/attachments', { file_name: 'a.txt', size: 2_048 });
    const raw = Buffer.alloc(2_048, 'a');
    expect(
      (await app.browser().send('PUT', `/${announced.data.upload_url}`, { raw, headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(200);
    // Never uploaded.
    await ada.browser.post('/attachments', { file_name: 'b.txt', size: 2_048 });
    await colleague(app, ada, 'agent');
    await eventually(async () => {
      const { data } = await operator.browser.get<InstallationOrganization[]>('/operator/organizations?q=wind%20oper');
      expect(data).toEqual([
        {
          id: ada.organization.id,
          name: 'Northwind Operations',
          subdomain: ada.organization.subdomain,
          created_at: expect.any(String),
          members: 2,
          plan: null,
          trial_ends_at: expect.any(String),
          tickets: 1,
          tickets_this_month: 1,
          file_bytes: 2_048,
          is_demo: false,
          deletion_at: null,
        },
      ]);
    });
    const { data } = await operator.browser.get<InstallationOrganization[]>('/operator/organizations?q=100%25');
    expect(data).toEqual([]);
    expect(codeOf(await operator.browser.get('/operator/organizations?limit=1000'))).toBe('422 request.invalid');
  });

  it('changes the plan of an organization, which is in both logs', async () => {
    const { id } = ada.organization;
    const plan = (of: string, body: object) => operator.browser.send('PUT', `/operator/organizations/${of}/plan`, { body });
    expect((await plan(id, { plan: 'professional' })).status).toBe(200);
    const { data } = await operator.browser.get<InstallationOrganization[]>('/operator/organizations?q=wind%20oper');
    expect(data).toMatchObject([{ plan: 'professional' }]);
    expect((await log()).find(({ action }) => action === 'plan.changed')).toMatchObject({ target: `${id}/professional` });
    const audited = (await ada.browser.get<{ type: string; changes: object }[]>('/audit-log')).data;
    expect(audited[0]).toMatchObject({ type: 'organization.updated', changes: { plan: { from: null, to: 'professional' } } });
    const { organization } = (await ada.browser.get<Session>('/auth/session')).data;
    expect(organization?.plan).toBe('professional');
    expect((await ada.browser.get<Organization>(`/organizations/${id}`)).data.plan).toBe('professional');
    expect(codeOf(await plan(randomUUID(), { plan: null }))).toBe('404 organization.not_found');
    expect(codeOf(await plan(id, { plan: 'gold' }))).toBe('422 request.invalid');
    expect(codeOf(await ada.browser.send('PUT', `/operator/organizations/${id}/plan`, { body: { plan: 'enterprise' } }))).toBe(
      '404 route.not_found',
    );
  });

  it('sees connections that wait, and why', async () => {
    const db = new Database({ url: app.env.INTEGRATIONS_DATABASE_URL! });
    const [broken, limited] = [randomUUID(), randomUUID()];
    const organization_id = ada.organization.id;
    try {
      await db.forTenant({ organization_id }, async (tx) => {
        const connection = { organization_id, sealed_token: 'sealed', blocked_until: null, block_reason: null, state: 'connected' };
        await tx
          .insertInto('connections' as never)
          .values([
            { ...connection, id: broken, provider: 'clickup', state: 'broken', broken_at: new Date().toISOString() },
            {
              ...connection,
              id: limited,
              provider: 'github',
              broken_at: null,
              blocked_until: new Date(Date.now() + 60_000).toISOString(),
              block_reason: 'rate_limit',
            },
          ] as never)
          .execute();
      });
      const { data } = await operator.browser.get('/operator/connections');
      const common = { organization_id, organization_name: 'Northwind Operations' };
      expect(data).toMatchObject([
        { ...common, id: broken, provider: 'clickup', reason: 'broken', retry_at: null },
        { ...common, id: limited, provider: 'github', reason: 'rate_limit', retry_at: expect.any(String) },
      ]);
    } finally {
      await db.close();
    }
  });

  it('replays and discards dead letters, without seeing the data of the event', async () => {
    const db = new Database({ url: app.env.ANALYTICS_DATABASE_URL! });
    const [event, text] = [newId(), newId()];
    const envelope = {
      specversion: '1.0',
      id: newId(),
      source: 'tickets',
      type: 'ticket.created',
      subject: randomUUID(),
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      organizationid: ada.organization.id,
      actor: { type: 'system' },
      sequence: 1,
      requestid: 'test',
    };
    try {
      await db.asSystem('dead letters of a test', (tx) =>
        tx
          .insertInto('dead_letters')
          .values(
            [
              { id: event, envelope: { ...envelope, data: { secret: 'Jonas' } } },
              { id: text, envelope: { nats_subject: 'events', text: 'Jonas' } },
            ].map((each) => ({
              id: each.id,
              consumer: `analytics-of-a-test-${each.id}`,
              event_id: newId(),
              envelope: JSON.stringify(each.envelope),
              error: 'It broke\n    at a line',
              attempts: 8,
            })),
          )
          .execute(),
      );
      const listed = await operator.browser.get<Letter[]>('/operator/dead-letters');
      expect(listed.text).not.toContain('Jonas');
      const found = listed.data.filter(({ consumer }) => consumer.startsWith('analytics-of-a-test'));
      expect(found.map(({ service, error, attempts }) => [service, error, attempts])).toEqual(Array(2).fill(['analytics', 'It broke', 8]));
      const at = (id: string) => `/operator/dead-letters/analytics/${id}`;
      expect(codeOf(await operator.browser.post(`${at(text)}/replay`))).toBe('422 dead_letter.not_an_event');
      expect((await operator.browser.send('DELETE', at(text))).status).toBe(200);
      expect(codeOf(await operator.browser.send('DELETE', at(text)))).toBe('404 dead_letter.not_found');
      const isEvent = found.find(({ id }) => id === event)!.event_type === 'ticket.created';
      expect([isEvent, (await operator.browser.post(`${at(event)}/replay`)).status]).toEqual([true, 200]);
      expect(codeOf(await operator.browser.post(`${at(event)}/replay`))).toBe('404 dead_letter.not_found');
      expect(codeOf(await operator.browser.post(`/operator/dead-letters/gateway/${event}/replay`))).toBe('422 request.invalid');
      expect((await log()).find(({ action }) => action === 'dead_letter.discarded')).toMatchObject({ target: `analytics/${text}` });
    } finally {
      await db.close();
    }
  });

  it('is none any more as soon as two-factor sign-in is off', async () => {
    const db = new Database({ url: app.env.IDENTITY_DATABASE_URL! });
    const setConfirmed = (confirmed_at: string | null) =>
      db.asSystem('turn off two-factor sign-in', async (tx) => {
        const { id } = (await tx
          .selectFrom('users' as never)
          .select('id' as never)
          .where('email' as never, '=', operator.email as never)
          .executeTakeFirstOrThrow()) as { id: string };
        await tx
          .updateTable('mfa' as never)
          .set({ confirmed_at } as never)
          .where('user_id' as never, '=', id as never)
          .execute();
      });
    try {
      await setConfirmed(null);
      expect(codeOf(await operator.browser.get('/operator'))).toBe('404 route.not_found');
    } finally {
      await setConfirmed(new Date().toISOString());
      await db.close();
    }
    expect((await operator.browser.get('/operator')).status).toBe(200);
  });
});

describe('for all other callers the page does not exist', () => {
  const codes = (browser: Browser) => Promise.all(paths.map(async (path) => codeOf(await browser.get(path))));
  const notFound = paths.map(() => '404 route.not_found');

  it('for visitors, admins, and members without an organization', async () => {
    expect(await codes(app.browser())).toEqual(notFound);
    expect(await codes(ada.browser)).toEqual(notFound);
    expect(await codes(app.as(null, null))).toEqual(notFound);
  });

  it('for a user in OPERATORS without two-factor sign-in', async () => {
    const { browser } = await app.signIn(await app.account(withoutSecondFactor));
    expect(await codes(browser)).toEqual(notFound);
  });

  it('for API tokens', async () => {
    expect(await codes(apiClient(app.gateway, (await issueToken(ada)).value))).toEqual(notFound);
  });

  it('and nothing that they send is read or recorded', async () => {
    const before = (await log()).length;
    expect(codeOf(await ada.browser.post('/operator/dead-letters/nowhere/1/replay'))).toBe('404 route.not_found');
    expect(codeOf(await ada.browser.get('/operator/organizations?limit=x'))).toBe('404 route.not_found');
    expect((await log()).length).toBe(before + 1);
  });
});
