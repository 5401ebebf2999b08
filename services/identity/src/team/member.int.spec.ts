import { listMembers, resetMemberMfa, signIn, updateMember, type Context, type Session } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, IdentityUnderTest, password, type Person } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const update = (ctx: Context | undefined, userId: string, body: unknown) => identity.call(updateMember, ctx, { params: { userId }, body });
const reset = (ctx: Context | undefined, userId: string) => identity.call(resetMemberMfa, ctx, { params: { userId } });
const lastAdmin = { status: 409, data: { code: 'member.last_admin' } };
const notFound = { status: 404, data: { code: 'user.not_found' } };

const aSession = async ({ email }: Person) =>
  ((await identity.call(signIn, anonymous(), { body: { email, password } })).data as unknown as { session: Session }).session;
const endOf = async ({ session_id }: Session) =>
  identity.db.asSystem('test', (tx) =>
    tx.selectFrom('sessions').select('end_reason').where('id', '=', session_id).executeTakeFirstOrThrow(),
  );
const versionOf = async ({ user_id }: Person) =>
  (
    await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('users').select('access_version').where('id', '=', user_id).executeTakeFirstOrThrow(),
    )
  ).access_version;
const activeAdmins = async (team: TeamUnderTest) =>
  (await team.state()).members.filter((member) => member.organization_id === team.id && member.role === 'admin' && member.is_active);

describe('a member’s role', () => {
  it('changes, bumps the access version, and is published and recorded', async () => {
    const team = await TeamUnderTest.found(identity);
    const member = await team.join('agent');
    const session = await aSession(member);
    const version = await versionOf(member);
    const { status, data } = await update(team.admin.ctx, member.user_id, { role: 'manager' });
    expect({ status, data }).toMatchObject({ status: 200, data: { user_id: member.user_id, role: 'manager', is_active: true } });
    expect(await versionOf(member)).toBe(version + 1);
    expect(await endOf(session)).toEqual({ end_reason: null });
    const announced = (await team.events()).filter(({ subject }) => subject === member.user_id).slice(-2);
    expect(announced).toMatchObject([
      { type: 'access.changed', data: { access_version: version + 1 } },
      { type: 'member.updated', data: { member: data } },
    ]);
    expect((await team.log()).at(-1)).toEqual({
      type: 'member.role_changed',
      actor_id: team.admin.user_id,
      actor_email: team.admin.email,
      target: member.email,
      changes: { role: { from: 'agent', to: 'manager' } },
    });
  });

  it("can be the user's own as long as another active admin remains", async () => {
    const team = await TeamUnderTest.found(identity);
    await team.join('admin');
    expect(await update(team.admin.ctx, team.admin.user_id, { role: 'agent' })).toMatchObject({ status: 200, data: { role: 'agent' } });
    expect(await activeAdmins(team)).toHaveLength(1);
  });
});

describe('deactivating a member', () => {
  it('ends all their sessions immediately, and can be undone', async () => {
    const team = await TeamUnderTest.found(identity);
    const member = await team.join('agent');
    const sessions = [await aSession(member), await aSession(member)];
    const version = await versionOf(member);
    const { data } = await update(team.admin.ctx, member.user_id, { is_active: false });
    expect(data).toMatchObject({ is_active: false, role: 'agent' });
    for (const session of sessions) expect(await endOf(session)).toEqual({ end_reason: 'deactivated' });
    expect(await versionOf(member)).toBe(version + 1);
    const announced = (await team.events()).filter(({ subject }) => subject === member.user_id).slice(-3);
    expect(announced.map(({ type }) => type)).toEqual(['access.changed', 'member.updated', 'member.deactivated']);
    expect(announced.at(-1)?.data).toEqual({ member: data });
    const signInAgain = () => identity.call(signIn, anonymous(), { body: { email: member.email, password } });
    expect(await signInAgain()).toMatchObject({ status: 403, data: { code: 'account.inactive' } });

    expect(await update(team.admin.ctx, member.user_id, { is_active: true })).toMatchObject({ status: 200, data: { is_active: true } });
    expect((await signInAgain()).status).toBe(200);
    const notes = (await team.log()).filter(({ target, type }) => target === member.email && type.startsWith('member.'));
    expect(notes.slice(1)).toMatchObject([
      { type: 'member.deactivated', changes: { is_active: { from: true, to: false } } },
      { type: 'member.reactivated', changes: { is_active: { from: false, to: true } } },
    ]);
  });

  it('can be combined with a role change, each with its own audit entry', async () => {
    const team = await TeamUnderTest.found(identity);
    const member = await team.join('admin');
    expect(await update(team.admin.ctx, member.user_id, { role: 'agent', is_active: false })).toMatchObject({
      data: { role: 'agent', is_active: false },
    });
    expect((await team.log()).slice(-2).map(({ type }) => type)).toEqual(['member.role_changed', 'member.deactivated']);
    expect((await team.events('member.updated')).length).toBe(1);
  });

  it('publishes and records nothing if nothing changes', async () => {
    const team = await TeamUnderTest.found(identity);
    const member = await team.join('agent');
    const before = await team.state();
    for (const body of [{}, { role: 'agent' }, { is_active: true }, { role: 'agent', is_active: true }])
      expect(await update(team.admin.ctx, member.user_id, body)).toMatchObject({ status: 200, data: { role: 'agent', is_active: true } });
    expect(await team.state()).toEqual(before);
  });
});

describe('the last active admin', () => {
  it.each([{ role: 'manager' }, { is_active: false }, { role: 'agent', is_active: false }])('stays an admin: %j', async (body) => {
    const team = await TeamUnderTest.found(identity);
    const inactive = await team.join('admin');
    await team.join('manager');
    await update(team.admin.ctx, inactive.user_id, { is_active: false });
    const before = await team.state();
    expect(await update(team.admin.ctx, team.admin.user_id, body)).toMatchObject(lastAdmin);
    expect(await team.state()).toEqual(before);
  });

  it('remains if two demote or deactivate each other concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const team = await TeamUnderTest.found(identity);
      const other = await team.join('admin');
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, number) => {
          const [by, whom] = number % 2 === round % 2 ? [team.admin, other] : [other, team.admin];
          return update(by.ctx, whom.user_id, number % 3 === 0 ? { is_active: false } : { role: 'agent' });
        }),
      );
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      for (const { status, data } of answers) if (status !== 200) expect(['permission.denied', 'member.last_admin']).toContain(data.code);
      expect(await activeAdmins(team)).toHaveLength(1);
    }
  });

  it('remains if many step down concurrently', async () => {
    const team = await TeamUnderTest.found(identity);
    const admins = [team.admin, await team.join('admin'), await team.join('admin'), await team.join('admin')];
    const answers = await Promise.all(admins.map(({ ctx, user_id }) => update(ctx, user_id, { role: 'agent' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    expect(await activeAdmins(team)).toHaveLength(1);
  });

  it('is not demoted by an admin who was demoted during the request', async () => {
    const team = await TeamUnderTest.found(identity);
    const [former, agent] = [await team.join('admin'), await team.join('agent')];
    await update(team.admin.ctx, former.user_id, { role: 'manager' });
    const before = await team.state();
    for (const whom of [team.admin, agent, former])
      expect(await update(former.ctx, whom.user_id, { role: 'admin', is_active: false })).toMatchObject({
        status: 403,
        data: { code: 'permission.denied' },
      });
    expect(await team.state()).toEqual(before);
  });
});

describe('a member’s two-factor sign-in', () => {
  it('is disabled by an admin: their sessions end, they get an email, and it is recorded', async () => {
    const team = await TeamUnderTest.found(identity);
    const member = await team.join('agent');
    const session = await aSession(member);
    await team.withMfa(member);
    expect((await identity.call(listMembers, team.admin.ctx)).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ user_id: member.user_id, mfa_enabled: true })]),
    );
    const { status, data } = await reset(team.admin.ctx, member.user_id);
    expect({ status, data }).toMatchObject({ status: 200, data: { user_id: member.user_id, mfa_enabled: false } });
    expect(await endOf(session)).toEqual({ end_reason: 'mfa_reset' });
    const announced = (await identity.events()).filter(({ subject }) => subject === member.user_id).slice(-3);
    expect(announced.map(({ type }) => type)).toEqual(['access.changed', 'member.updated', 'account.changed']);
    expect(announced[2]?.data).toEqual({ user_id: member.user_id, email: member.email, first_name: 'Maria', what: 'mfa_disabled' });
    expect((await team.log()).at(-1)).toMatchObject({ type: 'mfa.reset', actor_id: team.admin.user_id, target: member.email });
    expect((await identity.call(signIn, anonymous(), { body: { email: member.email, password } })).data).toHaveProperty('session');
  });

  it('publishes nothing if it was disabled', async () => {
    const team = await TeamUnderTest.found(identity);
    const member = await team.join('agent');
    const before = await team.state();
    expect(await reset(team.admin.ctx, member.user_id)).toMatchObject({ status: 200, data: { mfa_enabled: false } });
    expect(await team.state()).toEqual(before);
  });

  it('cannot be reset by the member', async () => {
    const team = await TeamUnderTest.found(identity);
    await team.withMfa(team.admin);
    const before = await team.state();
    expect(await reset(team.admin.ctx, team.admin.user_id)).toMatchObject({ status: 409, data: { code: 'mfa.own' } });
    expect(await team.state()).toEqual(before);
  });
});

describe('members', () => {
  it.each([
    [{ role: 'owner' }, 'role'],
    [{ role: null }, 'role'],
    [{ role: ['admin'] }, 'role'],
    [{ role: 'Admin' }, 'role'],
    [{ role: 'admin\u0000' }, 'role'],
    [{ role: '' }, 'role'],
    [{ is_active: 'false' }, 'is_active'],
    [{ is_active: 0 }, 'is_active'],
    [{ is_active: null }, 'is_active'],
    [{ email: 'new@example.com' }, 'email'],
    [{ organization_id: newId() }, 'organization_id'],
    [{ mfa_enabled: false }, 'mfa_enabled'],
  ])('are not changed by %j', async (body, path) => {
    const team = await TeamUnderTest.found(identity);
    const member = await team.join('agent');
    const before = await team.state();
    const { status, data } = await update(team.admin.ctx, member.user_id, body);
    expect(status).toBe(422);
    expect(data.errors).toEqual([expect.objectContaining({ path })]);
    expect(await team.state()).toEqual(before);
  });
  it('do not change if fields are invalid, and every invalid field is named', async () => {
    const team = await TeamUnderTest.found(identity);
    const { data } = await update(team.admin.ctx, 'nobody', { role: 'x', is_active: 'x' });
    expect(data.errors?.map(({ path }) => path)).toEqual(['userId', 'role', 'is_active']);
    for (const body of [undefined, [], 'x', null]) expect([400, 422]).toContain((await update(team.admin.ctx, newId(), body)).status);
  });

  it('of another organization are not found, like unknown ones, and do not change', async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const theirs = await other.join('agent');
    await other.withMfa(theirs);
    const outsider = await identity.aPerson();
    const before = await team.state();
    for (const user_id of [theirs.user_id, other.admin.user_id, outsider.user_id, newId()]) {
      expect(await update(team.admin.ctx, user_id, { role: 'manager', is_active: false })).toMatchObject(notFound);
      expect(await reset(team.admin.ctx, user_id)).toMatchObject(notFound);
    }
    expect(await team.state()).toEqual(before);
  });

  it('can be changed only by admins', async () => {
    const team = await TeamUnderTest.found(identity);
    const [manager, agent] = [await team.join('manager'), await team.join('agent')];
    await team.withMfa(agent);
    const before = await team.state();
    for (const { ctx } of [manager, agent]) {
      for (const whom of [agent, team.admin])
        expect(await update(ctx, whom.user_id, { role: 'admin' })).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
      expect((await reset(ctx, team.admin.user_id)).status).toBe(403);
    }
    for (const ctx of [undefined, anonymous(team.id)]) {
      expect((await update(ctx, agent.user_id, { role: 'admin' })).status).toBe(401);
      expect((await reset(ctx, agent.user_id)).status).toBe(401);
    }
    const token = asActor({ type: 'token', token_id: newId(), name: 'Importer', permissions: ['organization:write'], via: 'api' }, team.id);
    expect(await update(token, agent.user_id, { role: 'admin' })).toMatchObject({ status: 403, data: { code: 'token.not_allowed' } });
    expect(await team.state()).toEqual(before);
  });
});
