import {
  apiTokenRules,
  createApiToken,
  deleteApiToken,
  findApiToken,
  listApiTokens,
  recordApiTokenUse,
  rotateApiToken,
  updateApiToken,
  updateMember,
  type ApiToken,
  type Context,
  type IssuedApiToken,
  type KnownApiToken,
  type Operation,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken, isApiTokenValue } from '@tandem/platform';
import { anonymous, asActor, client, gateway, IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
let team: TeamUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
beforeEach(async () => (team = await TeamUnderTest.found(identity)));
afterAll(() => identity?.close());

const create = async (body: Record<string, unknown> = {}, ctx: Context = team.admin.ctx): Promise<IssuedApiToken> => {
  const answer = await identity.call(createApiToken, ctx, { body: { name: 'Billing import', ...body } });
  expect(answer.status).toBe(201);
  return answer.data as unknown as IssuedApiToken;
};
const list = async (ctx: Context = team.admin.ctx) => (await identity.call(listApiTokens, ctx)).data as unknown as ApiToken[];
const byId = (id: string) => ({ params: { id } });
const find = async (value: string) =>
  (await identity.call(findApiToken, gateway, { body: { hash: hashToken(value) } })).data as unknown as KnownApiToken | null;
const rotate = async (id: string, body: Record<string, unknown> = {}) =>
  (await identity.call(rotateApiToken, team.admin.ctx, { ...byId(id), body })).data as unknown as IssuedApiToken;
const update = (id: string, body: Record<string, unknown>, ctx = team.admin.ctx) =>
  identity.call(updateApiToken, ctx, { ...byId(id), body });
const set = (id: string, columns: Record<string, unknown>) =>
  identity.db.forTenant({ organization_id: team.id }, (tx) => tx.updateTable('api_tokens').set(columns).where('id', '=', id).execute());
const log = async () => (await team.log()).filter(({ type }) => type.startsWith('api_token.'));
const changed = () => team.events('api_token.changed');
const inDays = (time: string | null) => Math.round((Date.parse(time!) - Date.now()) / 86_400_000);

describe('creating', () => {
  it('returns the value once, and stores only its hash', async () => {
    const { token, value } = await create();
    expect(isApiTokenValue(value)).toBe(true);
    expect(token).toEqual({
      id: token.id,
      organization_id: team.id,
      name: 'Billing import',
      last_four: value.slice(-4),
      networks: [],
      is_active: true,
      permissions: ['tickets:read', 'tickets:write'],
      expires_at: null,
      last_used_at: null,
      last_used_ip: null,
      previous_valid_until: null,
      created_at: token.created_at,
      created_by: team.admin.user_id,
      creator_name: token.creator_name,
      creator_is_active: true,
    });
    expect(await list()).toEqual([token]);
    const rows = await identity.db.forTenant({ organization_id: team.id }, (tx) => tx.selectFrom('api_tokens').selectAll().execute());
    expect(rows).toMatchObject([{ token_hash: hashToken(value) }]);
    const everything = JSON.stringify([rows, await team.events(), await team.log()]);
    expect(everything).not.toContain(value);
    expect(everything).not.toContain(value.slice(9, 73));
  });

  it('accepts permissions, networks without repetitions, and an expiry', async () => {
    const networks = ['203.0.113.0/24', '2001:db8::/32', '203.0.113.0/24', '198.51.100.7'];
    const { token } = await create({ permissions: ['analytics:read', 'analytics:read'], networks, expires_in_days: 90 });
    expect(token).toMatchObject({ permissions: ['analytics:read'], networks: networks.filter((_, i) => i !== 2) });
    expect(inDays(token.expires_at)).toBe(90);
  });

  it('is announced and audited in the same transaction', async () => {
    const { token } = await create({ networks: ['203.0.113.0/24'] });
    expect(await changed()).toMatchObject([{ subject: token.id, data: { what: 'created', token, changes: {} } }]);
    expect(await log()).toEqual([
      {
        type: 'api_token.created',
        actor_id: team.admin.user_id,
        actor_email: team.admin.email,
        target: 'Billing import',
        changes: {
          permissions: { from: null, to: ['tickets:read', 'tickets:write'] },
          networks: { from: null, to: ['203.0.113.0/24'] },
          expires_at: { from: null, to: null },
        },
      },
    ]);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ permissions: [] }, 'permissions'],
    [{ permissions: ['ticket.read'] }, 'permissions.0'],
    [{ permissions: ['*'] }, 'permissions.0'],
    [{ networks: ['203.0.113.0/33'] }, 'networks.0'],
    [{ networks: ['example.com'] }, 'networks.0'],
    [{ networks: ['203.0.113.0/24; drop'] }, 'networks.0'],
    [{ networks: Array.from({ length: 21 }, (_, i) => `203.0.113.${i}`) }, 'networks'],
    [{ expires_in_days: 7 }, 'expires_in_days'],
    [{ expires_in_days: 0 }, 'expires_in_days'],
    [{ is_active: false }, 'is_active'],
    [{ created_by: newId() }, 'created_by'],
  ])('rejects %j', async (body, path) => {
    const { status, data } = await identity.call(createApiToken, team.admin.ctx, { body: { name: 'x', ...body } });
    expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, 'request.invalid', path]);
    expect(await list()).toEqual([]);
    expect(await changed()).toEqual([]);
  });

  it('stops at the limit, even if several are created at once', async () => {
    await identity.db.forTenant({ organization_id: team.id }, async (tx) => {
      for (let i = 1; i < apiTokenRules.max; i++)
        await tx
          .insertInto('api_tokens')
          .values({
            organization_id: team.id,
            id: newId(),
            name: `${i}`,
            token_hash: hashToken(newId()),
            last_four: 'abcd',
            permissions: ['tickets:read'],
            expires_at: null,
            created_by: team.admin.user_id,
          })
          .execute();
    });
    const body = { name: 'One more' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => identity.call(createApiToken, team.admin.ctx, { body })));
    expect(answers.map(({ status, data }) => [status, data.code]).sort()).toEqual([
      [201, undefined],
      ...Array.from({ length: 4 }, () => [409, 'api_token.too_many']),
    ]);
    expect(await list()).toHaveLength(apiTokenRules.max);
  });
});

describe('changing', () => {
  it('renames, limits to networks, and deactivates; announces and audits what has changed', async () => {
    const { token, value } = await create();
    const { status, data } = await update(token.id, { name: 'Import', is_active: false, networks: ['203.0.113.0/24'] });
    expect([status, data]).toEqual([200, { ...token, name: 'Import', is_active: false, networks: ['203.0.113.0/24'] }]);
    expect(await find(value)).toMatchObject({ name: 'Import', is_active: false, networks: ['203.0.113.0/24'] });
    const changes = {
      name: { from: 'Billing import', to: 'Import' },
      is_active: { from: true, to: false },
      networks: { from: [], to: ['203.0.113.0/24'] },
    };
    expect((await changed()).at(-1)).toMatchObject({ data: { what: 'updated', token: data, changes } });
    expect((await log()).at(-1)).toMatchObject({ type: 'api_token.updated', target: 'Import', changes });
  });
  it('announces nothing if nothing has changed', async () => {
    const { token } = await create();
    expect((await update(token.id, { name: token.name, is_active: true })).status).toBe(200);
    expect(await changed()).toHaveLength(1);
    expect(await log()).toHaveLength(1);
  });
  it.each([{}, { permissions: ['tickets:read'] }, { expires_in_days: 30 }, { name: '' }, { token_hash: 'x' }])(
    'rejects %j',
    async (body) => {
      const { token } = await create();
      expect((await update(token.id, body)).status).toBe(422);
      expect(await list()).toEqual([token]);
    },
  );
});

describe('rotating', () => {
  it('issues a new value; the old one stays valid for the chosen time', async () => {
    const { token, value } = await create();
    const rotated = await rotate(token.id, { overlap_hours: 2 });
    expect(isApiTokenValue(rotated.value)).toBe(true);
    expect(rotated.value).not.toBe(value);
    expect(rotated.token).toEqual({
      ...token,
      last_four: rotated.value.slice(-4),
      previous_valid_until: rotated.token.previous_valid_until,
    });
    expect(Math.round((Date.parse(rotated.token.previous_valid_until!) - Date.now()) / 3_600_000)).toBe(2);
    expect(await find(rotated.value)).toMatchObject({ id: token.id, valid_until: null });
    expect(await find(value)).toMatchObject({ id: token.id, valid_until: rotated.token.previous_valid_until });
    await set(token.id, { previous_valid_until: new Date(Date.now() - 1).toISOString() });
    expect(await find(value)).toBeNull();
    expect(await list()).toMatchObject([{ previous_valid_until: null }]);
    expect((await log()).map(({ type }) => type)).toEqual(['api_token.created', 'api_token.rotated']);
    expect((await changed()).at(-1)).toMatchObject({ data: { what: 'rotated' } });
  });
  it('without overlap ends the old value immediately, and a second rotation ends the first', async () => {
    const { token, value } = await create();
    const second = await rotate(token.id);
    const third = await rotate(token.id);
    expect([await find(value), (await find(second.value))?.id, (await find(third.value))?.id]).toEqual([null, token.id, token.id]);
    const fourth = await rotate(token.id, { overlap_hours: 0 });
    expect([await find(second.value), await find(third.value), (await find(fourth.value))?.id]).toEqual([null, null, token.id]);
    expect(fourth.token.previous_valid_until).toBeNull();
  });
  it.each([{ overlap_hours: 25 }, { overlap_hours: -1 }, { overlap_hours: 1.5 }])('rejects %j', async (body) => {
    const { token, value } = await create();
    expect((await identity.call(rotateApiToken, team.admin.ctx, { ...byId(token.id), body })).status).toBe(422);
    expect((await find(value))?.id).toBe(token.id);
  });
});

it('deletes a token permanently', async () => {
  const { token, value } = await create();
  expect(await identity.call(deleteApiToken, team.admin.ctx, byId(token.id))).toMatchObject({ status: 200, data: {} });
  expect([await find(value), await list()]).toEqual([null, []]);
  expect((await changed()).at(-1)).toMatchObject({ subject: token.id, data: { what: 'deleted', token: { id: token.id } } });
  expect((await log()).at(-1)).toMatchObject({ type: 'api_token.deleted', target: 'Billing import' });
  expect((await identity.call(deleteApiToken, team.admin.ctx, byId(token.id))).status).toBe(404);
});

it('lists the newest first, expired and inactive ones included', async () => {
  const [first, second] = [await create({ name: 'First', expires_in_days: 30 }), await create({ name: 'Second' })];
  const expires_at = new Date(Date.now() - 60_000).toISOString();
  await set(first.token.id, { expires_at });
  await update(second.token.id, { is_active: false });
  expect(await list()).toMatchObject([
    { name: 'Second', is_active: false },
    { name: 'First', is_active: true, expires_at },
  ]);
  expect(await find(first.value)).toMatchObject({ expires_at });
});

it('keeps the token of a deactivated creator, and shows that its creator is not active', async () => {
  const other = await team.join('admin');
  const { token, value } = await create({}, other.ctx);
  await identity.call(updateMember, team.admin.ctx, { params: { userId: other.user_id }, body: { is_active: false } });
  expect(await list()).toEqual([{ ...token, creator_is_active: false }]);
  expect(await find(value)).toMatchObject({ id: token.id, is_active: true });
});

describe('the use of tokens', () => {
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString();
  const report = (body: Record<string, unknown>) =>
    identity.call(recordApiTokenUse, gateway, { body: { uses: [], rejections: [], ...body } });

  it('is recorded for tokens of several organizations, and never moves backward', async () => {
    const [mine, other] = [await create(), await TeamUnderTest.found(identity)];
    const theirs = await create({}, other.admin.ctx);
    const use = (issued: IssuedApiToken, time: string, ip: string) => ({
      token_id: issued.token.id,
      organization_id: issued.token.organization_id,
      at: time,
      ip,
    });
    const [early, late] = [at(120), at(10)];
    expect((await report({ uses: [use(mine, late, '203.0.113.7'), use(theirs, early, '2001:db8::1')] })).status).toBe(200);
    expect((await report({ uses: [use(mine, early, '203.0.113.8')] })).status).toBe(200);
    expect(await list()).toMatchObject([{ last_used_at: late, last_used_ip: '203.0.113.7' }]);
    expect(await list(other.admin.ctx)).toMatchObject([{ last_used_at: early, last_used_ip: '2001:db8::1' }]);
    expect(await changed()).toHaveLength(1);
  });

  it('of another organization’s token changes nothing', async () => {
    const { token } = await create();
    const use = { token_id: token.id, organization_id: newId(), at: at(1), ip: '203.0.113.7' };
    expect((await report({ uses: [use], rejections: [{ ...use, user_agent: '' }] })).status).toBe(200);
    expect(await list()).toEqual([token]);
    expect(await log()).toHaveLength(1);
  });

  it('from another network is audited with its address, once a minute', async () => {
    const { token } = await create();
    const rejection = { token_id: token.id, organization_id: team.id, at: at(1), ip: client.ip, user_agent: client.user_agent };
    expect((await report({ rejections: [rejection, { ...rejection, token_id: newId() }] })).status).toBe(200);
    // Like a report from another gateway.
    expect((await report({ rejections: [rejection] })).status).toBe(200);
    expect((await report({ rejections: [{ ...rejection, ip: '203.0.113.99' }] })).status).toBe(200);
    const entries = await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx.selectFrom('audit_log').selectAll().where('type', '=', 'api_token.network_refused').execute(),
    );
    const entry = { target: token.name, actor_id: null, ...client, category: 'security', severity: 'high' };
    expect(entries).toHaveLength(2);
    expect(entries).toEqual(
      expect.arrayContaining([expect.objectContaining(entry), expect.objectContaining({ ...entry, ip: '203.0.113.99' })]),
    );
  });
});

describe('permissions', () => {
  const operations: [Operation, object][] = [
    [listApiTokens, {}],
    [createApiToken, { body: { name: 'x' } }],
    [updateApiToken, { body: { is_active: false } }],
    [rotateApiToken, { body: {} }],
    [deleteApiToken, {}],
  ];

  it.each(operations)('$name: admins only, never a token', async (op, input) => {
    const { token, value } = await create();
    const call = (ctx: Context | undefined) => identity.call(op, ctx, { ...byId(token.id), ...input });
    for (const role of ['manager', 'agent'] as const)
      expect(await call((await team.join(role)).ctx)).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    const powerful = {
      type: 'token',
      token_id: token.id,
      name: 'x',
      permissions: ['organization:write', 'webhooks:manage'],
      via: 'api',
    } as const;
    expect(await call(asActor({ ...powerful, permissions: [...powerful.permissions] }, team.id))).toMatchObject({
      status: 403,
      data: { code: 'token.not_allowed' },
    });
    for (const ctx of [undefined, anonymous(), anonymous(team.id)]) expect((await call(ctx)).status).toBe(401);
    expect(await list()).toEqual([token]);
    expect((await find(value))?.id).toBe(token.id);
  });

  it.each(operations.slice(2))('$name: not found in another organization', async (op, input) => {
    const { token } = await create();
    const { admin } = await TeamUnderTest.found(identity);
    for (const id of [token.id, newId()])
      expect(await identity.call(op, admin.ctx, { ...byId(id), ...input })).toMatchObject({
        status: 404,
        data: { code: 'api_token.not_found' },
      });
    expect(await list(admin.ctx)).toEqual([]);
    expect(await list()).toEqual([token]);
  });

  it('a caller who was demoted while waiting cannot create one', async () => {
    const other = await team.join('admin');
    await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx.updateTable('members').set({ role: 'agent' }).where('user_id', '=', other.user_id).execute(),
    );
    expect(await identity.call(createApiToken, other.ctx, { body: { name: 'x' } })).toMatchObject({ status: 403 });
    expect(await list()).toEqual([]);
  });
});
