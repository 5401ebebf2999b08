import {
  authorizeTaskTool,
  completeTaskToolAuthorization,
  connectTaskTool,
  disconnectTaskTool,
  readTaskToolConnections,
  type Context,
  type Operation,
  type TaskToolConnection,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { eventually, startFlakyProxy, startForTest } from '@tandem/testing';
import { randomBytes } from 'node:crypto';
import { asCustomer, asStaff, asToken, IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';
import { integrationsService } from '../integrations.module';
import { refreshTokenPurpose, tokenPurpose } from './connection';

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start()));
afterAll(() => integrations?.close());

const connect = (organization: TestOrganization, token: string, ctx: Context = asStaff(organization)) =>
  integrations.call<TaskToolConnection>(connectTaskTool, ctx, { body: { provider: 'clickup', token } });
const authorize = (ctx: Context, provider = 'clickup') =>
  integrations.call<{ url: string }>(authorizeTaskTool, ctx, { body: { provider } });
const complete = (ctx: Context, body: Partial<{ provider: string; code: string; state: string }>) =>
  integrations.call<TaskToolConnection>(completeTaskToolAuthorization, ctx, {
    body: { provider: 'clickup', code: integrations.clickup.issueCode(), ...body },
  });
const stateFor = async (ctx: Context) => new URL((await authorize(ctx)).data.url).searchParams.get('state')!;
const tokenOf = async (organization: TestOrganization) =>
  integrations.secrets.open(tokenPurpose, (await integrations.findConnection(organization))!.sealed_token!);
const personalToken = (email?: string) => integrations.clickup.issueToken({ personal: true, ...(email && { email }) });

it('refuses to start if a stored token is sealed with a key that is not configured', async () => {
  const organization = integrations.anOrganization();
  await connect(organization, personalToken());
  const [id] = (await integrations.findConnection(organization))!.sealed_token!.split('.');
  const other = `other:${randomBytes(32).toString('base64')}`;
  await expect(startForTest(integrationsService, { ...integrations.env, ENCRYPTION_KEYS: other })).rejects.toThrow(
    `connections.sealed_token has values that are sealed with the key ${id}, which ENCRYPTION_KEYS does not contain`,
  );
  const both = `${other},${integrations.env.ENCRYPTION_KEYS}`;
  await (await startForTest(integrationsService, { ...integrations.env, ENCRYPTION_KEYS: both, RUN: 'http' })).close();
});

it('compares the keys before it becomes ready if the database was down at the start', async () => {
  await connect(integrations.anOrganization(), personalToken());
  const proxy = await startFlakyProxy(integrations.env.INTEGRATIONS_DATABASE_URL!);
  proxy.cut();
  const env = { ...integrations.env, INTEGRATIONS_DATABASE_URL: proxy.url, RUN: 'http' };
  const other = `other:${randomBytes(32).toString('base64')}`;
  const [right, wrong] = await Promise.all([
    startForTest(integrationsService, env),
    startForTest(integrationsService, { ...env, ENCRYPTION_KEYS: other }),
  ]);
  const checksOf = async ({ url }: { url: string }) =>
    ((await (await fetch(`${url}/health/ready`)).json()) as { checks: Record<string, string> }).checks;
  const down = { postgres: 'down', encryption_keys: 'down' };
  expect(await Promise.all([right, wrong].map(checksOf))).toMatchObject([down, down]);
  proxy.restore();
  await eventually(async () => expect(await checksOf(right)).toMatchObject({ postgres: 'ok', encryption_keys: 'ok' }));
  await eventually(async () => expect(await checksOf(wrong)).toMatchObject({ postgres: 'ok', encryption_keys: 'down' }));
  await Promise.all([right.close(), wrong.close()]);
  await proxy.close();
});

describe('a personal token', () => {
  it('connects once the tool has returned its account; it is sealed and appears nowhere else', async () => {
    const organization = integrations.anOrganization();
    const token = personalToken();
    const answer = await connect(organization, token);
    expect(answer).toMatchObject({
      status: 201,
      data: { provider: 'clickup', state: 'connected', kind: 'personal_token', account_name: 'Grace Okafor', broken_at: null },
    });
    expect(await tokenOf(organization)).toBe(token);
    const row = (await integrations.findConnection(organization))!;
    expect(() => integrations.secrets.open(refreshTokenPurpose, row.sealed_token!)).toThrow();
    expect(row).toMatchObject({ tickets_exported: false, connected_by: organization.admin });
    const events = await integrations.events();
    expect(JSON.stringify([answer.data, row, events])).not.toContain(token);
    const own = events.filter((event) => event.organization_id === organization.id);
    expect(own).toMatchObject([
      { type: 'task.connected', subject: organization.id, data: { connection_id: row.id, provider: 'clickup' } },
      {
        type: 'task.settings_changed',
        subject: row.id,
        data: { what: 'task_tool.connected', target: 'ClickUp (Grace Okafor)', changes: {} },
      },
    ]);
  });

  it.each([
    ['that the tool does not know', 'pk_1_NOBODY'],
    ['that is malformed', 'pk_1\nX-Evil: 1'],
  ])('%s is refused, and nothing is saved', async (_case, token) => {
    const organization = integrations.anOrganization();
    const answer = await connect(organization, token);
    expect([answer.status, answer.data.code]).toEqual([422, 'task_tool.token_refused']);
    expect(JSON.stringify(answer.data)).not.toContain(token);
    expect(await integrations.findConnection(organization)).toBeUndefined();
  });

  it('has to be entered again if the tool does not answer', async () => {
    const organization = integrations.anOrganization();
    const token = personalToken();
    integrations.clickup.failNext(502, 'GATEWAY', { times: 3 });
    const answer = await connect(organization, token);
    integrations.clickup.faults.clear();
    expect([answer.status, answer.data.code, answer.headers.get('retry-after')]).toEqual([503, 'task_tool.unreachable', '30']);
    expect(await integrations.findConnection(organization)).toBeUndefined();
  });

  it.each([
    ['', '422 request.invalid'],
    ['x'.repeat(501), '422 request.invalid'],
  ])('is validated: %#', async (token, expected) => {
    const { status, data } = await connect(integrations.anOrganization(), token);
    expect([`${status} ${data.code!}`, data.errors?.[0]?.path]).toEqual([expected, 'token']);
  });

  it('of an unknown tool connects nothing', async () => {
    const organization = integrations.anOrganization();
    const answer = await integrations.call(connectTaskTool, asStaff(organization), { body: { provider: 'constructor', token: 'x' } });
    expect([answer.status, answer.data.code]).toEqual([404, 'task_tool.unknown']);
  });
});

describe('OAuth', () => {
  it('redirects to the tool and back: the code becomes a token, and only a hash of the state is stored', async () => {
    const organization = integrations.anOrganization();
    const ctx = asStaff(organization);
    const url = new URL((await authorize(ctx)).data.url);
    const state = url.searchParams.get('state')!;
    expect(url.href.startsWith(integrations.clickup.authorizeUrl)).toBe(true);
    expect(url.searchParams.get('redirect_uri')).toBe('http://localhost:3000/auth/callback/clickup');
    expect(Buffer.from(state, 'base64url')).toHaveLength(32);
    const kept = await integrations.db.forTenant(ctx, (tx) => tx.selectFrom('oauth_states').selectAll().execute());
    expect(kept).toMatchObject([{ state_hash: hashToken(state), provider: 'clickup', user_id: organization.admin }]);

    const answer = await complete(ctx, { state });
    expect(answer).toMatchObject({ status: 200, data: { kind: 'oauth', state: 'connected', account_name: 'Grace Okafor' } });
    expect(JSON.stringify([answer.data, await integrations.events()])).not.toContain(await tokenOf(organization));
    expect(integrations.clickup.violations).toEqual([]);
  });

  it('accepts a state once, even from concurrent requests', async () => {
    const organization = integrations.anOrganization();
    const ctx = asStaff(organization);
    const state = await stateFor(ctx);
    const answers = await Promise.all(Array.from({ length: 6 }, () => complete(ctx, { state })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410]);
    expect(answers.find(({ status }) => status === 410)!.data.code).toBe('task_tool.state_invalid');
  });

  it('refuses a state of another user, another organization, or that expired; its owner may still use it', async () => {
    const [organization, other] = [integrations.anOrganization(), integrations.anOrganization()];
    const ctx = asStaff(organization);
    const state = await stateFor(ctx);
    const colleague = asStaff({ ...organization, admin: newId() });
    for (const [who, tried] of [
      [colleague, state],
      [asStaff(other), state],
      [ctx, 'A'.repeat(43)],
    ] as const)
      expect(await complete(who, { state: tried })).toMatchObject({ status: 410, data: { code: 'task_tool.state_invalid' } });
    expect(await complete(ctx, { state })).toMatchObject({ status: 200 });

    const late = await stateFor(ctx);
    await integrations.db.forTenant(ctx, (tx) => tx.updateTable('oauth_states').set({ expires_at: new Date().toISOString() }).execute());
    expect(await complete(ctx, { state: late })).toMatchObject({ status: 410 });
    expect(await integrations.findConnection(other)).toBeUndefined();
  });

  it('uses up the state even if the tool does not accept the code', async () => {
    const organization = integrations.anOrganization();
    const ctx = asStaff(organization);
    const state = await stateFor(ctx);
    expect(await complete(ctx, { state, code: 'never-issued' })).toMatchObject({ status: 422, data: { code: 'task_tool.token_refused' } });
    expect(await complete(ctx, { state })).toMatchObject({ status: 410 });
    expect(await integrations.findConnection(organization)).toBeUndefined();
  });

  it('is not available to API tokens, which have no browser', async () => {
    const organization = integrations.anOrganization();
    expect(await authorize(asToken(organization, 'tickets:write'))).toMatchObject({ status: 403, data: { code: 'token.not_allowed' } });
  });

  it.each([
    [{ state: '' }, 'state'],
    [{ code: '', state: 'x' }, 'code'],
    [{ code: 'x'.repeat(2_001), state: 'x' }, 'code'],
  ])('reports missing fields: %j', async (body, path) => {
    const answer = await complete(asStaff(integrations.anOrganization()), body);
    expect([answer.status, answer.data.errors?.[0]?.path]).toEqual([422, path]);
  });
});

describe('an installation without client id and secret', () => {
  it('reports that OAuth is not configured, and connects by personal tokens', async () => {
    const plain = await IntegrationsUnderTest.start({ CLICKUP_CLIENT_ID: undefined, CLICKUP_CLIENT_SECRET: undefined });
    const organization = plain.anOrganization();
    const answer = await plain.call(authorizeTaskTool, asStaff(organization), { body: { provider: 'clickup' } });
    expect([answer.status, answer.data.code, answer.data.title]).toEqual([
      409,
      'task_tool.not_configured',
      'OAuth credentials (client id and secret) must be configured in backend secrets',
    ]);
    const body = { provider: 'clickup', code: 'x', state: 'x' };
    expect((await plain.call(completeTaskToolAuthorization, asStaff(organization), { body })).data.code).toBe('task_tool.not_configured');
    const token = plain.clickup.issueToken({ personal: true });
    expect((await plain.call(connectTaskTool, asStaff(organization), { body: { provider: 'clickup', token } })).status).toBe(201);
    await plain.close();
  });
});

describe('connecting again', () => {
  const past = '2026-01-01T00:00:00.000Z';

  it('updates the connection: integrations paused because of the token resume, and waiting work is due', async () => {
    const organization = integrations.anOrganization();
    const broken = await integrations.aConnection(organization, {
      state: 'broken',
      broken_at: past,
      failures: 5,
      blocked_until: '2100-01-01T00:00:00.000Z',
      block_reason: 'unreachable',
      rate_limit: 100,
    });
    const paused = await integrations.anIntegration(broken, { is_active: false, pause_reason: 'connection_broken' });
    const byHand = await integrations.anIntegration(broken, { list: 'Bugs', is_active: false, pause_reason: 'by_hand' });
    const link = await integrations.aLink(paused, { task_id: newId(), next_sync_at: '2100-01-01T00:00:00.000Z', attempts: 4 });
    const token = integrations.clickup.issueToken({ personal: true });
    const answer = await connect(organization, token);
    expect(answer.data).toMatchObject({ id: broken.id, state: 'connected', broken_at: null, kind: 'personal_token' });
    expect(await integrations.findConnection(organization)).toMatchObject({
      block_reason: null,
      failures: 0,
      broken_at: null,
      tickets_exported: true,
    });
    const [first, second] = await integrations.findIntegrations(organization);
    expect(first).toMatchObject({ id: paused.id, is_active: true, pause_reason: null });
    expect(Date.parse(first!.next_check_at)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(second).toMatchObject({ id: byHand.id, is_active: false, pause_reason: 'by_hand' });
    const due = (await integrations.findLink(organization, link.ticket_id))!.next_sync_at;
    expect(due === null || Date.parse(due) <= Date.now() + 400_000).toBe(true);
    expect((await integrations.syncLog(organization)).map(({ message }) => message)).toContain(
      'ClickUp is connected again. Waiting changes are sent now.',
    );
  });

  it('as another account is allowed, and is logged', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    await integrations.anIntegration(connection, { webhook_id: 'w1', webhook_state: 'active' });
    await connect(organization, personalToken('agent@demo.test'));
    const [integration] = await integrations.findIntegrations(organization);
    expect([integration!.webhook_id === 'w1', (await integrations.findConnection(organization))!.account_name]).toEqual([
      false,
      'Priya Raman',
    ]);
    const [whenSynced] = (await integrations.events(connection.id)).filter(({ type }) => type === 'task.settings_changed');
    expect(whenSynced!.data['changes']).toEqual({ account: { from: 'Grace Okafor', to: 'Priya Raman' } });
    expect((await integrations.syncLog(organization)).map(({ message }) => message)).toContain(
      'ClickUp is now connected as Priya Raman instead of Grace Okafor.',
    );
  });

  it('by two users concurrently creates one connection', async () => {
    const organization = integrations.anOrganization();
    const answers = await Promise.all([connect(organization, personalToken()), connect(organization, personalToken('agent@demo.test'))]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  });
});

it.each<Operation>([readTaskToolConnections, connectTaskTool, authorizeTaskTool, completeTaskToolAuthorization, disconnectTaskTool])(
  '$name is restricted to admins',
  async (operation) => {
    const organization = integrations.anOrganization();
    const input = { params: { provider: 'clickup' }, ...(operation.input.body && { body: {} }) };
    for (const role of ['manager', 'agent'] as const)
      expect((await integrations.call(operation, asStaff(organization, role), input)).status).toBe(403);
    expect((await integrations.call(operation, asToken(organization, 'tickets:write'), input)).status).toBe(403);
    expect((await integrations.call(operation, asCustomer(organization.id), input)).status).toBe(401);
    expect((await integrations.call(operation, undefined, input)).status).toBe(401);
  },
);
