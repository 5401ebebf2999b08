import { changeEmail, confirmEmail, confirmEmailChange, readProfile, signUp } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { anonymous, asPerson, IdentityUnderTest, password, type Person } from '../../test/identity';
import { aMember, auditOf } from '../../test/members';
import { Passwords } from '../../test/passwords';
import { checkNewAddress, minResponseMs, mailsPerHour } from './account';

let identity: IdentityUnderTest;
let passwords: Passwords;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  passwords = new Passwords(identity);
});
afterAll(() => identity?.close());

const anAddress = () => `new-${newId()}@example.com`;
const change = (person: Person, email: unknown, current_password: unknown = password) =>
  identity.call(changeEmail, asPerson(person), { body: { email, current_password } });
const confirm = (token: unknown) => identity.call(confirmEmailChange, anonymous(), { body: { token } });
const mailsTo = async (email: string) => (await identity.events('email.change_requested')).filter(({ data }) => data.email === email);
const tokensFor = async (email: string) =>
  (await mailsTo(email)).map(({ data }) => identity.secrets.open('email-change', data.sealed_token as string));
/** The token of a new link that changes the person's address to this one. */
const aToken = async (person: Person, email: string) => {
  await change(person, email);
  return (await tokensFor(email)).at(-1) ?? '';
};
const addressOf = async (person: Person) => (await identity.call(readProfile, asPerson(person))).data.email;
const linksOf = ({ user_id }: Person) =>
  identity.db.asSystem('test', (tx) => tx.selectFrom('email_changes').selectAll().where('user_id', '=', user_id).execute());

describe('requesting another address', () => {
  it('sends it one link for 24 hours, and changes nothing yet', async () => {
    const person = await identity.aPerson();
    const email = anAddress();
    expect(await change(person, ` ${email.toUpperCase()} `)).toEqual({ status: 202, data: { message: checkNewAddress } });
    expect(await mailsTo(email)).toEqual([
      expect.objectContaining({ organization_id: null, data: expect.objectContaining({ user_id: person.user_id, first_name: 'Maria' }) }),
    ]);
    const [token = ''] = await tokensFor(email);
    const rows = await linksOf(person);
    expect(rows).toEqual([expect.objectContaining({ token_hash: hashToken(token), email })]);
    expect(Date.parse(rows[0]!.expires_at) - Date.parse(rows[0]!.created_at)).toBe(24 * 3_600_000);
    expect(JSON.stringify([rows, await identity.events()])).not.toContain(token);
    expect(await addressOf(person)).toBe(person.email);
    expect(await identity.events('account.changed')).toEqual([]);
  });

  it('has the same response and timing for a taken address, whose owner is notified', async () => {
    const [person, owner] = [await identity.aPerson(), await identity.aPerson({ first_name: 'Otto' })];
    const took = async (email: string) => {
      const start = performance.now();
      expect(await change(person, email)).toEqual({ status: 202, data: { message: checkNewAddress } });
      return performance.now() - start;
    };
    const times = [await took(owner.email), await took(anAddress())];
    expect(Math.min(...times)).toBeGreaterThanOrEqual(minResponseMs - 1);
    expect(await mailsTo(owner.email)).toEqual([
      expect.objectContaining({ data: { user_id: person.user_id, email: owner.email, first_name: 'Otto', sealed_token: null } }),
    ]);
  });

  it('invalidates the previous link, even if the new address is taken', async () => {
    const [person, owner] = [await identity.aPerson(), await identity.aPerson()];
    const [first, second] = [anAddress(), anAddress()];
    const earlier = await aToken(person, first);
    const later = await aToken(person, second);
    expect(await confirm(earlier)).toMatchObject({ status: 410 });
    await change(person, owner.email);
    expect(await confirm(later)).toMatchObject({ status: 410 });
    expect(await linksOf(person)).toEqual([]);
    expect(await addressOf(person)).toBe(person.email);
  });

  it("is limited to the user's emails per hour to all addresses, and returns the time to retry", async () => {
    const person = await identity.aPerson();
    const addresses = Array.from({ length: mailsPerHour + 2 }, anAddress);
    const ask = (some: string[]) => Promise.all(some.map((email) => change(person, email)));
    // At most four at once: attempts count before they are compared, so a fifth concurrent one would block all later passwords.
    const answers = [...(await ask(addresses.slice(0, 4))), ...(await ask(addresses.slice(4)))];
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(mailsPerHour);
    expect(answers.filter(({ data }) => data.code === 'limit.exceeded')).toHaveLength(2);
    expect((await Promise.all(addresses.map(mailsTo))).flat()).toHaveLength(mailsPerHour);
    expect(await linksOf(person)).toHaveLength(1);
  });

  it("is limited to the hourly emails of a taken address's owner", async () => {
    const owner = await identity.aPerson();
    for (let round = 0; round < mailsPerHour + 1; round++) {
      expect(await change(await identity.aPerson(), owner.email)).toMatchObject({ status: 202 });
    }
    expect(await mailsTo(owner.email)).toHaveLength(mailsPerHour);
  });

  it('requires the current password', async () => {
    const person = await identity.aPerson();
    const before = await identity.weight();
    for (let round = 0; round < 5; round++) {
      expect(await change(person, anAddress(), 'wrong-one')).toMatchObject({ status: 403, data: { code: 'password.wrong' } });
    }
    expect(await change(person, anAddress())).toMatchObject({ status: 429, data: { code: 'login.blocked' } });
    expect(await identity.weight()).toEqual(before);
  });

  it("succeeds for two users who request each other's address concurrently", async () => {
    const [one, other] = [await identity.aPerson(), await identity.aPerson()];
    const answers = await Promise.all([1, 2].flatMap(() => [change(one, other.email), change(other, one.email)]));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  });

  it.each([
    undefined,
    null,
    '',
    '   ',
    'x',
    5,
    [],
    {},
    ['a@example.com'],
    'a\u0000@example.com',
    'a@example.com\r\nbcc: b@example.com',
    'аdmin@exаmple.com',
    `${'a'.repeat(250)}@example.com`,
    'a@example.com, b@example.com',
  ])('rejects the address %j and writes nothing', async (email) => {
    const person = await identity.aPerson();
    const before = await identity.weight();
    const { status, data } = await change(person, email);
    expect({ status, code: data.code, path: data.errors?.[0]?.path }).toEqual({ status: 422, code: 'request.invalid', path: 'email' });
    expect(await identity.weight()).toEqual(before);
  });
  it('rejects the current address', async () => {
    const person = await identity.aPerson();
    const before = await identity.weight();
    expect(await change(person, person.email.toUpperCase())).toMatchObject({
      status: 422,
      data: { errors: [{ path: 'email', code: 'email_same' }] },
    });
    expect(await identity.weight()).toEqual(before);
  });
  it.each([null, '', 7, [], { $ne: '' }, 'x'.repeat(1025)])('rejects %j as the current password', async (typed) => {
    const { status, data } = await change(await identity.aPerson(), anAddress(), typed);
    expect({ status, path: data.errors?.[0]?.path }).toEqual({ status: 422, path: 'current_password' });
  });
  it('names every invalid field', async () => {
    const { data } = await change(await identity.aPerson(), '', '');
    expect(new Set(data.errors?.map(({ path }) => path))).toEqual(new Set(['email', 'current_password']));
  });
  it('requires a session', async () => {
    const body = { email: anAddress(), current_password: password };
    expect(await identity.call(changeEmail, undefined, { body })).toMatchObject({ status: 401 });
    expect(await identity.call(changeEmail, anonymous(), { body })).toMatchObject({ status: 401 });
  });
});

describe('the link to another address', () => {
  it('changes the sign-in address, notifies the old one, and invalidates the links sent there', async () => {
    const { person, organization_id } = await aMember(identity);
    const email = anAddress();
    await passwords.otherLinks(person);
    const token = await aToken(person, email);
    expect(await confirm(token)).toEqual({ status: 200, data: { email } });
    expect(await passwords.tryToSignIn(email)).toMatchObject({ status: 200 });
    expect(await passwords.tryToSignIn(person.email)).toMatchObject({ status: 401 });
    expect(await passwords.changesOf(person)).toEqual([
      expect.objectContaining({
        organization_id: null,
        data: { user_id: person.user_id, email: person.email, first_name: 'Maria', what: 'email_changed' },
      }),
    ]);
    expect((await identity.events('member.updated')).filter(({ subject }) => subject === person.user_id)).toEqual([
      expect.objectContaining({ organization_id, data: { member: expect.objectContaining({ email }) as unknown } }),
    ]);
    expect(await auditOf(identity, organization_id, 'email.changed')).toEqual([
      expect.objectContaining({
        actor_id: person.user_id,
        actor_email: person.email,
        changes: { email: { from: person.email, to: email } },
      }),
    ]);
    const resets = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('password_resets').select('token_hash').where('user_id', '=', person.user_id).execute(),
    );
    expect(resets).toEqual([]);
  });

  it('publishes no organization event for a user without an organization', async () => {
    const person = await identity.aPerson();
    await confirm(await aToken(person, anAddress()));
    expect((await identity.events('member.updated')).filter(({ subject }) => subject === person.user_id)).toEqual([]);
    expect(await passwords.changesOf(person)).toHaveLength(1);
  });

  it('works once, even with concurrent requests', async () => {
    const person = await identity.aPerson();
    const token = await aToken(person, anAddress());
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
    expect(await confirm(token)).toMatchObject({ status: 410, data: { code: 'confirmation.invalid' } });
    expect(await passwords.changesOf(person)).toHaveLength(1);
  });

  it('moves only one of two users to the same address, even concurrently', async () => {
    const [one, other] = [await identity.aPerson(), await identity.aPerson()];
    const email = anAddress();
    await change(one, email);
    await change(other, email);
    const tokens = await tokensFor(email);
    const answers = await Promise.all(tokens.map(confirm));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
    const addresses = [await addressOf(one), await addressOf(other)];
    expect(addresses.filter((address) => address === email)).toHaveLength(1);
    expect(addresses.filter((address) => address === one.email || address === other.email)).toHaveLength(1);
  });

  it('fails if the address has been taken in the meantime', async () => {
    const person = await identity.aPerson();
    const email = anAddress();
    const token = await aToken(person, email);
    const owner = await identity.aPerson({ email });
    const before = await identity.weight();
    expect(await confirm(token)).toMatchObject({ status: 410, data: { code: 'confirmation.invalid' } });
    expect(await identity.weight()).toEqual(before);
    expect([await addressOf(person), await addressOf(owner)]).toEqual([person.email, email]);
  });

  it('and a concurrent sign-up leave one account with the address', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await identity.aPerson();
      const email = anAddress();
      const token = await aToken(person, email);
      const [moved, signedUp] = await Promise.all([
        confirm(token),
        identity.call(signUp, anonymous(), { body: { email, password: 'stranger-chose-1' } }),
      ]);
      expect(signedUp.status).toBe(202);
      expect([200, 410]).toContain(moved.status);
      expect(await addressOf(person)).toBe(moved.status === 200 ? email : person.email);
    }
  });

  it("takes the address from an unconfirmed account and invalidates that account's link", async () => {
    const person = await identity.aPerson();
    const email = anAddress();
    await identity.call(signUp, anonymous(), { body: { email, password: 'stranger-chose-1' } });
    const [mail] = (await identity.events('email.confirmation_requested')).filter(({ data }) => data.email === email);
    const strangers = identity.secrets.open('email-confirmation', mail?.data.sealed_token as string);
    expect(await confirm(await aToken(person, email))).toMatchObject({ status: 200 });
    expect(await identity.call(confirmEmail, anonymous(), { body: { token: strangers } })).toMatchObject({ status: 410 });
    expect(await passwords.tryToSignIn(email)).toMatchObject({ status: 200 });
    expect(await passwords.tryToSignIn(email, 'stranger-chose-1')).toMatchObject({ status: 401 });
  });

  it('fails after 24 hours, and for a deactivated member', async () => {
    const { person, setActive } = await aMember(identity);
    const token = await aToken(person, anAddress());
    await setActive(false);
    expect(await confirm(token)).toMatchObject({ status: 410 });
    await setActive(true);
    await identity.db.asSystem('test', (tx) =>
      tx
        .updateTable('email_changes')
        .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
        .where('user_id', '=', person.user_id)
        .execute(),
    );
    expect(await confirm(token)).toMatchObject({ status: 410 });
    expect(await addressOf(person)).toBe(person.email);
  });

  it('is invalidated by a password reset, because an attacker may have requested it', async () => {
    const person = await identity.aPerson();
    const token = await aToken(person, anAddress());
    expect(await passwords.reset({ token: await passwords.aToken(person), password: 'another-one-9!' })).toMatchObject({ status: 200 });
    expect(await confirm(token)).toMatchObject({ status: 410 });
  });

  it('returns the same error for an unknown and a used token', async () =>
    expect(await confirm('A'.repeat(43))).toMatchObject({ status: 410 }));
  it.each([undefined, null, '', [], {}, 7, true, 'short', 'A'.repeat(44), `${'A'.repeat(42)}\u0000`, ['A'.repeat(43)], { $ne: '' }])(
    'rejects the token %j',
    async (token) => {
      const { status, data } = await confirm(token);
      expect({ status, path: data.errors?.[0]?.path }).toEqual({ status: 422, path: 'token' });
    },
  );
});
