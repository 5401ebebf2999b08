import { recordLockOut, SessionOrganization, signIn, signOut, type Session } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { enableMetrics, eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { anonymous, asActor, asPerson, asSession, client, gateway, IdentityUnderTest, password } from '../../test/identity';
import { about, SignIns } from '../../test/sign-ins';
import { hashPassword } from '../account/password';
import { minFailureMs } from './session';

let identity: IdentityUnderTest;
let signIns: SignIns;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  signIns = new SignIns(identity);
});
afterAll(() => identity?.close());

describe('sign-in', () => {
  it('opens a session of 8 hours that ends after 30 minutes without activity', async () => {
    const person = await identity.aPerson();
    const { session, refresh_token } = await signIns.of(person);
    expect(session).toMatchObject({ profile: { ...person, role: null, organization_id: null }, organization: null });
    about(session.idle_expires_at, 30 * 60);
    about(session.absolute_expires_at, 8 * 3600);
    expect(refresh_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
  it('stores the client, and only the hash of the refresh token', async () => {
    const { session, refresh_token } = await signIns.of();
    expect(await signIns.rowOf(session)).toMatchObject(client);
    const tokens = await identity.db.asSystem('test', (tx) => tx.selectFrom('refresh_tokens').selectAll().execute());
    expect(JSON.stringify(tokens)).not.toContain(refresh_token);
  });
  it('ignores the case of the address, but not of the password', async () => {
    const { email } = await identity.aPerson();
    expect(await signIns.tryWith(` ${email.toUpperCase()} `)).toMatchObject({ status: 200 });
    expect(await signIns.tryWith(email, ` ${password}`)).toMatchObject({ status: 401 });
    expect(await signIns.tryWith(email, password.toUpperCase())).toMatchObject({ status: 401 });
  });
  it('returns the same error for an unknown address and a wrong password', async () => {
    const { email } = await identity.aPerson();
    const same = { status: 401, data: { code: 'credentials.invalid', title: 'Invalid login credentials' } };
    const [unknown, wrong] = [await signIns.tryWith('nobody@example.com'), await signIns.tryWith(email, 'wrong-password')];
    expect(unknown).toMatchObject(same);
    expect({ ...wrong.data, request_id: null }).toEqual({ ...unknown.data, request_id: null });
  });
  it('reports an unconfirmed address only with the correct password', async () => {
    const { email } = await identity.aPerson({ confirmed: false });
    expect(await signIns.tryWith(email, 'wrong-password')).toMatchObject({ status: 401, data: { code: 'credentials.invalid' } });
    expect(await signIns.tryWith(email)).toMatchObject({
      status: 403,
      data: { code: 'email.not_confirmed', title: 'Email not confirmed' },
    });
  });
  it('reports a deactivated account only with the correct password, and opens no session', async () => {
    const { person, organization } = await signIns.aMember();
    await signIns.setMember(person, organization.id, { is_active: false });
    const before = await identity.weight();
    expect(await signIns.tryWith(person.email, 'wrong-password')).toMatchObject({ status: 401, data: { code: 'credentials.invalid' } });
    expect(await signIns.tryWith(person.email)).toMatchObject({ status: 403, data: { code: 'account.inactive' } });
    expect(await identity.weight()).toEqual(before);
  });
  it('returns role and organization of a member', async () => {
    const { person, organization } = await signIns.aMember();
    const { session } = await signIns.of(person);
    expect(session).toMatchObject({
      organization: SessionOrganization.parse(organization),
      profile: { role: 'admin', organization_id: organization.id },
    });
  });
  it.each<[string, unknown, string[]]>([
    ['no body', undefined, []],
    ['an array', [], ['']],
    ['an empty address', { email: '', password }, ['email']],
    ['a blank address', { email: '   ', password }, ['email']],
    ['an invalid address', { email: 'x', password }, ['email']],
    ['an address that is too long', { email: `${'a'.repeat(250)}@example.com`, password }, ['email']],
    ['an address of look-alike letters', { email: 'grаce@exаmple.com', password }, ['email']],
    ['an address of the wrong type', { email: { $ne: '' }, password }, ['email']],
    ['an address with NUL', { email: 'a\u0000@example.com', password }, ['email']],
    ['no password', { email: 'a@example.com' }, ['password']],
    ['an empty password', { email: 'a@example.com', password: '' }, ['password']],
    ['a password of the wrong type', { email: 'a@example.com', password: [password] }, ['password']],
    ['a password that is too long', { email: 'a@example.com', password: 'x'.repeat(1025) }, ['password']],
    ['an unknown member', { email: 'a@example.com', password, remember: true }, ['remember']],
    ['several faults at once', { email: '', password: null, session_id: 1 }, ['email', 'password', 'session_id']],
  ])('refuses %s', async (_what, body, paths) => {
    const before = await identity.weight();
    const { status, data } = await identity.call(signIn, anonymous(), { body });
    expect([400, 422]).toContain(status);
    if (status === 422 && paths.length > 0) expect(data.errors!.map(({ path }) => path).sort()).toEqual(paths);
    expect(await identity.weight()).toEqual(before);
  });
  it('treats a password with NUL as wrong', async () => {
    const { email } = await identity.aPerson();
    expect(await signIns.tryWith(email, `${password}\u0000`)).toMatchObject({ status: 401 });
  });
});

describe('every sign-in', () => {
  it("opens a session with a new id, regardless of the browser's cookies", async () => {
    const person = await identity.aPerson();
    const first = await signIns.of(person);
    const body = { email: person.email, password };
    const again = await identity.call(signIn, asSession(first.session), { body });
    const planted = newId();
    const fixed = await identity.call(signIn, asActor({ type: 'user', user_id: person.user_id, role: null, session_id: planted }), {
      body,
    });
    const ids = [first.session, again.data['session'] as Session, fixed.data['session'] as Session].map(({ session_id }) => session_id);
    expect(new Set([...ids, planted]).size).toBe(4);
  });

  it('after a password change accepts only the new one, even if already in progress', async () => {
    const person = await identity.aPerson();
    const from = await identity.db.asSystem('test', async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', person.user_id).forUpdate().executeTakeFirst();
      const answer = signIns.tryWith(person.email);
      // The sign-in compares with the old hash and then waits for this transaction.
      await eventually(async () => {
        // In a separate transaction, because `pg_stat_activity` is a snapshot per transaction and would not show connections opened later.
        const { rows } = await identity.db.asSystem('test', (other) =>
          sql<{ waiting: boolean }>`select exists (
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`.execute(other),
        );
        return rows[0]!.waiting;
      });
      await tx
        .updateTable('users')
        .set({ password_hash: await hashPassword('another-Password-9') })
        .where('id', '=', person.user_id)
        .execute();
      return { answer };
    });
    expect(await from.answer).toMatchObject({ status: 401, data: { code: 'credentials.invalid' } });
    expect(await signIns.tryWith(person.email, 'another-Password-9')).toMatchObject({ status: 200 });
  });
});

describe('the audit log', () => {
  it('records who signed in, when and from where', async () => {
    const { person, organization } = await signIns.aMember();
    await signIns.of(person);
    const [entry, ...others] = await signIns.log(organization.id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ type: 'sign_in.succeeded', actor_id: person.user_id, actor_email: person.email, ...client });
    about(entry!.occurred_at, 0);
  });
  it('records failures for members without an actor, even if another user is signed in', async () => {
    const { person, organization } = await signIns.aMember();
    const colleague = await signIns.join(organization.id, 'agent');
    await signIns.tryWith(person.email, 'wrong-password');
    const body = { email: person.email, password: 'wrong-password' };
    await identity.call(signIn, asPerson(colleague, { organization_id: organization.id, role: 'agent' }), { body });
    const failed = { type: 'sign_in.failed', severity: 'medium', actor_id: null, actor_email: null, target: person.email, ...client };
    expect(await signIns.log(organization.id)).toMatchObject([failed, failed]);
    expect(JSON.stringify(await signIns.log(organization.id))).not.toContain('wrong-password');
  });
  it('records attempts of a deactivated member', async () => {
    const { person, organization } = await signIns.aMember();
    await signIns.setMember(person, organization.id, { is_active: false });
    await signIns.tryWith(person.email);
    expect(await signIns.logTypes(organization.id)).toEqual(['sign_in.failed']);
  });
  it('records nothing for unknown addresses and users without an organization', async () => {
    const rows = () =>
      identity.db.asSystem('test', (tx) =>
        tx
          .selectFrom('audit_log')
          .select((of) => of.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      );
    const before = await rows();
    const person = await identity.aPerson();
    await signIns.tryWith('nobody@example.com');
    await signIns.tryWith(person.email, 'wrong-password');
    await signIns.of(person);
    expect(await rows()).toEqual(before);
  });
  it("records lock-outs that the gateway reports, and no other caller's", async () => {
    const { person, organization } = await signIns.aMember();
    const lockOut = (email: unknown) => identity.call(recordLockOut, gateway, { body: { email } });
    expect(await lockOut(` ${person.email.toUpperCase()} `)).toMatchObject({ status: 200 });
    for (const email of ['nobody@example.com', '', 'x', 'a\u0000@example.com', '\ud800'])
      expect(await lockOut(email)).toMatchObject({ status: 200 });
    expect(await signIns.log(organization.id)).toMatchObject([
      { type: 'sign_in.locked_out', severity: 'high', actor_id: null, target: person.email },
    ]);
    for (const email of [undefined, null, 5, [person.email], 'x'.repeat(255)]) expect(await lockOut(email)).toMatchObject({ status: 422 });
    expect(await identity.call(recordLockOut, undefined, { body: { email: person.email } })).toMatchObject({ status: 401 });
    expect(await signIns.log(organization.id)).toHaveLength(1);
  });
});

describe('a failed sign-in', () => {
  const timed = async (email: string) => {
    const begun = performance.now();
    expect(await signIns.tryWith(email, 'wrong-password')).toMatchObject({ status: 401 });
    return performance.now() - begun;
  };
  it("takes at least a fixed time, whether or not the address is known or a member's", async () => {
    const [{ person: member }, person] = [await signIns.aMember(), await identity.aPerson()];
    for (const email of [member.email, person.email, 'nobody@example.com']) {
      expect(await timed(email)).toBeGreaterThanOrEqual(minFailureMs - 1);
    }
  });
});

describe('concurrent sessions', () => {
  const elsewhere = { user_agent: 'Another Browser/2.0' };

  it('on the same device are not recorded', async () => {
    const { person, organization } = await signIns.aMember();
    await signIns.of(person);
    await signIns.of(person);
    expect(await signIns.logTypes(organization.id)).toEqual(['sign_in.succeeded', 'sign_in.succeeded']);
  });
  it.each([elsewhere, { ip: '198.51.100.4' }])('on another device (%j) are suspicious if younger than five minutes', async (from) => {
    const { person, organization } = await signIns.aMember();
    await signIns.of(person);
    await signIns.of(person, from);
    expect((await signIns.log(organization.id)).at(-1)).toMatchObject({
      type: 'suspicious_concurrent_session',
      severity: 'high',
      actor_id: person.user_id,
      ...client,
      ...from,
    });
  });
  it('that are older or have ended are not suspicious', async () => {
    const { person, organization } = await signIns.aMember();
    const [old, ended, idle] = [await signIns.of(person), await signIns.of(person), await signIns.of(person)];
    await signIns.move(old.session, { created_at: -301 });
    await identity.call(signOut, asSession(ended.session));
    await signIns.move(idle.session, { idle_expires_at: -1 });
    await signIns.of(person, elsewhere);
    expect(await signIns.logTypes(organization.id)).not.toContain('suspicious_concurrent_session');
  });
  it('of more than three are excessive, even if opened concurrently', async () => {
    const { person, organization } = await signIns.aMember();
    const excessive = async () => (await signIns.log(organization.id)).filter(({ type }) => type === 'excessive_concurrent_sessions');
    await Promise.all([1, 2, 3].map(() => signIns.of(person)));
    expect(await excessive()).toEqual([]);
    await Promise.all([1, 2].map(() => signIns.of(person)));
    expect(await excessive()).toMatchObject([
      { severity: 'medium', actor_id: person.user_id },
      { severity: 'medium', actor_id: person.user_id },
    ]);
  });
});

it('sign-ins are counted by step and outcome', async () => {
  const scrape = await enableMetrics();
  const { email } = await identity.aPerson();
  await signIns.tryWith(email, 'wrong-password');
  await signIns.tryWith(email);
  await identity.call(recordLockOut, gateway, { body: { email } });
  const counted = await scrape();
  for (const outcome of ['success', 'refused', 'locked_out'])
    expect([outcome, counted.value('tandem_sign_ins_total', { step: 'password', outcome })]).toEqual([outcome, 1]);
});
