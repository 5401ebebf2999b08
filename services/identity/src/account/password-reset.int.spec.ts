import { changePassword, requestPasswordReset } from '@tandem/contracts';
import { hashToken } from '@tandem/platform';
import { anonymous, IdentityUnderTest } from '../../test/identity';
import { accessVersionOf, aMember, auditOf } from '../../test/members';
import { nextPassword, Passwords, refusedPasswords } from '../../test/passwords';
import { checkForReset, minResponseMs, mailsPerHour } from './account';

let identity: IdentityUnderTest;
let passwords: Passwords;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  passwords = new Passwords(identity);
});
afterAll(() => identity?.close());

const reset = (token: unknown, withPassword: unknown = nextPassword) => passwords.reset({ token, password: withPassword });

describe('a forgotten password', () => {
  it('sends one link for one hour, of which only the hash is stored', async () => {
    const person = await identity.aPerson();
    expect(await passwords.forgot(` ${person.email.toUpperCase()} `)).toEqual({ status: 202, data: { message: checkForReset } });
    expect(await passwords.mailsTo(person.email)).toEqual([
      expect.objectContaining({ organization_id: null, data: expect.objectContaining({ user_id: person.user_id, first_name: 'Maria' }) }),
    ]);
    const [mail] = await passwords.mailsTo(person.email);
    const token = identity.secrets.open('password-reset', mail?.data.sealed_token as string);
    const [rows, outbox] = await identity.db.asSystem('test', (tx) =>
      Promise.all([
        tx.selectFrom('password_resets').selectAll().where('user_id', '=', person.user_id).execute(),
        tx.selectFrom('outbox').selectAll().execute(),
      ]),
    );
    expect(token).toHaveLength(43);
    expect(rows.map(({ token_hash }) => token_hash)).toEqual([hashToken(token)]);
    expect(Date.parse(rows[0]!.expires_at) - Date.parse(rows[0]!.created_at)).toBe(3_600_000);
    expect(JSON.stringify([rows, outbox])).not.toContain(token);
    expect(await passwords.tryToSignIn(person.email)).toMatchObject({ status: 200 });
  });

  it('has the same response, without an email, for an unknown, unconfirmed or deactivated account', async () => {
    const unconfirmed = await identity.aPerson({ confirmed: false });
    const { person: deactivated } = await aMember(identity, { is_active: false });
    const before = await identity.weight();
    for (const email of ['nobody@example.com', unconfirmed.email, deactivated.email]) {
      expect(await passwords.forgot(email)).toEqual({ status: 202, data: { message: checkForReset } });
    }
    expect(await identity.weight()).toEqual(before);
  });

  it('has the same timing for known and unknown addresses', async () => {
    const { email } = await identity.aPerson();
    const took = async (address: string) => {
      const start = performance.now();
      await passwords.forgot(address);
      return performance.now() - start;
    };
    const times = [await took(email), await took('nobody@example.com'), await took((await identity.aPerson({ confirmed: false })).email)];
    expect(Math.min(...times)).toBeGreaterThanOrEqual(minResponseMs - 1);
  });

  it('is limited to the hourly emails of an address, even with concurrent requests', async () => {
    const { email } = await identity.aPerson();
    const answers = await Promise.all(Array.from({ length: mailsPerHour + 3 }, () => passwords.forgot(email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await passwords.mailsTo(email)).toHaveLength(mailsPerHour);
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
    const before = await identity.weight();
    const { status, data } = await passwords.forgot(email);
    expect({ status, code: data.code, path: data.errors?.[0]?.path }).toEqual({ status: 422, code: 'request.invalid', path: 'email' });
    expect(await identity.weight()).toEqual(before);
  });
  it('rejects an unknown field', async () =>
    expect(
      await identity.call(requestPasswordReset, anonymous(), { body: { email: 'a@example.com', host: 'evil.example' } }),
    ).toMatchObject({ status: 422 }));
});

describe('a password link', () => {
  it('sets the password, ends all sessions and other links, and notifies the user', async () => {
    const { person, organization_id } = await aMember(identity);
    await passwords.signedInAs(person);
    await passwords.signedInAs(person);
    const token = await passwords.aToken(person);
    await passwords.otherLinks(person);
    const version = await accessVersionOf(identity, person);
    expect(await reset(token)).toEqual({ status: 200, data: { email: person.email } });
    expect(Object.values(await passwords.sessionsOf(person))).toEqual(['password_reset', 'password_reset']);
    expect(await accessVersionOf(identity, person)).toBe(version + 1);
    expect(await passwords.linksOf(person)).toBe(0);
    expect(await passwords.changesOf(person)).toEqual([
      expect.objectContaining({
        organization_id: null,
        data: { user_id: person.user_id, email: person.email, first_name: 'Maria', what: 'password_changed' },
      }),
    ]);
    expect(await auditOf(identity, organization_id, 'password.reset')).toEqual([
      expect.objectContaining({ actor_id: person.user_id, actor_email: person.email, ip: '203.0.113.7', changes: null }),
    ]);
    expect(await passwords.tryToSignIn(person.email)).toMatchObject({ status: 401 });
    expect(await passwords.tryToSignIn(person.email, nextPassword)).toMatchObject({ status: 200 });
  });

  it('works once', async () => {
    const person = await identity.aPerson();
    const token = await passwords.aToken(person);
    expect(await reset(token)).toMatchObject({ status: 200 });
    expect(await reset(token, 'a-third-one-9!')).toMatchObject({ status: 410, data: { code: 'reset.invalid' } });
    expect(await passwords.tryToSignIn(person.email, nextPassword)).toMatchObject({ status: 200 });
  });

  it('works once with concurrent requests, and sets one of the passwords', async () => {
    const person = await identity.aPerson();
    const [first, second] = [await passwords.aToken(person), await passwords.aToken(person)];
    const tries = [first, second, first, second, first].map((token, index) => ({ token, with: `try-${index}-x7Kq!m2v` }));
    const answers = await Promise.all(tries.map((one) => reset(one.token, one.with)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410]);
    const winner = tries[answers.findIndex(({ status }) => status === 200)]!;
    const signIns = await Promise.all(tries.map((one) => passwords.tryToSignIn(person.email, one.with)));
    expect(tries.filter((_, index) => signIns[index]!.status === 200)).toEqual([winner]);
    expect(await passwords.changesOf(person)).toHaveLength(1);
  });

  it('fails after an hour', async () => {
    const person = await identity.aPerson();
    const token = await passwords.aToken(person);
    await identity.db.asSystem('test', (tx) =>
      tx
        .updateTable('password_resets')
        .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
        .where('user_id', '=', person.user_id)
        .execute(),
    );
    expect(await reset(token)).toMatchObject({ status: 410, data: { code: 'reset.invalid' } });
    expect(await passwords.tryToSignIn(person.email)).toMatchObject({ status: 200 });
  });

  it('fails for a deactivated member, and remains unused', async () => {
    const { person, setActive } = await aMember(identity);
    const token = await passwords.aToken(person);
    await setActive(false);
    const before = await identity.weight();
    expect(await reset(token)).toMatchObject({ status: 410, data: { code: 'reset.invalid' } });
    expect(await identity.weight()).toEqual(before);
    await setActive(true);
    expect(await passwords.tryToSignIn(person.email)).toMatchObject({ status: 200 });
  });

  it('keeps two-factor sign-in enabled', async () => {
    const person = await identity.aPerson();
    await identity.db.asSystem('test', (tx) =>
      tx
        .insertInto('mfa')
        .values({
          user_id: person.user_id,
          sealed_secret: identity.secrets.seal('mfa-secret', 'ABC'),
          confirmed_at: new Date().toISOString(),
        })
        .execute(),
    );
    await reset(await passwords.aToken(person));
    const rows = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('mfa').select('confirmed_at').where('user_id', '=', person.user_id).execute(),
    );
    expect(rows).toEqual([{ confirmed_at: expect.any(String) as string }]);
  });

  it('ends a block for wrong passwords, because its user owns the mailbox', async () => {
    const person = await identity.aPerson();
    const me = await passwords.signedInAs(person);
    for (let round = 0; round < 5; round++) {
      await identity.call(changePassword, me, { body: { current_password: 'wrong-one', new_password: nextPassword } });
    }
    await reset(await passwords.aToken(person));
    const again = await passwords.signedInAs(person, nextPassword);
    expect(
      await identity.call(changePassword, again, { body: { current_password: nextPassword, new_password: 'a-third-one-9!' } }),
    ).toMatchObject({
      status: 200,
    });
  });

  it('returns the same error for an unknown and a used token', async () =>
    expect(await reset('A'.repeat(43))).toMatchObject({ status: 410 }));

  it.each([undefined, null, '', [], {}, 7, true, 'short', 'A'.repeat(44), `${'A'.repeat(42)}\u0000`, ['A'.repeat(43)], { $ne: '' }])(
    'rejects the token %j',
    async (token) => {
      const { status, data } = await reset(token);
      expect({ status, path: data.errors?.[0]?.path }).toEqual({ status: 422, path: 'token' });
    },
  );
  it('rejects its hash, and tokens of other kinds of links', async () => {
    const person = await identity.aPerson();
    const token = await passwords.aToken(person);
    expect(await reset(hashToken(token))).toMatchObject({ status: 422 });
    await identity.db.asSystem('test', (tx) =>
      tx
        .insertInto('email_changes')
        .values({
          token_hash: hashToken('B'.repeat(43)),
          user_id: person.user_id,
          email: 'b@example.com',
          expires_at: '2099-01-01T00:00:00.000Z',
        })
        .execute(),
    );
    expect(await reset('B'.repeat(43))).toMatchObject({ status: 410 });
  });

  it.each(refusedPasswords.map(([what, value, message]) => ({ what, value, message })))(
    'rejects $what as the new password, and remains valid',
    async ({ value, message }) => {
      const person = await identity.aPerson();
      const token = await passwords.aToken(person);
      const before = await identity.weight();
      const { status, data } = await passwords.reset({ token, password: value });
      expect({ status, code: data.code, path: data.errors?.[0]?.path }).toEqual({ status: 422, code: 'request.invalid', path: 'password' });
      if (message !== undefined) expect(data.errors?.map((error) => error.message)).toContain(message);
      expect(await identity.weight()).toEqual(before);
      expect(await reset(token)).toMatchObject({ status: 200 });
    },
  );
  it('names every invalid field', async () => {
    const { status, data } = await reset('short', '');
    expect({ status, paths: new Set(data.errors?.map(({ path }) => path)) }).toEqual({
      status: 422,
      paths: new Set(['token', 'password']),
    });
  });
  it("rejects the user's address as the new password", async () => {
    const person = await identity.aPerson();
    expect(await reset(await passwords.aToken(person), person.email)).toMatchObject({
      status: 422,
      data: { errors: [{ code: 'password_context' }] },
    });
  });
});
