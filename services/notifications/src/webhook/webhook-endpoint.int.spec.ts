import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  type Context,
  type WebhookEndpoint,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { NotificationsUnderTest, type TestOrganization } from '../../test/notifications';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
let admin: Context;
beforeAll(async () => (notifications = await NotificationsUnderTest.start({ WEBHOOK_TEST_RECEIVERS: 'localhost:4999' })));
beforeEach(async () => {
  organization = await notifications.anOrganization();
  admin = notifications.as(organization, 'admin');
});

interface Issued {
  endpoint: WebhookEndpoint;
  secret: string;
}
const create = (body: object, ctx = admin) => notifications.call<Issued>(createWebhookEndpoint, ctx, { body });
const created = async (body: object = {}) => (await create({ url: 'https://example.com/hook', ...body })).data;
const list = async (ctx = admin) => (await notifications.call<WebhookEndpoint[]>(listWebhookEndpoints, ctx)).data;
const update = (id: string, body: object, ctx = admin) =>
  notifications.call<WebhookEndpoint>(updateWebhookEndpoint, ctx, { params: { id }, body });
const events = async () => {
  const rows = await notifications.db.asSystem('test', (tx) => tx.selectFrom('outbox').selectAll().orderBy('position').execute());
  return rows.filter(({ organization_id, type }) => organization_id === organization.id && type === 'webhook_endpoint.changed');
};

it('creates an endpoint, whose secret only this response contains, and lists it with an empty health', async () => {
  const { status, data } = await create({ url: 'https://example.com/hook', events: ['ticket.created', 'ticket.created'] });
  expect(status).toBe(201);
  expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(data.endpoint).toMatchObject({ events: ['ticket.created'], state: 'active', payload: 'full', created_by: organization.admin });
  const [endpoint] = await list();
  expect(endpoint).toEqual(data.endpoint);
  expect(endpoint).toMatchObject({
    secret_last_four: data.secret.slice(-4),
    health: { delivered: 0, failed: 0, pending: 0, success_rate: null, p50_ms: null, oldest_pending_seconds: null, next_attempt_at: null },
  });
  expect(endpoint!.health.hours).toHaveLength(24);
  const stored = await notifications.db.forTenant(admin, (tx) => tx.selectFrom('webhook_endpoints').selectAll().execute());
  expect(JSON.stringify(stored)).not.toContain(data.secret.slice(6, 20));
});

it.each([
  ['http://example.com/hook', 'Only https'],
  ['https://user:password@example.com/', 'user name or password'],
  ['https://127.0.0.1/', 'public internet'],
  ['https://2130706433/', 'public internet'],
  ['https://0177.0.0.1/', 'public internet'],
  ['https://0x7f.1/', 'public internet'],
  ['https://[::ffff:10.0.0.1]/', 'public internet'],
  ['https://localhost/', 'public internet'],
  ['https://tickets.svc.cluster.local/', 'public internet'],
  ['https://example.com:5432/', 'Port 5432'],
  ['ftp://example.com/', 'Only https'],
  ['example.com', 'not a URL'],
])('refuses the URL %s when it is saved', async (url, reason) => {
  const { status, data } = await create({ url });
  expect([status, data.code]).toEqual([422, 'webhook_endpoint.url_refused']);
  expect(JSON.stringify(data.errors)).toContain(reason);
  const { endpoint } = await created();
  expect((await update(endpoint.id, { url })).data.code).toBe('webhook_endpoint.url_refused');
});

it('accepts the test receivers of the installation, and no other port of this machine', async () => {
  expect((await create({ url: 'http://localhost:4999/hook' })).status).toBe(201);
  expect((await create({ url: 'http://localhost:4998/hook' })).status).toBe(422);
});

it('rejects an unknown event and a wrong condition with the path of the problem', async () => {
  const condition = { all: [{ field: 'status', op: 'is_any_of', value: ['opened'] }] };
  const { status, data } = await create({ url: 'https://example.com', condition });
  expect([status, data.errors?.map(({ path }) => path)]).toEqual([422, ['condition.all.0.value']]);
  expect((await create({ url: 'https://example.com', events: ['ticket.painted'] })).data.errors?.[0]?.path).toBe('events.0');
});

it('allows 25 endpoints, even if they are created at the same time', async () => {
  const statuses = (await Promise.all(Array.from({ length: 27 }, () => create({ url: 'https://example.com' })))).map(
    ({ status }) => status,
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(25);
  expect(statuses.filter((status) => status === 409)).toHaveLength(2);
});

it('changes, pauses, resumes and deletes an endpoint, and announces each change without secrets for the audit log', async () => {
  const { endpoint, secret } = await created();
  const condition = { field: 'priority', op: 'is_any_of', value: ['urgent'] };
  expect((await update(endpoint.id, { condition, state: 'paused' })).data).toMatchObject({ condition, state: 'paused' });
  expect((await update(endpoint.id, { condition: null, state: 'active' })).data).toMatchObject({ condition: null, state: 'active' });
  expect((await update(endpoint.id, {})).status).toBe(422);
  expect((await notifications.call(deleteWebhookEndpoint, admin, { params: { id: endpoint.id } })).status).toBe(200);
  expect(await list()).toEqual([]);
  expect((await update(endpoint.id, { state: 'paused' })).status).toBe(404);
  const announced = (await events()).map(({ envelope }) => envelope as { data: { what: string }; client: unknown });
  expect(announced.map(({ data }) => data.what)).toEqual(['created', 'updated', 'updated', 'deleted']);
  expect(announced[0]!.client).toMatchObject({ ip: '127.0.0.1' });
  expect(JSON.stringify(announced)).not.toContain(secret);
});

it('rotates the secret, and the old one signs for the chosen time', async () => {
  const { endpoint, secret } = await created();
  const rotate = (body: object) => notifications.call<Issued>(rotateWebhookSecret, admin, { params: { id: endpoint.id }, body });
  const { data } = await rotate({});
  expect(data.secret).not.toBe(secret);
  const overlapMs = Date.parse(data.endpoint.previous_secret_until!) - Date.now();
  expect(overlapMs / 3_600_000).toBeCloseTo(24, 1);
  expect((await rotate({ overlap_hours: 0 })).data.endpoint.previous_secret_until).toBeNull();
  expect((await rotate({ overlap_hours: 25 })).status).toBe(422);
});

it('is closed to other roles, other organizations and tokens without the permission', async () => {
  const { endpoint } = await created();
  for (const who of ['manager', 'agent'] as const) {
    expect((await create({ url: 'https://example.com' }, notifications.as(organization, who))).status).toBe(403);
    expect((await notifications.call(listWebhookEndpoints, notifications.as(organization, who))).status).toBe(403);
  }
  const stranger = notifications.as(await notifications.anOrganization(), 'admin');
  expect(await list(stranger)).toEqual([]);
  expect((await update(endpoint.id, { state: 'paused' }, stranger)).data.code).toBe('webhook_endpoint.not_found');
  const rotated = await notifications.call(rotateWebhookSecret, stranger, { params: { id: endpoint.id }, body: {} });
  expect(rotated.data.code).toBe('webhook_endpoint.not_found');
  expect((await notifications.call(deleteWebhookEndpoint, stranger, { params: { id: endpoint.id } })).status).toBe(404);
  const token = (permissions: ('webhooks:manage' | 'tickets:write')[]): Context => ({
    organization_id: organization.id,
    actor: { type: 'token', token_id: newId(), name: 'Importer', permissions, via: 'api' },
    request_id: newId(),
  });
  expect((await notifications.call(listWebhookEndpoints, token(['tickets:write']))).data.code).toBe('token.permission_missing');
  expect(await list(token(['webhooks:manage']))).toHaveLength(1);
  // Their responses contain a secret, so only a session may call them.
  expect((await create({ url: 'https://example.com' }, token(['webhooks:manage']))).data.code).toBe('token.not_allowed');
});
