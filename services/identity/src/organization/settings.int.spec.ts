import { checkSubdomain, createOrganization, subdomainRule, updateOrganization, type Context, type Organization } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, asPerson, IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const update = (ctx: Context | undefined, id: string, body: unknown) => identity.call(updateOrganization, ctx, { params: { id }, body });
const check = (ctx: Context | undefined, subdomain: string) => identity.call(checkSubdomain, ctx, { query: { subdomain } });
let count = 0;
const aSubdomain = () => `sub-${++count}`;
const taken = { status: 409, data: { code: 'subdomain.taken', title: 'This subdomain is already taken' } };

describe('the settings of an organization', () => {
  it('change name and subdomain; the slug follows the name, the ticket prefix stays', async () => {
    const team = await TeamUnderTest.found(identity, 'Old Name');
    const subdomain = aSubdomain();
    const { status, data } = await update(team.admin.ctx, team.id, { name: '  New & Better ', subdomain: ` ${subdomain.toUpperCase()} ` });
    expect(status).toBe(200);
    expect(data).toMatchObject({ id: team.id, name: 'New & Better', slug: 'new---better', subdomain, ticket_prefix: 'OLD' });
    const [event, ...more] = await team.events('organization.updated');
    expect(more).toEqual([]);
    expect(event).toMatchObject({ subject: team.id, sequence: 2, data: { organization: data } });
    expect((await team.log()).at(-1)).toEqual({
      type: 'organization.updated',
      actor_id: team.admin.user_id,
      actor_email: team.admin.email,
      target: 'New & Better',
      changes: { name: { from: 'Old Name', to: 'New & Better' }, subdomain: { from: 'oldname', to: subdomain } },
    });
  });

  it.each(['', '  ', null])('store the empty subdomain %j as null, which any number of organizations may have', async (subdomain) => {
    for (const team of [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)])
      expect(await update(team.admin.ctx, team.id, { subdomain })).toMatchObject({ status: 200, data: { subdomain: null } });
  });

  it('publish and record nothing if nothing changes', async () => {
    const team = await TeamUnderTest.found(identity);
    const { data } = await update(team.admin.ctx, team.id, { subdomain: aSubdomain() });
    const { name, subdomain, require_mfa_for_admins } = data as unknown as Organization;
    const before = await team.state();
    for (const body of [{}, { name: ` ${name} ` }, { name, subdomain: subdomain?.toUpperCase(), require_mfa_for_admins }])
      expect(await update(team.admin.ctx, team.id, body)).toEqual({ status: 200, data });
    expect(await team.state()).toEqual(before);
  });

  it('can be changed by a token with the permission, except for the rule about two-factor sign-in', async () => {
    const team = await TeamUnderTest.found(identity);
    const token = asActor({ type: 'token', token_id: newId(), name: 'Setup', permissions: ['organization:write'], via: 'api' }, team.id);
    expect(await update(token, team.id, { name: 'New', require_mfa_for_admins: false })).toMatchObject({ status: 200 });
    expect((await team.log()).at(-1)).toMatchObject({ type: 'organization.updated', actor_id: null, actor_email: 'API · Setup' });
    await team.withMfa(team.admin);
    expect((await update(team.admin.ctx, team.id, { require_mfa_for_admins: true })).status).toBe(200);
    const before = await team.state();
    expect(await update(token, team.id, { name: 'Newer', require_mfa_for_admins: false })).toMatchObject({
      status: 403,
      data: { code: 'token.not_allowed' },
    });
    expect(await team.state()).toEqual(before);
  });

  it('do not change for an admin who was demoted during the request', async () => {
    const team = await TeamUnderTest.found(identity);
    const other = await team.join('admin');
    await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx.updateTable('members').set({ role: 'agent' }).where('user_id', '=', other.user_id).execute(),
    );
    const before = await team.state();
    expect(await update(other.ctx, team.id, { name: 'Mine now' })).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    expect(await team.state()).toEqual(before);
  });

  it('reject a taken or reserved subdomain', async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const subdomain = aSubdomain();
    await update(other.admin.ctx, other.id, { subdomain });
    const before = await team.state();
    for (const wanted of [subdomain, subdomain.toUpperCase(), 'www', 'Support'])
      expect(await update(team.admin.ctx, team.id, { name: 'Not this either', subdomain: wanted })).toMatchObject(taken);
    expect(await team.state()).toEqual(before);
  });

  it('keep a subdomain that was reserved later', async () => {
    const team = await TeamUnderTest.found(identity);
    await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx.updateTable('organizations').set({ subdomain: 'webmail' }).where('id', '=', team.id).execute(),
    );
    expect(await update(team.admin.ctx, team.id, { name: 'Renamed', subdomain: 'webmail' })).toMatchObject({
      status: 200,
      data: { name: 'Renamed', subdomain: 'webmail' },
    });
    expect(await check(team.admin.ctx, 'webmail')).toMatchObject({ data: { available: true } });
  });

  it('give a subdomain to one of several concurrent requests', async () => {
    const teams = await Promise.all(Array.from({ length: 8 }, () => TeamUnderTest.found(identity)));
    const subdomain = aSubdomain();
    const answers = await Promise.all(teams.map((team) => update(team.admin.ctx, team.id, { subdomain })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(taken);
  });

  it('report a taken subdomain, and no failure, if two organizations swap theirs concurrently', async () => {
    const [one, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const [a, b] = [aSubdomain(), aSubdomain()];
    await update(one.admin.ctx, one.id, { subdomain: a });
    await update(other.admin.ctx, other.id, { subdomain: b });
    const swap = [update(one.admin.ctx, one.id, { subdomain: b }), update(other.admin.ctx, other.id, { subdomain: a })];
    for (const { status } of await Promise.all(swap)) expect([200, 409]).toContain(status);
  });

  it('keep the changes of two concurrent requests', async () => {
    const team = await TeamUnderTest.found(identity);
    const subdomain = aSubdomain();
    await Promise.all([{ name: 'At Once' }, { subdomain }].map((body) => update(team.admin.ctx, team.id, body)));
    expect(await update(team.admin.ctx, team.id, {})).toMatchObject({ data: { name: 'At Once', subdomain } });
  });

  it.each([
    ['an empty name', { name: '' }, 'name', 'Organization name must not be blank'],
    ['a blank name', { name: ' \t\n' }, 'name', 'Organization name must not be blank'],
    ['a long name', { name: 'x'.repeat(101) }, 'name', undefined],
    ['a name of another type', { name: 5 }, 'name', undefined],
    ['no name', { name: null }, 'name', undefined],
    ['a name with NUL', { name: 'a\u0000b' }, 'name', undefined],
    ['a name with an unpaired surrogate', { name: 'a\ud800' }, 'name', undefined],
    ...[
      'ab',
      'a'.repeat(31),
      '-abc',
      'abc-',
      'a_b',
      'a.b',
      'a b c',
      'abc\u0000',
      'аcme',
      'ａｃｍｅ',
      'acme\u200d',
      'straße',
      'İstanbul',
      'x'.repeat(5000),
    ].map(
      (subdomain) =>
        [`the subdomain ${JSON.stringify(subdomain.slice(0, 40))}`, { subdomain }, 'subdomain', subdomainRule.message] as const,
    ),
    ['a subdomain of another type', { subdomain: 7 }, 'subdomain', subdomainRule.message],
    ['a list of subdomains', { subdomain: ['acme'] }, 'subdomain', subdomainRule.message],
    ['a rule that is not a boolean', { require_mfa_for_admins: 'yes' }, 'require_mfa_for_admins', undefined],
    ['a rule that is null', { require_mfa_for_admins: null }, 'require_mfa_for_admins', undefined],
    ['a prefix', { ticket_prefix: 'NEW' }, 'ticket_prefix', undefined],
    ['an organization_id', { organization_id: newId() }, 'organization_id', undefined],
  ] as const)('reject %s, name the field and change nothing', async (_what, body, path, message) => {
    const team = await TeamUnderTest.found(identity);
    const before = await team.state();
    const { status, data } = await update(team.admin.ctx, team.id, { ...('name' in body ? {} : { name: 'Fine' }), ...body });
    expect(status).toBe(422);
    expect(data.errors).toEqual([expect.objectContaining({ path, ...(message === undefined ? {} : { message }) })]);
    expect(await team.state()).toEqual(before);
  });

  it('name every invalid field', async () => {
    const team = await TeamUnderTest.found(identity);
    const { data } = await update(team.admin.ctx, team.id, { name: ' ', subdomain: '-', require_mfa_for_admins: 1 });
    expect(data.errors?.map(({ path }) => path)).toEqual(['name', 'subdomain', 'require_mfa_for_admins']);
  });

  it('can be changed only by admins of the organization', async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const [manager, agent] = [await team.join('manager'), await team.join('agent')];
    const before = await team.state();
    for (const id of [other.id, newId()])
      expect(await update(team.admin.ctx, id, { name: 'Mine' })).toMatchObject({
        status: 404,
        data: { code: 'organization.not_found', title: 'Organization not found' },
      });
    expect((await update(team.admin.ctx, 'x', { name: 'Mine' })).status).toBe(422);
    for (const { ctx } of [manager, agent]) {
      expect(await update(ctx, team.id, { name: 'Mine' })).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
      expect((await check(ctx, aSubdomain())).status).toBe(403);
    }
    for (const ctx of [undefined, anonymous(team.id)]) {
      expect((await update(ctx, team.id, { name: 'Mine' })).status).toBe(401);
      expect((await check(ctx, aSubdomain())).status).toBe(401);
    }
    expect(await team.state()).toEqual(before);
  });
});

describe('the audit log of an organization', () => {
  it('starts with its creation and first member', async () => {
    const owner = await identity.aPerson();
    const { data } = await identity.call(createOrganization, asPerson(owner), { body: { name: 'From Scratch' } });
    const lines = await identity.db.forTenant({ organization_id: data.id as string }, (tx) =>
      tx.selectFrom('audit_log').select(['type', 'actor_id', 'actor_email', 'target', 'changes']).orderBy('id').execute(),
    );
    const actor = { actor_id: owner.user_id, actor_email: owner.email };
    expect(lines).toEqual([
      { type: 'organization.created', ...actor, target: 'From Scratch', changes: null },
      { type: 'member.joined', ...actor, target: owner.email, changes: { role: { from: null, to: 'admin' } } },
    ]);
  });
});

describe('two-factor sign-in for admins', () => {
  it('can be required only by an admin who uses it', async () => {
    const team = await TeamUnderTest.found(identity);
    const before = await team.state();
    expect(await update(team.admin.ctx, team.id, { name: 'New', require_mfa_for_admins: true })).toMatchObject({
      status: 409,
      data: { code: 'mfa.own_first' },
    });
    expect(await team.state()).toEqual(before);
  });

  it('bumps the access version of every active admin without it, when it is required and when it no longer is', async () => {
    const team = await TeamUnderTest.found(identity);
    await team.withMfa(team.admin);
    const [bare, alsoBare, set] = [await team.join('admin'), await team.join('admin'), await team.join('admin')];
    await team.join('manager');
    await team.withMfa(set);
    for (const require_mfa_for_admins of [true, false]) {
      const earlier = (await team.events('access.changed')).length;
      expect(await update(team.admin.ctx, team.id, { require_mfa_for_admins })).toMatchObject({
        status: 200,
        data: { require_mfa_for_admins },
      });
      const renewed = (await team.events('access.changed')).slice(earlier).map(({ subject }) => subject);
      expect(renewed.sort()).toEqual([bare.user_id, alsoBare.user_id].sort());
    }
    expect((await team.log()).slice(-2).map(({ changes }) => changes)).toEqual([
      { require_mfa_for_admins: { from: false, to: true } },
      { require_mfa_for_admins: { from: true, to: false } },
    ]);
  });

  it('can be made optional by an admin without it', async () => {
    const team = await TeamUnderTest.found(identity);
    await team.withMfa(team.admin);
    const other = await team.join('admin');
    await update(team.admin.ctx, team.id, { require_mfa_for_admins: true });
    expect((await update(other.ctx, team.id, { require_mfa_for_admins: false })).status).toBe(200);
  });
});

describe('the availability of a subdomain', () => {
  it("is true for the organization's own and for a free one only", async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const [own, theirs, free] = [aSubdomain(), aSubdomain(), aSubdomain()];
    await update(team.admin.ctx, team.id, { subdomain: own });
    await update(other.admin.ctx, other.id, { subdomain: theirs });
    const no = (subdomain: string) => ({ subdomain, available: false, message: 'This subdomain is already taken' });
    for (const subdomain of [own, free])
      expect(await check(team.admin.ctx, ` ${subdomain.toUpperCase()}`)).toEqual({
        status: 200,
        data: { subdomain, available: true, message: null },
      });
    for (const subdomain of [theirs, 'www']) expect(await check(team.admin.ctx, subdomain)).toEqual({ status: 200, data: no(subdomain) });
  });
  it.each(['', 'ab', '-abc', 'аcme', 'a\u0000bc', 'a'.repeat(300)])('returns the rule for the invalid %j', async (subdomain) => {
    const team = await TeamUnderTest.found(identity);
    const { status, data } = await check(team.admin.ctx, subdomain);
    expect(status).toBe(422);
    expect(data.errors).toEqual([expect.objectContaining({ path: 'subdomain', message: subdomainRule.message })]);
  });
  it('requires an organization', async () =>
    expect(await check(asActor({ type: 'user', user_id: newId(), role: null, session_id: newId() }), aSubdomain())).toMatchObject({
      status: 403,
      data: { code: 'organization.required' },
    }));
});
