import {
  allOperations,
  tokenPermissionNames,
  type Activity,
  type ApiToken,
  type ApiTokenRequest,
  type AuditEntry,
  type Comment,
  type IssuedApiToken,
  type Operation,
  type Ticket,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Services } from '@tandem/messaging';
import { newApiTokenValue, type RunningService } from '@tandem/platform';
import { eventually, onTestFileEnd } from '@tandem/testing';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { usesSession } from '../src/routes/for-operation';
import { apiClient, issueToken } from './api-client';
import { anAddress } from './client';
import { colleague } from './team';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let second: RunningService;
let ada: OwnerSession;
beforeAll(async () => {
  app = await startTestApp();
  second = await app.secondGateway();
  ada = await app.signUpOwner();
});

const newTicket = () => ({ subject: 'From the shop', customer_email: anAddress('customer') });
const update = async ({ token }: IssuedApiToken, body: object) => {
  const answer = await ada.browser.patch<ApiToken>(`/api-tokens/${token.id}`, body);
  expect(answer.status).toBe(200);
};
const tokenOf = async ({ token }: IssuedApiToken) =>
  (await ada.browser.get<ApiToken[]>('/api-tokens')).data.find(({ id }) => id === token.id)!;

describe('a token', () => {
  it('creates, changes and reads tickets under its own identity', async () => {
    const issued = await issueToken(ada);
    const client = apiClient(app.gateway, issued.value);
    const created = await client.post<Ticket>('/tickets', newTicket());
    expect([created.status, created.data.channel, created.data.organization_id]).toEqual([201, 'api', ada.organization.id]);
    const path = `/tickets/${created.data.id}`;
    expect((await client.patch(path, { priority: 'high' })).status).toBe(200);
    const comment = await client.post<Comment>(`${path}/comments`, { content: 'Paid' });
    const token = { id: issued.token.id, name: 'Importer', via: 'api' };
    expect([comment.status, comment.data]).toEqual([201, expect.objectContaining({ user_id: null, token })]);
    await update(issued, { name: 'Renamed' });
    const { data: timeline } = await ada.browser.get<Activity[]>(`${path}/timeline`);
    expect(timeline.map(({ kind, actor_type, token }) => [kind, actor_type, token])).toEqual([
      ['changed', 'token', token],
      ['created', 'token', token],
    ]);
    const { data: comments } = await ada.browser.get<Comment[]>(`${path}/comments`);
    expect(comments.map((each) => each.token)).toEqual([token]);
  });

  it('reaches its own organization only', async () => {
    const client = apiClient(app.gateway, (await issueToken(ada)).value);
    const eve = await app.signUpOwner();
    const theirs = await app.ticket(eve.browser);
    expect(codeOf(await client.get(`/tickets/${theirs.id}`))).toBe('404 ticket.not_found');
    expect(codeOf(await client.patch(`/tickets/${theirs.id}`, { priority: 'low' }))).toBe('404 ticket.not_found');
    const { token } = await issueToken(eve);
    for (const path of [`/api-tokens/${token.id}/requests`, `/api-tokens/${randomUUID()}/requests`])
      expect(codeOf(await ada.browser.get(path))).toBe('404 api_token.not_found');
    expect(codeOf(await ada.browser.patch(`/api-tokens/${token.id}`, { is_active: false }))).toBe('404 api_token.not_found');
  });

  it('needs neither cookies nor a CSRF token, and is used even if the request has a session', async () => {
    const { value } = await issueToken(ada, { permissions: ['tickets:read'] });
    const authorization = `Bearer ${value}`;
    expect((await ada.browser.get('/tickets', { headers: { authorization } })).status).toBe(200);
    const answer = await ada.browser.post('/tickets', newTicket(), { headers: { authorization } });
    expect(codeOf(answer)).toBe('403 token.permission_missing');
    const crossSite = apiClient(app.gateway, (await issueToken(ada)).value, undefined, {
      'sec-fetch-site': 'cross-site',
      origin: 'https://x.test',
    });
    expect((await crossSite.post('/tickets', newTicket())).status).toBe(201);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('has its own idempotency keys', async () => {
    const [one, two] = [apiClient(app.gateway, (await issueToken(ada)).value), apiClient(app.gateway, (await issueToken(ada)).value)];
    const body = newTicket();
    const headers = { 'idempotency-key': randomUUID() };
    const create = (client: typeof one) => client.post<Ticket>('/tickets', body, { headers });
    const [first, repeated, other] = [await create(one), await create(one), await create(two)];
    expect([first.status, repeated.status, other.status]).toEqual([201, 201, 201]);
    expect([repeated.headers.get('idempotent-replayed'), repeated.data.id]).toEqual(['true', first.data.id]);
    expect([other.headers.get('idempotent-replayed'), other.data.id === first.data.id]).toEqual([null, false]);
  });

  it('is ignored by public operations, valid or not', async () => {
    for (const value of [(await issueToken(ada)).value, newApiTokenValue(), 'nonsense']) {
      const authorization = `Bearer ${value}`;
      const browser = app.browser(ada.portalHost);
      expect((await browser.get('/public/organization', { headers: { authorization } })).status).toBe(200);
      expect((await browser.post('/public/tickets', newTicket(), { headers: { authorization } })).status).toBe(201);
    }
  });
});

describe('a token is rejected', () => {
  const invalid = (value: string) => apiClient(app.gateway, value).get('/tickets');

  it.each([
    ['mistyped', async () => (await issueToken(ada)).value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['of the right form, but unknown', async () => newApiTokenValue()],
    ['empty', async () => ''],
    ['of another kind', async () => 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
    ['very long', async () => 'x'.repeat(8_000)],
  ])('if it is %s', async (_case, value) => {
    const answer = await invalid(await value());
    expect(codeOf(answer)).toBe('401 token.invalid');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('if it has expired or is not active', async () => {
    const [expired, inactive] = [await issueToken(ada, { expires_in_days: 30 }), await issueToken(ada)];
    await app.services.identity.app.get<Database<{ api_tokens: { id: string; expires_at: string } }>>(Database, { strict: false }).forTenant(
      { organization_id: ada.organization.id },
      (tx) => tx.updateTable('api_tokens').set({ expires_at: new Date(Date.now() - 1).toISOString() }).where('id', '=', expired.token.id).execute(),
    ); // prettier-ignore
    await update(inactive, { is_active: false });
    expect(codeOf(await invalid(expired.value))).toBe('401 token.expired');
    expect(codeOf(await invalid(inactive.value))).toBe('401 token.inactive');
    expect((await invalid(inactive.value)).headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('if it is in a query string, in any parameter and encoding, with or without a session', async () => {
    const { value } = await issueToken(ada);
    const encoded = value.replaceAll('_', '%5F');
    for (const query of [`token=${value}`, `search=${value}`, `a[b]=${encoded}`, value])
      for (const browser of [app.browser(), ada.browser, apiClient(app.gateway, value)])
        expect(codeOf(await browser.get(`/tickets?${query}`))).toBe('400 token.in_url');
    expect(codeOf(await app.browser().get(`//?token=${value}`))).toBe('400 token.in_url');
    expect((await app.browser().get(`//?token=${value}`)).text).not.toContain(value);
  });

  it('on every gateway within two seconds of being toggled off, in the middle of a burst', async () => {
    const issued = await issueToken(ada);
    const burst = { on: true };
    const latest = new Map<string, number>();
    const send = async (gateway: { url: string }, name: string) => {
      const client = apiClient(gateway, issued.value);
      while (burst.on) latest.set(name, (await client.get('/tickets?limit=1')).status);
    };
    const running = [send(app.gateway, 'first'), send(app.gateway, 'first, too'), send(second, 'second'), send(second, 'second, too')];
    const all = (status: number) => expect([...latest.values()]).toEqual(Array(4).fill(status));
    await eventually(() => all(200));
    await update(issued, { is_active: false });
    await eventually(() => all(401), { timeoutMs: 2_000 });
    await update(issued, { is_active: true });
    await eventually(() => all(200));
    expect((await ada.browser.send('DELETE', `/api-tokens/${issued.token.id}`)).status).toBe(200);
    await eventually(() => all(401));
    burst.on = false;
    await Promise.all(running);
  });

  it('after a rotation without overlap, while the new value works', async () => {
    const issued = await issueToken(ada);
    expect((await invalid(issued.value)).status).toBe(200);
    const kept = await ada.browser.post<IssuedApiToken>(`/api-tokens/${issued.token.id}/rotate`, { overlap_hours: 1 });
    expect((await invalid(kept.data.value)).status).toBe(200);
    expect((await invalid(issued.value)).status).toBe(200);
    const rotated = await ada.browser.post<IssuedApiToken>(`/api-tokens/${issued.token.id}/rotate`, { overlap_hours: 0 });
    await eventually(async () => expect(codeOf(await invalid(kept.data.value))).toBe('401 token.invalid'));
    expect(codeOf(await invalid(issued.value))).toBe('401 token.invalid');
    expect((await invalid(rotated.data.value)).status).toBe(200);
  });

  it('from another network, and the audit log shows it once per address and minute', async () => {
    const gateway = await app.secondGateway();
    const issued = await issueToken(ada, { networks: ['203.0.113.0/24', '2001:db8::/32'] });
    for (const address of ['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.9'])
      expect((await apiClient(gateway, issued.value, address).get('/tickets')).status).toBe(200);
    for (const address of ['198.51.100.1', '198.51.100.1', '198.51.100.2', '198.51.100.1'])
      expect(codeOf(await apiClient(gateway, issued.value, address).get('/tickets'))).toBe('403 token.network_refused');
    await gateway.close();
    const { data } = await ada.browser.get<AuditEntry[]>('/audit-log?type=api_token.network_refused');
    expect(data.map(({ target, ip }) => [target, ip]).sort()).toEqual([
      ['Importer', '198.51.100.1'],
      ['Importer', '198.51.100.2'],
    ]);
  });

  it('not because its creator was deactivated', async () => {
    const grace = await colleague(app, ada, 'admin');
    const issued = await issueToken(grace);
    expect((await ada.browser.patch(`/team/members/${grace.user_id}`, { is_active: false })).status).toBe(200);
    for (const gateway of [app.gateway, second]) expect((await apiClient(gateway, issued.value).get('/tickets')).status).toBe(200);
    expect(await tokenOf(issued)).toMatchObject({ creator_is_active: false, is_active: true });
  });
});

describe('operations', () => {
  const filled = ({ path }: Operation) => path.replace(/:\w+/g, () => randomUUID());
  // Those of operators do not exist for tokens (operator.e2e.spec.ts).
  const sessionOperations = allOperations.filter((op) => usesSession(op) && op.allow !== 'operator');
  const call = (client: ReturnType<typeof apiClient>, op: Operation) =>
    client.send(op.method, filled(op), op.method === 'GET' ? {} : { body: {} });

  it('for sessions only refuse every token', async () => {
    const { value } = await issueToken(ada, { permissions: [...tokenPermissionNames] });
    const client = apiClient(app.gateway, value);
    const answers: Record<string, string> = {};
    for (const op of sessionOperations.filter(({ token }) => token === null)) answers[op.name] = codeOf(await call(client, op));
    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining(['identity.createApiToken', 'identity.updateMember', 'gateway.listApiTokenRequests']),
    );
    expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, '403 token.not_allowed'])));
  });

  it('with a token permission refuse tokens that lack it', async () => {
    const allowed = sessionOperations.filter(({ token }) => token !== null);
    for (const permission of new Set(allowed.map(({ token }) => token!))) {
      const others = tokenPermissionNames.filter((name) => name !== permission);
      const client = apiClient(app.gateway, (await issueToken(ada, { permissions: others })).value);
      for (const op of allowed.filter(({ token }) => token === permission))
        expect([op.name, codeOf(await call(client, op))]).toEqual([op.name, '403 token.permission_missing']);
    }
  });
});

describe('limits', () => {
  const headersOf = (headers: Headers) =>
    Object.fromEntries(['limit', 'remaining', 'used'].map((name) => [name, Number(headers.get(`x-ratelimit-${name}`))]));

  it('1,000 of 5,000 requests a minute per token, shared by two gateways, from any client address', async () => {
    const [issued, other] = [await issueToken(ada), await issueToken(ada)];
    const gateways = [app.gateway, second];
    const clients = Array.from({ length: 200 }, (_, i) => apiClient(gateways[i % 2]!, issued.value));
    const send = (i: number) => clients[i % clients.length]!.get('/views');
    const key = `${app.env['REDIS_PREFIX']}:limit:rest_api:token:${issued.token.id}`;
    const redis = new Redis(app.env['REDIS_URL']!);
    onTestFileEnd(() => redis.quit());
    /** Sends the requests in one window, however long that takes: after the first one, the window no longer ends automatically. */
    async function passedOf(total: number): Promise<number> {
      const statuses = [(await send(0)).status];
      expect(await redis.persist(key)).toBe(1);
      let next = 1;
      const sendOn = async () => {
        while (next < total) statuses.push((await send(next++)).status);
      };
      await Promise.all(clients.map(sendOn));
      const passed = statuses.filter((status) => status === 200).length;
      expect([statuses.length, passed + statuses.filter((status) => status === 429).length]).toEqual([total, total]);
      return passed;
    }
    expect(await passedOf(5_000)).toBe(1_000);
    await redis.pexpire(key, 60_000);
    for (const i of [0, 1]) {
      const over = await send(i);
      expect(codeOf(over)).toBe('429 limit.exceeded');
      expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headersOf(over.headers)).toEqual({ limit: 1_000, remaining: 0, used: 1_000 });
      expect(over.headers.get('ratelimit')).toMatch(/^"rest_api";r=0;t=\d+$/);
    }
    expect((await apiClient(app.gateway, other.value).get('/tickets?limit=1')).status).toBe(200);
    expect((await ada.browser.get('/tickets?limit=1')).status).toBe(200);
    await redis.pexpire(key, 0);
    expect(await passedOf(1_010)).toBe(1_000);
  }, 180_000);

  it('four requests of a token at once reach a service; the others wait, but not those of others', async () => {
    const [issued, other] = [await issueToken(ada), await issueToken(ada)];
    const services = app.gateway.app.get(Services, { strict: false });
    const forward = services.forward.bind(services);
    const release = Promise.withResolvers<void>();
    const begun: string[] = [];
    let isHeld = true;
    const spy = jest.spyOn(services, 'forward').mockImplementation(async (operation, ctx, input) => {
      if (ctx.actor.type === 'token') begun.push(ctx.actor.token_id);
      if (isHeld && ctx.actor.type === 'token' && ctx.actor.token_id === issued.token.id) await release.promise;
      return forward(operation, ctx, input);
    });
    try {
      const held = Array.from({ length: 7 }, () => apiClient(app.gateway, issued.value).get('/views'));
      const statusOfOther = (await apiClient(app.gateway, other.value).get('/views')).status;
      await eventually(() => expect(begun.filter((id) => id === issued.token.id)).toHaveLength(4));
      expect(statusOfOther).toBe(200);
      isHeld = false;
      release.resolve();
      expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(7).fill(200));
      expect(begun.filter((id) => id === issued.token.id)).toHaveLength(7);
    } finally {
      release.resolve();
      spy.mockRestore();
    }
  });

  it('refusals of a client that goes on calling are sent half a second later', async () => {
    const issued = await issueToken(ada);
    const redis = new Redis(app.env['REDIS_URL']!);
    onTestFileEnd(() => redis.quit());
    await redis.set(`${app.env['REDIS_PREFIX']}:limit:rest_api:token:${issued.token.id}`, 1_001, 'PX', 60_000);
    const client = apiClient(app.gateway, issued.value);
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 60 }, () => client.get('/views')));
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['429 limit.exceeded']));
    expect(performance.now() - begun).toBeGreaterThan(490);
  });

  it('are in the standard fields and in the older X-RateLimit ones, for tokens and sessions', async () => {
    const client = apiClient(app.gateway, (await issueToken(ada)).value);
    await client.get('/tickets');
    const { headers } = await client.get('/tickets');
    expect(headersOf(headers)).toEqual({ limit: 1_000, remaining: 998, used: 2 });
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
    expect(headers.get('ratelimit-policy')).toBe('"rest_api";q=1000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"rest_api";r=998;t=([1-9]|[1-5]\d|60)$/);
    const session = await ada.browser.get('/tickets');
    expect(session.headers.get('ratelimit-policy')).toBe('"api";q=100;w=60');
    expect(session.headers.get('ratelimit')).toMatch(/^"api";r=\d+;t=\d+$/);
  });

  it('guesses from one client address reach identity a hundred times a minute', async () => {
    const address = anIpAddress();
    const identity = jest.spyOn(app.gateway.app.get(Services, { strict: false }), 'call');
    try {
      const answers: string[] = [];
      for (let i = 0; i < 105; i++) answers.push(codeOf(await apiClient(app.gateway, newApiTokenValue(), address).get('/tickets')));
      expect(answers).toEqual([...Array(100).fill('401 token.invalid'), ...Array(5).fill('429 limit.exceeded')]);
      expect(identity.mock.calls.filter(([{ name }]) => name === 'identity.findApiToken')).toHaveLength(100);
    } finally {
      identity.mockRestore();
    }
  });
});

describe('without a server', () => {
  it('NATS: tokens are accepted', async () => {
    const gateway = await app.secondGateway({ NATS_URL: 'nats://127.0.0.1:1' });
    const client = apiClient(gateway, (await issueToken(ada)).value);
    expect((await client.get('/tickets')).status).toBe(200);
    expect((await client.post('/tickets', newTicket())).status).toBe(201);
  });

  it('Redis: reads are accepted, and writes return 503', async () => {
    const gateway = await app.secondGateway({ REDIS_URL: 'redis://127.0.0.1:1' });
    const client = apiClient(gateway, (await issueToken(ada)).value);
    expect((await client.get('/tickets')).status).toBe(200);
    expect(codeOf(await client.post('/tickets', newTicket()))).toBe('503 service.unavailable');
    expect(codeOf(await apiClient(gateway, newApiTokenValue()).get('/tickets'))).toBe('401 token.invalid');
  });
});

it('the audit log names a token that has changed the organization', async () => {
  const client = apiClient(app.gateway, (await issueToken(ada, { name: 'Setup', permissions: ['organization:write'] })).value);
  expect((await client.patch(`/organizations/${ada.organization.id}`, { instant_lookup: true })).status).toBe(200);
  const { data } = await ada.browser.get<AuditEntry[]>('/audit-log?type=organization.updated');
  expect(data[0]).toMatchObject({ actor_id: null, actor_email: 'API · Setup' });
});

it('the check of a known token calls no other process', async () => {
  const { value } = await issueToken(ada);
  const client = apiClient(app.gateway, value);
  expect((await client.get('/tickets')).status).toBe(200);
  const services = app.gateway.app.get(Services, { strict: false });
  const [call, forward] = [jest.spyOn(services, 'call'), jest.spyOn(services, 'forward')];
  try {
    for (let i = 0; i < 50; i++) expect((await client.get('/tickets?limit=1')).status).toBe(200);
    expect(call.mock.calls.filter(([{ name }]) => name !== 'identity.recordApiTokenUse')).toEqual([]);
    expect(forward.mock.calls.map(([{ name }]) => name)).toEqual(Array(50).fill('tickets.list'));
  } finally {
    call.mockRestore();
    forward.mockRestore();
  }
});

describe('the log of requests', () => {
  const read = async ({ token }: IssuedApiToken, query = '') =>
    (await ada.browser.get<{ requests: ApiTokenRequest[]; next_cursor: string | null }>(`/api-tokens/${token.id}/requests${query}`)).data;

  it('lists the latest first, without URLs and bodies, and pages with a cursor', async () => {
    const issued = await issueToken(ada, { permissions: ['tickets:read'] });
    const client = apiClient(app.gateway, issued.value);
    const ticket = await app.ticket(ada.browser);
    await client.get('/tickets?search=secret-word');
    await client.get(`/tickets/${ticket.id}`);
    await client.get(`/tickets/${randomUUID()}`);
    const refused = await client.post('/tickets', { ...newTicket(), subject: 'secret-word' });
    const all = await eventually(async () => {
      const found = await read(issued);
      expect(found.requests).toHaveLength(4);
      return found;
    });
    expect(all.requests.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
      ['POST', '/tickets', 403, 'token.permission_missing'],
      ['GET', '/tickets/:id', 404, 'ticket.not_found'],
      ['GET', '/tickets/:id', 200, null],
      ['GET', '/tickets', 200, null],
    ]);
    expect(all.requests[0]!.request_id).toBe(refused.headers.get('x-request-id'));
    expect(all.requests.every(({ duration_ms, at }) => duration_ms >= 0 && !Number.isNaN(Date.parse(at)))).toBe(true);
    expect(JSON.stringify(all)).not.toContain('secret-word');
    const first = await read(issued, '?limit=3');
    expect(first.requests).toEqual(all.requests.slice(0, 3));
    expect(await read(issued, `?limit=3&cursor=${first.next_cursor}`)).toEqual({ requests: all.requests.slice(3), next_cursor: null });
  });

  it('has rejected requests of a token that is not active', async () => {
    const issued = await issueToken(ada);
    await update(issued, { is_active: false });
    await apiClient(app.gateway, issued.value).get('/tickets');
    await eventually(async () => expect((await read(issued)).requests).toMatchObject([{ status: 401, code: 'token.inactive' }]));
  });

  it('is for admins, and rejects invalid input', async () => {
    const { token } = await issueToken(ada);
    const path = `/api-tokens/${token.id}/requests`;
    for (const role of ['manager', 'agent'] as const)
      expect(codeOf(await app.as(role, ada.organization.id).get(path))).toBe('403 permission.denied');
    expect(codeOf(await app.browser().get(path))).toBe('401 session.required');
    for (const query of ['?cursor=x', '?cursor=1-1-1', '?limit=0', '?limit=101', '?q=1'])
      expect(codeOf(await ada.browser.get(path + query))).toBe('422 request.invalid');
    expect(codeOf(await ada.browser.get('/api-tokens/x/requests'))).toBe('422 request.invalid');
  });
});

it('shows when and from where it was last used, even after the gateway has stopped', async () => {
  const gateway = await app.secondGateway();
  const issued = await issueToken(ada);
  await apiClient(gateway, issued.value, '203.0.113.77').get('/tickets');
  await gateway.close();
  const { last_used_at, last_used_ip } = await tokenOf(issued);
  expect(last_used_ip).toBe('203.0.113.77');
  expect(Math.abs(Date.now() - Date.parse(last_used_at!))).toBeLessThan(60_000);
});
