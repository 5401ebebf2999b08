import { createOrganization, readSession, refreshSession, signIn, signOut, type IssuedSession, type Session } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, asPerson, asSession, client, IdentityUnderTest, password, type Person } from '../../test/identity';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const tryToSignIn = (email: unknown, withPassword: unknown = password) =>
  identity.call(signIn, anonymous(), { body: { email, password: withPassword } });
const signedIn = async (person?: Person): Promise<IssuedSession & { refresh_token: string }> => {
  const { status, data } = await tryToSignIn((person ?? (await identity.aPerson())).email);
  expect(status).toBe(200);
  return data as unknown as IssuedSession & { refresh_token: string };
};
const refresh = (refresh_token: unknown) => identity.call(refreshSession, anonymous(), { body: { refresh_token } });
const refreshed = async (token: string): Promise<string> => {
  const { status, data } = await refresh(token);
  expect(status).toBe(200);
  return data.refresh_token as string;
};
const read = (session: Session) => identity.call(readSession, asSession(session));
const rowOf = (session: Session) =>
  identity.db.asSystem('test', (tx) =>
    tx.selectFrom('sessions').selectAll().where('id', '=', session.session_id).executeTakeFirstOrThrow(),
  );
type Times = Partial<Record<'last_seen_at' | 'idle_expires_at' | 'absolute_expires_at' | 'rotated_at', number>>;
/** Moves times of a session to so many seconds from now. */
const move = (session: Session, seconds: Times) =>
  identity.db.asSystem('test', (tx) =>
    tx
      .updateTable('sessions')
      .set(Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, new Date(Date.now() + value * 1000).toISOString()])))
      .where('id', '=', session.session_id)
      .execute(),
  );
const about = (iso: unknown, seconds: number) =>
  expect(Math.abs(Date.parse(iso as string) - Date.now() - seconds * 1000)).toBeLessThan(10_000);
const expired = { status: 401, data: { code: 'session.expired' } };

describe('sign-in', () => {
  it('opens a session of 8 hours that ends after 30 minutes without use', async () => {
    const person = await identity.aPerson();
    const { session, refresh_token } = await signedIn(person);
    expect(session).toMatchObject({ profile: { ...person, role: null, organization_id: null }, organization: null });
    about(session.idle_expires_at, 30 * 60);
    about(session.absolute_expires_at, 8 * 3600);
    expect(refresh_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
  it('notes where it came from, and keeps the refresh token only as a hash', async () => {
    const { session, refresh_token } = await signedIn();
    expect(await rowOf(session)).toMatchObject(client);
    const tokens = await identity.db.asSystem('test', (tx) => tx.selectFrom('refresh_tokens').selectAll().execute());
    expect(JSON.stringify(tokens)).not.toContain(refresh_token);
  });
  it('folds the address and nothing of the password', async () => {
    const { email } = await identity.aPerson();
    expect(await tryToSignIn(` ${email.toUpperCase()} `)).toMatchObject({ status: 200 });
    expect(await tryToSignIn(email, ` ${password}`)).toMatchObject({ status: 401 });
    expect(await tryToSignIn(email, password.toUpperCase())).toMatchObject({ status: 401 });
  });
  it('says the same for an unknown address and for a wrong password', async () => {
    const { email } = await identity.aPerson();
    const same = { status: 401, data: { code: 'credentials.invalid', title: 'Invalid login credentials' } };
    const [unknown, wrong] = [await tryToSignIn('nobody@example.com'), await tryToSignIn(email, 'wrong-password')];
    expect(unknown).toMatchObject(same);
    expect({ ...wrong.data, request_id: null }).toEqual({ ...unknown.data, request_id: null });
  });
  it('tells that an address is not confirmed only to whom knows the password', async () => {
    const { email } = await identity.aPerson({ confirmed: false });
    expect(await tryToSignIn(email, 'wrong-password')).toMatchObject({ status: 401, data: { code: 'credentials.invalid' } });
    expect(await tryToSignIn(email)).toMatchObject({ status: 403, data: { code: 'email.not_confirmed', title: 'Email not confirmed' } });
  });
  it('tells that an account was deactivated only to whom knows the password, and opens no session', async () => {
    const { person } = await aMember();
    await deactivate(person);
    const before = await identity.weight();
    expect(await tryToSignIn(person.email, 'wrong-password')).toMatchObject({ status: 401, data: { code: 'credentials.invalid' } });
    expect(await tryToSignIn(person.email)).toMatchObject({ status: 403, data: { code: 'account.inactive' } });
    expect(await identity.weight()).toEqual(before);
  });
  it('carries role and organization of a member', async () => {
    const { person, organization } = await aMember();
    const { session } = await signedIn(person);
    expect(session).toMatchObject({ organization, profile: { role: 'admin', organization_id: organization.id } });
  });
  it('forgets sessions that ended more than 24 hours ago, and no others', async () => {
    const person = await identity.aPerson();
    const [old, recent] = [await signedIn(person), await signedIn(person)];
    await move(old.session, { idle_expires_at: -90_000, absolute_expires_at: -86_401 });
    await move(recent.session, { idle_expires_at: -90_000, absolute_expires_at: -86_300 });
    await signedIn(person);
    const left = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('sessions').select('id').where('user_id', '=', person.user_id).execute(),
    );
    expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining([recent.session.session_id]));
    expect(left.map(({ id }) => id)).not.toContain(old.session.session_id);
  });
  it.each([
    ['no body', undefined],
    ['an array', []],
    ['an empty address', { email: '', password }],
    ['an address that is none', { email: 'x', password }],
    ['an address of the wrong type', { email: { $ne: '' }, password }],
    ['an address with NUL', { email: 'a\u0000@example.com', password }],
    ['no password', { email: 'a@example.com' }],
    ['an empty password', { email: 'a@example.com', password: '' }],
    ['a password of the wrong type', { email: 'a@example.com', password: [password] }],
    ['a password that is far too long', { email: 'a@example.com', password: 'x'.repeat(1025) }],
    ['an unknown member', { email: 'a@example.com', password, remember: true }],
  ])('refuses %s', async (_what, body) => {
    const before = await identity.weight();
    const { status } = await identity.call(signIn, anonymous(), { body });
    expect([400, 422]).toContain(status);
    expect(await identity.weight()).toEqual(before);
  });
  it('takes a password with NUL for a wrong one', async () => {
    const { email } = await identity.aPerson();
    expect(await tryToSignIn(email, `${password}\u0000`)).toMatchObject({ status: 401 });
  });
});

describe('refresh', () => {
  it('rotates the token and postpones the idle deadline only', async () => {
    const { session, refresh_token } = await signedIn();
    await move(session, { last_seen_at: -600, idle_expires_at: 1200 });
    const { status, data } = await refresh(refresh_token);
    const renewed = data as unknown as IssuedSession;
    expect(status).toBe(200);
    expect(renewed.refresh_token).not.toBe(refresh_token);
    about(renewed.session.idle_expires_at, 1800);
    expect(renewed.session.absolute_expires_at).toBe(session.absolute_expires_at);
    expect((await rowOf(session)).idle_expires_at).toBe(renewed.session.idle_expires_at);
    await refreshed(renewed.refresh_token ?? '');
  });
  it('never postpones beyond the eight hours', async () => {
    const { session, refresh_token } = await signedIn();
    await move(session, { idle_expires_at: 60, absolute_expires_at: 300 });
    const { data } = await refresh(refresh_token);
    about((data as unknown as IssuedSession).session.idle_expires_at, 300);
  });
  it('of several tabs at once rotates once, and the others keep their cookie', async () => {
    const { refresh_token } = await signedIn();
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => refresh(refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const tokens = answers.map(({ data }) => data.refresh_token).filter((token) => token !== null);
    expect(tokens).toHaveLength(1);
    await refreshed(tokens[0] as string);
  });
  it('with the token before the current one, 20 seconds later, ends the session for thief and owner', async () => {
    const { session, refresh_token } = await signedIn();
    const current = await refreshed(refresh_token);
    await move(session, { rotated_at: -21 });
    expect(await refresh(refresh_token)).toMatchObject(expired);
    expect(await rowOf(session)).toMatchObject({ end_reason: 'token_reused' });
    expect(await refresh(current)).toMatchObject(expired);
    expect(await read(session)).toMatchObject(expired);
  });
  it('with a token from before the last two rotations ends the session at once', async () => {
    const { session, refresh_token } = await signedIn();
    const current = await refreshed(await refreshed(refresh_token));
    expect(await refresh(refresh_token)).toMatchObject(expired);
    expect(await refresh(current)).toMatchObject(expired);
    expect(await read(session)).toMatchObject(expired);
  });
  it('that ends one session leaves the person’s others alone', async () => {
    const person = await identity.aPerson();
    const [one, other] = [await signedIn(person), await signedIn(person)];
    await refreshed(await refreshed(one.refresh_token));
    await refresh(one.refresh_token);
    expect(await read(one.session)).toMatchObject(expired);
    expect(await read(other.session)).toMatchObject({ status: 200 });
  });
  it.each<[string, Times]>([
    ['30 minutes without use', { idle_expires_at: -1 }],
    ['8 hours', { idle_expires_at: -1, absolute_expires_at: -1 }],
  ])('is over after %s, and rotates nothing', async (_when, times) => {
    const { session, refresh_token } = await signedIn();
    await move(session, times);
    const before = await identity.weight();
    expect(await refresh(refresh_token)).toMatchObject(expired);
    expect(await read(session)).toMatchObject(expired);
    expect(await identity.weight()).toEqual(before);
  });
  it('is over for a deactivated account', async () => {
    const { person } = await aMember();
    const { session, refresh_token } = await signedIn(person);
    await deactivate(person);
    expect(await refresh(refresh_token)).toMatchObject(expired);
    expect(await read(session)).toMatchObject(expired);
  });
  it('with an unknown token is an expired session', async () => expect(await refresh('A'.repeat(43))).toMatchObject(expired));
  it.each([undefined, null, '', [], {}, 5, 'short', 'A'.repeat(44), `${'A'.repeat(42)}\u0000`])('refuses %j as a token', async (token) =>
    expect(await refresh(token)).toMatchObject({ status: 422, data: { code: 'request.invalid' } }),
  );
  it('refuses an unknown member', async () => {
    const { refresh_token } = await signedIn();
    expect(await identity.call(refreshSession, anonymous(), { body: { refresh_token, user_id: newId() } })).toMatchObject({ status: 422 });
  });
});

describe('reading the session', () => {
  it('is no activity: it postpones nothing', async () => {
    const { session } = await signedIn();
    await move(session, { last_seen_at: -600, idle_expires_at: 1200 });
    const before = await rowOf(session);
    expect(await read(session)).toMatchObject({ status: 200, data: { idle_expires_at: before.idle_expires_at } });
    expect(await rowOf(session)).toEqual(before);
  });
  it('shows the organization as soon as there is one', async () => {
    const person = await identity.aPerson();
    const { session } = await signedIn(person);
    const { data: organization } = await identity.call(createOrganization, asSession(session), { body: { name: 'Fresh Start' } });
    expect(await read(session)).toMatchObject({
      status: 200,
      data: { organization, profile: { role: 'admin', organization_id: organization.id } },
    });
  });
  it('of somebody else is an expired session', async () => {
    const [mine, other] = [await signedIn(), await identity.aPerson()];
    const stranger = asActor({ type: 'user', user_id: other.user_id, role: null, session_id: mine.session.session_id });
    expect(await identity.call(readSession, stranger)).toMatchObject(expired);
    expect(await identity.call(readSession, asPerson(other))).toMatchObject(expired);
  });
  it('is for nobody but a person who is signed in', async () => {
    expect(await identity.call(readSession, undefined)).toMatchObject({ status: 401 });
    for (const ctx of [anonymous(), asActor({ type: 'system' })])
      expect([401, 403]).toContain((await identity.call(readSession, ctx)).status);
  });
});

describe('sign-out', () => {
  it('ends the session at once, refresh token included, and may be repeated', async () => {
    const { session, refresh_token } = await signedIn();
    expect(await identity.call(signOut, asSession(session))).toMatchObject({ status: 200, data: {} });
    expect(await read(session)).toMatchObject(expired);
    expect(await refresh(refresh_token)).toMatchObject(expired);
    expect(await identity.call(signOut, asSession(session))).toMatchObject({ status: 200 });
    expect(await rowOf(session)).toMatchObject({ end_reason: 'signed_out' });
  });
  it('does not end somebody else’s session', async () => {
    const [mine, other] = [await signedIn(), await identity.aPerson()];
    await identity.call(signOut, asActor({ type: 'user', user_id: other.user_id, role: null, session_id: mine.session.session_id }));
    expect(await read(mine.session)).toMatchObject({ status: 200 });
  });
  it('is for nobody but a person who is signed in', async () => {
    expect(await identity.call(signOut, undefined)).toMatchObject({ status: 401 });
    expect([401, 403]).toContain((await identity.call(signOut, anonymous())).status);
  });
});

async function aMember() {
  const person = await identity.aPerson();
  const { data: organization } = await identity.call(createOrganization, asPerson(person), { body: { name: 'Members Only' } });
  return { person, organization: organization as Record<string, unknown> & { id: string } };
}

async function deactivate(person: Person) {
  const { organization_id } = await identity.db.asSystem('test', (tx) =>
    tx.selectFrom('members').select('organization_id').where('user_id', '=', person.user_id).executeTakeFirstOrThrow(),
  );
  await identity.db.forTenant({ organization_id }, (tx) =>
    tx.updateTable('members').set({ is_active: false }).where('user_id', '=', person.user_id).execute(),
  );
}
