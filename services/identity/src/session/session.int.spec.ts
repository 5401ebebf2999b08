import {
  createOrganization,
  extendSession,
  type IssuedSession,
  readSession,
  refreshSession,
  SessionOrganization,
  signOut,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, asPerson, asSession, IdentityUnderTest } from '../../test/identity';
import { about, expired, SignIns, type Issued } from '../../test/sign-ins';

let identity: IdentityUnderTest;
let signIns: SignIns;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  signIns = new SignIns(identity);
});
afterAll(() => identity?.close());

describe('refresh', () => {
  it('rotates the token and extends only the idle deadline', async () => {
    const { session, refresh_token } = await signIns.of();
    await signIns.move(session, { last_seen_at: -600, idle_expires_at: 1200 });
    const { status, data } = await signIns.refresh(refresh_token);
    const renewed = data as unknown as IssuedSession;
    expect(status).toBe(200);
    expect(renewed.refresh_token).not.toBe(refresh_token);
    about(renewed.session.idle_expires_at, 1800);
    expect(renewed.session.absolute_expires_at).toBe(session.absolute_expires_at);
    expect((await signIns.rowOf(session)).idle_expires_at).toBe(renewed.session.idle_expires_at);
    await signIns.refreshed(renewed.refresh_token ?? '');
  });
  it('never extends beyond eight hours', async () => {
    const { session, refresh_token } = await signIns.of();
    await signIns.move(session, { idle_expires_at: 60, absolute_expires_at: 300 });
    const { data } = await signIns.refresh(refresh_token);
    about((data as unknown as IssuedSession).session.idle_expires_at, 300);
  });
  it("counts from the user's last activity: an open page that refreshes automatically does not extend the session", async () => {
    const { session, refresh_token } = await signIns.of();
    await signIns.move(session, { last_seen_at: -1500, idle_expires_at: 300 });
    const before = await signIns.rowOf(session);
    const idle = await signIns.refresh(refresh_token, { idle_seconds: 1500 });
    about((idle.data as unknown as Issued).session.idle_expires_at, 300);
    const asleep = await signIns.refresh(idle.data['refresh_token'], { idle_seconds: 1800 });
    expect(Date.parse((await signIns.rowOf(session)).idle_expires_at)).toBeLessThan(Date.parse(before.idle_expires_at) + 5_000);
    const active = await signIns.refresh(asleep.data['refresh_token'], { idle_seconds: 60 });
    about((active.data as unknown as Issued).session.idle_expires_at, 1740);
    about((await signIns.rowOf(session)).last_seen_at, -60);
  });
  it('never moves the deadline backwards, because another tab may have reported later activity', async () => {
    const { session, refresh_token } = await signIns.of();
    const { data } = await signIns.refresh(refresh_token, { idle_seconds: 1200 });
    expect((data as unknown as Issued).session.idle_expires_at).toBe(session.idle_expires_at);
  });
  it('extends the deadline for the second of two tabs too', async () => {
    const { session, refresh_token } = await signIns.of();
    await signIns.move(session, { last_seen_at: -1200, idle_expires_at: 600 });
    await signIns.refresh(refresh_token, { idle_seconds: 1200 });
    const { data } = await signIns.refresh(refresh_token);
    expect(data['refresh_token']).toBeNull();
    about((data as unknown as Issued).session.idle_expires_at, 1800);
    about((await signIns.rowOf(session)).idle_expires_at, 1800);
  });
  it('of 100 concurrent tabs rotates once, and signs no tab out', async () => {
    const { session, refresh_token } = await signIns.of();
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIns.refresh(refresh_token)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const tokens = answers.map(({ data }) => data['refresh_token']).filter((token) => token !== null);
    expect(tokens).toHaveLength(1);
    expect(await signIns.rowOf(session)).toMatchObject({ refresh_sequence: 2, ended_at: null });
    await signIns.refreshed(tokens[0] as string);
  });
  it('with a used token invalidates access tokens immediately, and is recorded without an actor', async () => {
    const { person, organization } = await signIns.aMember();
    const { refresh_token } = await signIns.of(person);
    const current = await signIns.refreshed(await signIns.refreshed(refresh_token));
    const { version } = await signIns.access(person.user_id);
    const answers = await Promise.all([1, 2, 3].map(() => signIns.refresh(refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await signIns.refresh(current)).toMatchObject(expired);
    expect(await signIns.access(person.user_id)).toEqual({ version: version + 1, announced: version + 1 });
    const noted = (await signIns.log(organization.id)).filter(({ type }) => type === 'session.token_reused');
    expect(noted).toMatchObject([{ severity: 'high', actor_id: null, target: person.email }]);
  });
  it('with the previous token after 20 seconds ends the session', async () => {
    const { session, refresh_token } = await signIns.of();
    const current = await signIns.refreshed(refresh_token);
    await signIns.move(session, { rotated_at: -21 });
    expect(await signIns.refresh(refresh_token)).toMatchObject(expired);
    expect(await signIns.rowOf(session)).toMatchObject({ end_reason: 'token_reused' });
    expect(await signIns.refresh(current)).toMatchObject(expired);
    expect(await signIns.read(session)).toMatchObject(expired);
  });
  it('with a token of two rotations ago ends the session immediately', async () => {
    const { session, refresh_token } = await signIns.of();
    const current = await signIns.refreshed(await signIns.refreshed(refresh_token));
    expect(await signIns.refresh(refresh_token)).toMatchObject(expired);
    expect(await signIns.refresh(current)).toMatchObject(expired);
    expect(await signIns.read(session)).toMatchObject(expired);
  });
  it("that ends one session keeps the user's others", async () => {
    const person = await identity.aPerson();
    const [one, other] = [await signIns.of(person), await signIns.of(person)];
    await signIns.refreshed(await signIns.refreshed(one.refresh_token));
    await signIns.refresh(one.refresh_token);
    expect(await signIns.read(one.session)).toMatchObject(expired);
    expect(await signIns.read(other.session)).toMatchObject({ status: 200 });
  });
  it.each<[string, Parameters<SignIns['move']>[1]]>([
    ['30 minutes without use', { idle_expires_at: -1 }],
    ['8 hours', { idle_expires_at: -1, absolute_expires_at: -1 }],
  ])('ends after %s, and rotates nothing', async (_when, times) => {
    const { session, refresh_token } = await signIns.of();
    await signIns.move(session, times);
    const before = await identity.weight();
    expect(await signIns.refresh(refresh_token)).toMatchObject(expired);
    expect(await signIns.read(session)).toMatchObject(expired);
    expect(await identity.weight()).toEqual(before);
  });
  it('is rejected for a deactivated account', async () => {
    const { person, organization } = await signIns.aMember();
    const { session, refresh_token } = await signIns.of(person);
    await signIns.setMember(person, organization.id, { is_active: false });
    expect(await signIns.refresh(refresh_token)).toMatchObject(expired);
    expect(await signIns.read(session)).toMatchObject(expired);
  });
  it('with an unknown token is an expired session', async () => expect(await signIns.refresh('A'.repeat(43))).toMatchObject(expired));
  it.each([undefined, null, '', [], {}, 5, 'short', 'A'.repeat(44), `${'A'.repeat(42)}\u0000`])('rejects the token %j', async (token) =>
    expect(await signIns.refresh(token)).toMatchObject({ status: 422, data: { code: 'request.invalid' } }),
  );
  it.each([-1, 1801, 1.5, '60', null, [], Number.MAX_SAFE_INTEGER])(
    'rejects %j as idle seconds, and does not rotate',
    async (idle_seconds) => {
      const { session, refresh_token } = await signIns.of();
      const before = await signIns.rowOf(session);
      const { status, data } = await signIns.refresh(refresh_token, { idle_seconds });
      expect(status).toBe(422);
      expect(data.errors!.map(({ path }) => path)).toEqual(['idle_seconds']);
      expect(await signIns.rowOf(session)).toEqual(before);
    },
  );
  it('names every invalid field', async () => {
    const { data } = await signIns.refresh('', { idle_seconds: -1 });
    expect(data.errors!.map(({ path }) => path).sort()).toEqual(['idle_seconds', 'refresh_token']);
  });
  it('rejects an unknown field', async () => {
    const { refresh_token } = await signIns.of();
    expect(await identity.call(refreshSession, anonymous(), { body: { refresh_token, user_id: newId() } })).toMatchObject({ status: 422 });
  });
});

describe('reading the session', () => {
  it('is not activity: it does not extend the deadline', async () => {
    const { session } = await signIns.of();
    await signIns.move(session, { last_seen_at: -600, idle_expires_at: 1200 });
    const before = await signIns.rowOf(session);
    expect(await signIns.read(session)).toMatchObject({ status: 200, data: { idle_expires_at: before.idle_expires_at } });
    expect(await signIns.rowOf(session)).toEqual(before);
  });
  it('returns the organization once there is one', async () => {
    const person = await identity.aPerson();
    const { session } = await signIns.of(person);
    const { data: organization } = await identity.call(createOrganization, asSession(session), { body: { name: 'Fresh Start' } });
    expect(await signIns.read(session)).toMatchObject({
      status: 200,
      data: { organization: SessionOrganization.parse(organization), profile: { role: 'admin', organization_id: organization.id } },
    });
  });
  it('reports a required second factor only for an admin without one', async () => {
    const { person, organization, membership } = await signIns.aMember();
    const agent = await signIns.join(organization.id, 'agent');
    const [admins, agents] = [await signIns.of(person), await signIns.of(agent)];
    const waits = async ({ session }: Issued) => (await signIns.read(session)).data['mfa_enrolment_required'];
    expect([await waits(admins), await waits(agents)]).toEqual([false, false]);
    await signIns.requireMfa(organization.id);
    expect([await waits(admins), await waits(agents)]).toEqual([true, false]);
    await signIns.setMember(agent, organization.id, { role: 'admin' });
    expect(await waits(agents)).toBe(true);
    await signIns.withMfa(person, membership);
    expect(await waits(admins)).toBe(false);
    const { data } = await signIns.refresh(admins.refresh_token);
    expect(data).toMatchObject({
      session: { mfa_enrolment_required: false },
      access_version: (await signIns.access(person.user_id)).version,
    });
  });
  it('of another user returns an expired session', async () => {
    const [mine, other] = [await signIns.of(), await identity.aPerson()];
    const stranger = asActor({ type: 'user', user_id: other.user_id, role: null, session_id: mine.session.session_id });
    expect(await identity.call(readSession, stranger)).toMatchObject(expired);
    expect(await identity.call(readSession, asPerson(other))).toMatchObject(expired);
  });
  it('requires a session', async () => {
    expect(await identity.call(readSession, undefined)).toMatchObject({ status: 401 });
    for (const ctx of [anonymous(), asActor({ type: 'system' })])
      expect([401, 403]).toContain((await identity.call(readSession, ctx)).status);
  });
});

describe('extending the session', () => {
  const extend = (session: Issued['session']) => identity.call(extendSession, asSession(session));

  it('extends the idle deadline without a new cookie', async () => {
    const { session, refresh_token } = await signIns.of();
    await signIns.move(session, { last_seen_at: -1600, idle_expires_at: 200 });
    const { status, data } = await extend(session);
    expect(status).toBe(200);
    const extended = data as unknown as IssuedSession;
    expect(extended.refresh_token).toBeNull();
    about(extended.session.idle_expires_at, 1800);
    expect(extended.session.absolute_expires_at).toBe(session.absolute_expires_at);
    const row = await signIns.rowOf(session);
    expect(row.idle_expires_at).toBe(extended.session.idle_expires_at);
    about(row.last_seen_at, 0);
    await signIns.refreshed(refresh_token);
  });
  it('never exceeds eight hours', async () => {
    const { session } = await signIns.of();
    await signIns.move(session, { idle_expires_at: 60, absolute_expires_at: 300 });
    const { data } = await extend(session);
    const { idle_expires_at, absolute_expires_at } = (data as unknown as IssuedSession).session;
    expect(idle_expires_at).toBe(absolute_expires_at);
  });
  it('does not revive an ended session', async () => {
    const { session } = await signIns.of();
    await signIns.move(session, { idle_expires_at: -1 });
    const before = await signIns.rowOf(session);
    expect(await extend(session)).toMatchObject(expired);
    const other = await signIns.of();
    await identity.call(signOut, asSession(other.session));
    expect(await extend(other.session)).toMatchObject(expired);
    expect(await signIns.rowOf(session)).toEqual(before);
  });
  it("is rejected for a deactivated member, another user's session, and without a session", async () => {
    const { person, organization } = await signIns.aMember();
    const [{ session }, other] = [await signIns.of(person), await identity.aPerson()];
    const stranger = asActor({ type: 'user', user_id: other.user_id, role: null, session_id: session.session_id });
    expect(await identity.call(extendSession, stranger)).toMatchObject(expired);
    await signIns.setMember(person, organization.id, { is_active: false });
    expect(await extend(session)).toMatchObject(expired);
    expect(await identity.call(extendSession, undefined)).toMatchObject({ status: 401 });
    expect([401, 403]).toContain((await identity.call(extendSession, anonymous())).status);
  });
});

describe('sign-out', () => {
  it('invalidates access and refresh tokens immediately, and can be repeated', async () => {
    const { session, refresh_token } = await signIns.of();
    expect(await identity.call(signOut, asSession(session))).toMatchObject({ status: 200, data: {} });
    expect(await signIns.read(session)).toMatchObject(expired);
    expect(await signIns.refresh(refresh_token)).toMatchObject(expired);
    expect(await identity.call(signOut, asSession(session))).toMatchObject({ status: 200 });
    expect(await signIns.rowOf(session)).toMatchObject({ end_reason: 'signed_out' });
  });
  it("is recorded once, and keeps the user's other devices", async () => {
    const { person, organization } = await signIns.aMember();
    const [{ session }, other] = [await signIns.of(person), await signIns.of(person)];
    const before = await signIns.access(person.user_id);
    await identity.call(signOut, asSession(session));
    await identity.call(signOut, asSession(session));
    expect(await signIns.access(person.user_id)).toEqual(before);
    expect(await signIns.read(other.session)).toMatchObject({ status: 200 });
    expect(await signIns.logTypes(organization.id)).toEqual(['sign_in.succeeded', 'sign_in.succeeded', 'session.signed_out']);
    expect((await signIns.log(organization.id)).at(-1)).toMatchObject({ actor_id: person.user_id, ip: '203.0.113.7' });
  });
  it("does not end another user's session", async () => {
    const [mine, other] = [await signIns.of(), await identity.aPerson()];
    await identity.call(signOut, asActor({ type: 'user', user_id: other.user_id, role: null, session_id: mine.session.session_id }));
    expect(await signIns.read(mine.session)).toMatchObject({ status: 200 });
  });
  it('requires a session', async () => {
    expect(await identity.call(signOut, undefined)).toMatchObject({ status: 401 });
    expect([401, 403]).toContain((await identity.call(signOut, anonymous())).status);
  });
});
