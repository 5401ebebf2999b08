import { changePassword, refreshSession, signIn, verifyMfa, type MfaChallenge } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { anonymous, asPerson, client, IdentityUnderTest, password, type Person } from '../../test/identity';
import { about, codeOf, fromNow, SignIns, wrongCodeOf, type Issued } from '../../test/sign-ins';

let identity: IdentityUnderTest;
let signIns: SignIns;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  signIns = new SignIns(identity);
});
afterAll(() => identity?.close());

const expiredChallenge = { status: 410, data: { code: 'mfa.challenge_expired' } };
const wrongCode = { status: 401, data: { code: 'mfa.code_invalid' } };
const verify = (mfa_token: unknown, code: unknown) => identity.call(verifyMfa, anonymous(), { body: { mfa_token, code } });
const challenged = async (person: Person): Promise<string> => {
  const { status, data } = await signIns.tryWith(person.email);
  expect({ status, data }).toMatchObject({ status: 200, data: { mfa_required: true } });
  return data['mfa_token'] as string;
};
const aProtectedMember = async () => {
  const member = await signIns.aMember();
  return { ...member, ...(await signIns.withMfa(member.person, member.membership)) };
};

describe('the first step', () => {
  it('returns a challenge for five minutes, and opens no session', async () => {
    const { person } = await aProtectedMember();
    const before = await identity.weight();
    const { status, data } = await signIns.tryWith(person.email);
    expect(status).toBe(200);
    expect(Object.keys(data).sort()).toEqual(['expires_at', 'mfa_required', 'mfa_token']);
    const { mfa_token, expires_at } = data as unknown as MfaChallenge;
    expect(mfa_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    about(expires_at, 300);
    expect(await identity.weight()).toEqual({ ...before, mfa_challenges: before['mfa_challenges']! + 1 });
    const kept = await identity.db.asSystem('test', (tx) => tx.selectFrom('mfa_challenges').selectAll().execute());
    expect(kept.map(({ token_hash }) => token_hash)).toContain(hashToken(mfa_token));
    expect(JSON.stringify(kept)).not.toContain(mfa_token);
  });
  it('requires the password: a wrong one does not reveal the second factor', async () => {
    const { person } = await aProtectedMember();
    expect(await signIns.tryWith(person.email, 'wrong-password')).toMatchObject({ status: 401, data: { code: 'credentials.invalid' } });
  });
  it('rejects a deactivated member after the password', async () => {
    const { person, organization } = await aProtectedMember();
    await signIns.setMember(person, organization.id, { is_active: false });
    const before = await identity.weight();
    expect(await signIns.tryWith(person.email)).toMatchObject({ status: 403, data: { code: 'account.inactive' } });
    expect(await identity.weight()).toEqual(before);
  });
  it('is not required by an unconfirmed secret', async () => {
    const person = await identity.aPerson();
    await signIns.withMfa(person);
    await identity.db.asSystem('test', (tx) =>
      tx.updateTable('mfa').set({ confirmed_at: null }).where('user_id', '=', person.user_id).execute(),
    );
    await signIns.of(person);
  });
});

describe('the second step', () => {
  it('opens the session with an authenticator code, and consumes the challenge', async () => {
    const { person, organization, secret } = await aProtectedMember();
    const token = await challenged(person);
    const { status, data } = await verify(token, codeOf(secret));
    expect(status).toBe(200);
    const { session, refresh_token } = data as unknown as Issued;
    expect(session).toMatchObject({ profile: { user_id: person.user_id, role: 'admin' }, mfa_enrolment_required: false });
    expect(await signIns.rowOf(session)).toMatchObject(client);
    await signIns.refreshed(refresh_token);
    expect(await verify(token, codeOf(secret, 1))).toMatchObject(expiredChallenge);
    expect(await signIns.logTypes(organization.id)).toEqual(['mfa.enabled', 'sign_in.succeeded']);
    expect((await signIns.log(organization.id)).at(-1)).toMatchObject({ actor_id: person.user_id });
  });
  it('accepts a code once, even with another challenge', async () => {
    const { person, secret } = await aProtectedMember();
    const [one, other] = [await challenged(person), await challenged(person)];
    const code = codeOf(secret);
    expect(await verify(one, code)).toMatchObject({ status: 200 });
    expect(await verify(other, code)).toMatchObject(wrongCode);
  });
  it('rejects the code that completed the setup', async () => {
    const { person, secret } = await aProtectedMember();
    const step = Math.floor(Date.now() / 30_000);
    await identity.db.asSystem('test', (tx) =>
      tx.updateTable('mfa').set({ last_used_step: step }).where('user_id', '=', person.user_id).execute(),
    );
    expect(await verify(await challenged(person), codeOf(secret, -1))).toMatchObject(wrongCode);
  });
  it.each<[string, 'same' | 'own']>([
    ['the same challenge', 'same'],
    ['a separate challenge each', 'own'],
  ])('of several requests at once with one code and %s lets one in', async (_what, kind) => {
    const { person, secret } = await aProtectedMember();
    const first = await challenged(person);
    const tokens = kind === 'same' ? [first, first, first] : [first, await challenged(person), await challenged(person)];
    const code = codeOf(secret);
    const answers = await Promise.all(tokens.map((token) => verify(token, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === (kind === 'same' ? 410 : 401))).toHaveLength(2);
  });
  it('can be tried again after a wrong code', async () => {
    const { person, organization, secret } = await aProtectedMember();
    const token = await challenged(person);
    expect(await verify(token, wrongCodeOf(secret))).toMatchObject(wrongCode);
    expect(await verify(token, 'abcd-efgh-ijkl-mnop')).toMatchObject(wrongCode);
    expect(await verify(token, codeOf(secret))).toMatchObject({ status: 200 });
    expect(await signIns.logTypes(organization.id)).toEqual(['mfa.enabled', 'sign_in.failed', 'sign_in.failed', 'sign_in.succeeded']);
    expect((await signIns.log(organization.id))[1]).toMatchObject({ actor_id: null, target: person.email });
  });
  it('expires after five minutes', async () => {
    const { person, secret } = await aProtectedMember();
    const token = await challenged(person);
    await identity.db.asSystem('test', (tx) =>
      tx
        .updateTable('mfa_challenges')
        .set({ expires_at: fromNow(-1) })
        .where('token_hash', '=', hashToken(token))
        .execute(),
    );
    expect(await verify(token, codeOf(secret))).toMatchObject(expiredChallenge);
    // Starting a new challenge deletes the expired one.
    await challenged(person);
    const left = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('mfa_challenges').selectAll().where('user_id', '=', person.user_id).execute(),
    );
    expect(left).toHaveLength(1);
  });
  it('ends if the password changes', async () => {
    const { person, membership, secret } = await aProtectedMember();
    const token = await challenged(person);
    const body = { current_password: password, new_password: 'q8!other-Quiet' };
    expect(await identity.call(changePassword, asPerson(person, membership), { body })).toMatchObject({ status: 200 });
    expect(await verify(token, codeOf(secret))).toMatchObject(expiredChallenge);
  });
  it('ends if the member is deactivated, and consumes no code', async () => {
    const { person, organization, recovery_codes } = await aProtectedMember();
    const token = await challenged(person);
    await signIns.setMember(person, organization.id, { is_active: false });
    const before = await identity.weight();
    expect(await verify(token, recovery_codes[0])).toMatchObject({ status: 403, data: { code: 'account.inactive' } });
    expect(await identity.weight()).toEqual(before);
    await signIns.setMember(person, organization.id, { is_active: true });
    expect(await verify(token, recovery_codes[0])).toMatchObject({ status: 200 });
  });
  it("rejects another user's code", async () => {
    const [one, other] = [await aProtectedMember(), await aProtectedMember()];
    const token = await challenged(one.person);
    expect(await verify(token, other.recovery_codes[0])).toMatchObject(wrongCode);
    expect(await verify(token, codeOf(other.secret))).toMatchObject(wrongCode);
  });
});

describe('a recovery code', () => {
  it('opens a session once, with any spacing, and is recorded', async () => {
    const { person, organization, recovery_codes } = await aProtectedMember();
    const code = recovery_codes[3]!;
    expect(await verify(await challenged(person), ` ${code.toUpperCase().replaceAll('-', ' ')} `)).toMatchObject({ status: 200 });
    expect(await verify(await challenged(person), code)).toMatchObject(wrongCode);
    expect(await verify(await challenged(person), recovery_codes[4])).toMatchObject({ status: 200 });
    const [used, succeeded] = (await signIns.log(organization.id)).slice(1);
    expect(used).toMatchObject({ type: 'mfa.recovery_code_used', actor_id: person.user_id, severity: 'medium', ...client });
    expect(succeeded).toMatchObject({ type: 'sign_in.succeeded' });
    expect(JSON.stringify(await signIns.log(organization.id))).not.toContain(code);
  });
  it('opens one session for concurrent requests', async () => {
    const { person, recovery_codes } = await aProtectedMember();
    const tokens = [await challenged(person), await challenged(person), await challenged(person)];
    const answers = await Promise.all(tokens.map((token) => verify(token, recovery_codes[0])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });
});

describe('wrong codes', () => {
  it('block for 30 minutes after five in all challenges, even for the correct code', async () => {
    const { person, organization, secret, recovery_codes } = await aProtectedMember();
    for (let round = 0; round < 5; round++) expect(await verify(await challenged(person), wrongCodeOf(secret))).toMatchObject(wrongCode);
    const token = await challenged(person);
    for (const code of [codeOf(secret), recovery_codes[0]]) {
      const response = await identity.send(verifyMfa, anonymous(), { body: { mfa_token: token, code } });
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(1780);
      expect(await response.json()).toMatchObject({
        code: 'login.blocked',
        detail: 'Too many failed login attempts. Please try again in 30 minutes.',
      });
    }
    const types = await signIns.logTypes(organization.id);
    expect(types.filter((type) => type === 'sign_in.locked_out')).toHaveLength(1);
    await signIns.setMfa(person, { blocked_until: fromNow(-1) });
    expect(await verify(token, codeOf(secret))).toMatchObject({ status: 200 });
  });
  it('are compared at most five times for concurrent requests', async () => {
    const { person, secret } = await aProtectedMember();
    const token = await challenged(person);
    const answers = await Promise.all(Array.from({ length: 12 }, () => verify(token, wrongCodeOf(secret))));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });
  it('are counted from zero after a correct one, and 15 minutes after the first', async () => {
    const { person, secret, recovery_codes } = await aProtectedMember();
    const failFourTimes = async () => {
      for (let round = 0; round < 4; round++) expect(await verify(await challenged(person), wrongCodeOf(secret))).toMatchObject(wrongCode);
    };
    await failFourTimes();
    expect(await verify(await challenged(person), recovery_codes[0])).toMatchObject({ status: 200 });
    await failFourTimes();
    await signIns.setMfa(person, { failed_since: fromNow(-901) });
    await failFourTimes();
    expect(await verify(await challenged(person), codeOf(secret))).toMatchObject({ status: 200 });
  });
});

describe('the input of the second step', () => {
  const token = 'A'.repeat(43);
  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['code', 'mfa_token']],
    ['nulls', { mfa_token: null, code: null }, ['code', 'mfa_token']],
    ['an empty token', { mfa_token: '', code: '123456' }, ['mfa_token']],
    ['a token that is too long', { mfa_token: `${token}A`, code: '123456' }, ['mfa_token']],
    ['a token with NUL', { mfa_token: `${token.slice(1)}\u0000`, code: '123456' }, ['mfa_token']],
    ['a token of the wrong type', { mfa_token: [token], code: '123456' }, ['mfa_token']],
    ['an empty code', { mfa_token: token, code: '' }, ['code']],
    ['a blank code', { mfa_token: token, code: ' - ' }, ['code']],
    ['a number as code', { mfa_token: token, code: 123_456 }, ['code']],
    ['a code that is too long', { mfa_token: token, code: '1'.repeat(1_000_000) }, ['code']],
    ['look-alike digits', { mfa_token: token, code: '１２３４５６' }, ['code']],
    ['an additional user id', { mfa_token: token, code: '123456', user_id: newId() }, ['user_id']],
    ['several faults at once', { mfa_token: 1, code: {}, x: 1 }, ['code', 'mfa_token', 'x']],
  ])('is refused: %s', async (_what, body, paths) => {
    const before = await identity.weight();
    const { status, data } = await identity.call(verifyMfa, anonymous(), { body });
    expect(status).toBe(422);
    expect(data.errors!.map(({ path }) => path).sort()).toEqual(paths);
    expect(await identity.weight()).toEqual(before);
  });
  it('is an expired challenge for an unknown token or a refresh token', async () => {
    expect(await verify(token, '123456')).toMatchObject(expiredChallenge);
    const { refresh_token } = await signIns.of();
    expect(await verify(refresh_token, '123456')).toMatchObject(expiredChallenge);
    const { person } = await aProtectedMember();
    expect(await identity.call(refreshSession, anonymous(), { body: { refresh_token: await challenged(person) } })).toMatchObject({
      status: 401,
    });
    expect(await identity.call(signIn, anonymous(), { body: { email: person.email, password: await challenged(person) } })).toMatchObject({
      status: 401,
    });
  });
});
