import { changePassword, type Context } from '@tandem/contracts';
import { anonymous, IdentityUnderTest, password } from '../../test/identity';
import { accessVersionOf, aMember, auditOf } from '../../test/members';
import { nextPassword, Passwords, refusedPasswords } from '../../test/passwords';

let identity: IdentityUnderTest;
let passwords: Passwords;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  passwords = new Passwords(identity);
});
afterAll(() => identity?.close());

const reset = (token: unknown, withPassword: unknown = nextPassword) => passwords.reset({ token, password: withPassword });

describe('changing the password', () => {
  const change = (me: Context | undefined, body: unknown) => identity.call(changePassword, me, { body });
  const good = { current_password: password, new_password: nextPassword };

  it('ends all other sessions and links, keeps this session, and notifies the user', async () => {
    const { person, organization_id } = await aMember(identity);
    await passwords.signedInAs(person);
    const me = await passwords.signedInAs(person);
    await passwords.otherLinks(person);
    const version = await accessVersionOf(identity, person);
    expect(await change(me, good)).toEqual({ status: 200, data: {} });
    const { [(me.actor as { session_id: string }).session_id]: mine, ...others } = await passwords.sessionsOf(person);
    expect({ mine, others: Object.values(others) }).toEqual({ mine: null, others: ['password_changed'] });
    expect(await accessVersionOf(identity, person)).toBe(version + 1);
    expect(await passwords.linksOf(person)).toBe(0);
    expect(await passwords.changesOf(person)).toEqual([
      expect.objectContaining({ organization_id: null, data: expect.objectContaining({ email: person.email, what: 'password_changed' }) }),
    ]);
    expect(await auditOf(identity, organization_id, 'password.changed')).toEqual([
      expect.objectContaining({ actor_id: person.user_id, changes: null }),
    ]);
    expect(await passwords.tryToSignIn(person.email)).toMatchObject({ status: 401 });
    expect(await passwords.tryToSignIn(person.email, nextPassword)).toMatchObject({ status: 200 });
  });

  it('records no audit entry for a user without an organization', async () => {
    const person = await identity.aPerson();
    expect(await change(await passwords.signedInAs(person), good)).toMatchObject({ status: 200 });
    const lines = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('audit_log').select('id').where('actor_id', '=', person.user_id).execute(),
    );
    expect(lines).toEqual([]);
  });

  it('requires the current one, and is blocked after five wrong ones', async () => {
    const person = await identity.aPerson();
    const me = await passwords.signedInAs(person);
    const before = await identity.weight();
    for (let round = 0; round < 5; round++) {
      expect(await change(me, { ...good, current_password: 'wrong-one' })).toMatchObject({ status: 403, data: { code: 'password.wrong' } });
    }
    expect(await change(me, good)).toMatchObject({ status: 429, data: { code: 'login.blocked' } });
    expect(await identity.weight()).toEqual(before);
    expect(await passwords.tryToSignIn(person.email)).toMatchObject({ status: 200 });
  });

  it('concurrently in two places sets one of the passwords, with one event', async () => {
    const person = await identity.aPerson();
    const [one, other] = [await passwords.signedInAs(person), await passwords.signedInAs(person)];
    const choices = ['first-of-two-9!', 'second-of-two-9!'];
    const answers = await Promise.all([
      change(one, { ...good, new_password: choices[0] }),
      change(other, { ...good, new_password: choices[1] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const signIns = await Promise.all(choices.map((typed) => passwords.tryToSignIn(person.email, typed)));
    expect(signIns.map(({ status }) => status === 200)).toEqual(choices.map((_, index) => index === winner));
    expect(await passwords.changesOf(person)).toHaveLength(1);
  });

  it('and a concurrent reset set the password of one of them', async () => {
    const person = await identity.aPerson();
    const me = await passwords.signedInAs(person);
    const token = await passwords.aToken(person);
    const [changed, wasReset] = await Promise.all([change(me, { ...good, new_password: 'first-of-two-9!' }), reset(token, nextPassword)]);
    const choices = ['first-of-two-9!', nextPassword, password];
    const signIns = await Promise.all(choices.map((typed) => passwords.tryToSignIn(person.email, typed)));
    expect(signIns.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(signIns[2]!.status).toBe(401);
    // The later one saw the other's change.
    expect([changed.status, wasReset.status].filter((status) => status === 200)).toHaveLength(1);
  });

  it.each(refusedPasswords.map(([what, value, message]) => ({ what, value, message })))(
    'rejects $what as the new password and changes nothing',
    async ({ value, message }) => {
      const person = await identity.aPerson();
      const me = await passwords.signedInAs(person);
      const before = await identity.weight();
      const { status, data } = await change(me, { ...good, new_password: value });
      expect({ status, path: data.errors?.[0]?.path }).toEqual({ status: 422, path: 'new_password' });
      if (message !== undefined) expect(data.errors?.map((error) => error.message)).toContain(message);
      expect(await identity.weight()).toEqual(before);
    },
  );
  it('rejects the current password as the new one', async () => {
    const me = await passwords.signedInAs(await identity.aPerson());
    expect(await change(me, { ...good, new_password: password })).toMatchObject({
      status: 422,
      data: { errors: [{ path: 'new_password', code: 'password_same' }] },
    });
  });
  it.each([undefined, null, '', 7, [], { $ne: '' }, 'x'.repeat(1025)])('rejects %j as the current password', async (current_password) => {
    const me = await passwords.signedInAs(await identity.aPerson());
    const { status, data } = await change(me, { ...good, current_password });
    expect({ status, path: data.errors?.[0]?.path }).toEqual({ status: 422, path: 'current_password' });
  });
  it('rejects variants of the current password', async () => {
    const me = await passwords.signedInAs(await identity.aPerson());
    for (const current_password of [`${password} `, password.replace('x', 'х'), `${password}\u0000`]) {
      expect(await change(me, { ...good, current_password })).toMatchObject({ status: 403 });
    }
  });
  it('names every invalid field', async () => {
    const me = await passwords.signedInAs(await identity.aPerson());
    const { data } = await change(me, { current_password: '', new_password: '' });
    expect(new Set(data.errors?.map(({ path }) => path))).toEqual(new Set(['current_password', 'new_password']));
  });
  it.each([undefined, null, [], 'hello'])('rejects the body %j', async (body) => {
    const { status } = await change(await passwords.signedInAs(await identity.aPerson()), body);
    expect([400, 422]).toContain(status);
  });
  it('requires a session', async () => {
    expect(await change(undefined, good)).toMatchObject({ status: 401 });
    expect(await change(anonymous(), good)).toMatchObject({ status: 401 });
  });
});
