import { confirmEmail, resendConfirmation, signIn, signUp, type Context } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { anonymous, client, IdentityUnderTest, password } from '../../test/identity';
import { checkYourEmail, mailsPerHour } from './account';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

let count = 0;
const anAddress = () => `someone-${++count}@example.com`;
const signUpAs = (email: string, overrides: Record<string, unknown> = {}) =>
  identity.call(signUp, anonymous(), { body: { email, password, first_name: 'Ada', last_name: 'Byron', ...overrides } });
const mailsTo = async (email: string) => (await identity.events('email.confirmation_requested')).filter(({ data }) => data.email === email);
/** The tokens of the emailed links, oldest first. */
const tokensFor = async (email: string) =>
  (await mailsTo(email)).map(({ data }) =>
    data.sealed_token === null ? null : identity.secrets.open('email-confirmation', data.sealed_token as string),
  );
const confirm = (token: unknown) => identity.call(confirmEmail, anonymous(), { body: { token } });
const fromBrowser = (browser_hash?: string): Context => ({
  ...anonymous(),
  client: { ...client, ...(browser_hash ? { browser_hash } : {}) },
});
const confirmIn = (browser_hash: string | undefined, token: unknown) =>
  identity.call(confirmEmail, fromBrowser(browser_hash), { body: { token } });
const tryToSignIn = (email: string, withPassword = password) =>
  identity.call(signIn, anonymous(), { body: { email, password: withPassword } });
const inThePast = (email: string) =>
  identity.db.asSystem('test', async (tx) => {
    const { id } = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    await tx
      .updateTable('confirmation_tokens')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('user_id', '=', id)
      .execute();
  });

describe('sign-up', () => {
  it('creates an unconfirmed account and requests one email with a link for 24 hours', async () => {
    const email = anAddress();
    expect(await signUpAs(` ${email.toUpperCase()} `)).toEqual({ status: 202, data: { message: checkYourEmail } });
    const mails = await mailsTo(email);
    expect(mails).toEqual([
      expect.objectContaining({ organization_id: null, sequence: 1, data: expect.objectContaining({ email, first_name: 'Ada' }) }),
    ]);
    const [token] = await tokensFor(email);
    const row = await identity.db.asSystem('test', (tx) =>
      tx
        .selectFrom('confirmation_tokens')
        .selectAll()
        .where('token_hash', '=', hashToken(token ?? ''))
        .executeTakeFirstOrThrow(),
    );
    expect(Date.parse(row.expires_at) - Date.parse(row.created_at)).toBe(24 * 3_600_000);
    expect(await tryToSignIn(email)).toMatchObject({ status: 403, data: { code: 'email.not_confirmed' } });
  });

  it('stores neither the token nor the password in plain text in any table', async () => {
    const email = anAddress();
    await signUpAs(email);
    const [token] = await tokensFor(email);
    const everything = await identity.db.asSystem('test', async (tx) =>
      JSON.stringify(
        await Promise.all((['users', 'confirmation_tokens', 'outbox'] as const).map((table) => tx.selectFrom(table).selectAll().execute())),
      ),
    );
    expect(token).toHaveLength(43);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(password);
  });

  it("creates no membership, even on an organization's host", async () => {
    const email = anAddress();
    await identity.call(signUp, anonymous(newId()), { body: { email, password } });
    expect(await mailsTo(email)).toEqual([
      expect.objectContaining({ organization_id: null, data: expect.objectContaining({ first_name: null }) }),
    ]);
  });

  it('returns the same response for a taken address, notifies it without a link, and changes nothing', async () => {
    const { email } = await identity.aPerson();
    expect(await signUpAs(email, { password: 'another-one-9!' })).toEqual({ status: 202, data: { message: checkYourEmail } });
    expect(await mailsTo(email)).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ sealed_token: null, first_name: 'Maria' }) }),
    ]);
    expect(await tryToSignIn(email)).toMatchObject({ status: 200 });
    expect(await tryToSignIn(email, 'another-one-9!')).toMatchObject({ status: 401 });
  });

  it('with an unconfirmed address sends a new link, which sets the new password', async () => {
    const email = anAddress();
    await signUpAs(email);
    await signUpAs(email, { password: 'another-one-9!' });
    const [first, second] = await tokensFor(email);
    expect(second).not.toBe(first);
    expect(await confirm(second)).toMatchObject({ status: 200 });
    expect(await tryToSignIn(email)).toMatchObject({ status: 401 });
    expect(await tryToSignIn(email, 'another-one-9!')).toMatchObject({ status: 200 });
  });

  it('of a stranger does not set the password of the account that the owner confirms', async () => {
    const email = anAddress();
    await signUpAs(email, { password: 'owner-chose-it-1' });
    await signUpAs(email, { password: 'stranger-chose-1' });
    const [owners, strangers] = await tokensFor(email);
    expect(await confirm(owners)).toMatchObject({ status: 200 });
    expect(await confirm(strangers)).toMatchObject({ status: 410 });
    expect(await tryToSignIn(email, 'owner-chose-it-1')).toMatchObject({ status: 200 });
    expect(await tryToSignIn(email, 'stranger-chose-1')).toMatchObject({ status: 401 });
  });

  it('creates one account for concurrent requests', async () => {
    const email = anAddress();
    const answers = await Promise.all([1, 2, 3, 4].map(() => signUpAs(email)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const users = await identity.db.asSystem('test', (tx) => tx.selectFrom('users').select('id').where('email', '=', email).execute());
    expect(users).toHaveLength(1);
    expect((await mailsTo(email)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it('and resending share the hourly limit of emails to one address', async () => {
    const email = anAddress();
    for (let round = 0; round < 4; round++)
      await Promise.all([signUpAs(email), identity.call(resendConfirmation, anonymous(), { body: { email } })]);
    expect(await mailsTo(email)).toHaveLength(mailsPerHour);
    await identity.db.asSystem('test', (tx) =>
      tx
        .updateTable('users')
        .set({ mails_since: new Date(Date.now() - 3_601_000).toISOString() })
        .where('email', '=', email)
        .execute(),
    );
    await signUpAs(email);
    expect(await mailsTo(email)).toHaveLength(mailsPerHour + 1);
  });

  it('accepts a password of 256 characters unchanged', async () => {
    const email = anAddress();
    const long = ` ${'pâté-ü '.repeat(36)}  `.slice(0, 256);
    await signUpAs(email, { password: long });
    await confirm((await tokensFor(email))[0]);
    expect(await tryToSignIn(email, long)).toMatchObject({ status: 200 });
    expect(await tryToSignIn(email, long.trim())).toMatchObject({ status: 401 });
  });

  const good = { email: 'refused@example.com', password };
  const refusedInputs: [what: string, body: unknown, path?: string, message?: string][] = [
    ['no body', undefined],
    ['an array', []],
    ['null', null],
    ['a text', 'hello'],
    ['no email', { password }, 'email'],
    ['an empty email', { ...good, email: '' }, 'email', 'Email and password are required'],
    ['a blank email', { ...good, email: '   ' }, 'email', 'Email and password are required'],
    ['an invalid email', { ...good, email: 'not-an-address' }, 'email'],
    ['an email with NUL', { ...good, email: 'a\u0000@example.com' }, 'email'],
    ['an email with a line break', { ...good, email: 'a@example.com\r\nbcc: b@example.com' }, 'email'],
    ['an email that is too long', { ...good, email: `${'a'.repeat(250)}@example.com` }, 'email'],
    ['an email of the wrong type', { ...good, email: ['a@example.com'] }, 'email'],
    ['no password', { email: good.email }, 'password'],
    ['an empty password', { ...good, password: '' }, 'password', 'Email and password are required'],
    ['a short password', { ...good, password: 'x7Kq!m2' }, 'password', 'Password must be at least 8 characters long'],
    ['a password that is too long', { ...good, password: 'x7'.repeat(129) }, 'password'],
    ['a password of the wrong type', { ...good, password: 12345678901 }, 'password'],
    ['a password with NUL', { ...good, password: 'x7Kq!m2v\u0000' }, 'password'],
    ['a password with an unpaired surrogate', { ...good, password: 'x7Kq!m2v\ud800' }, 'password'],
    ['a common password', { ...good, password: 'Password123!' }, 'password'],
    ['the address as password', { ...good, password: 'Refused@example.com' }, 'password'],
    ['a first name that is too long', { ...good, first_name: 'a'.repeat(101) }, 'first_name'],
    ['a first name of the wrong type', { ...good, first_name: {} }, 'first_name'],
    ['a last name with NUL', { ...good, last_name: 'a\u0000' }, 'last_name'],
    ['a last name that is too long', { ...good, last_name: 'a'.repeat(101) }, 'last_name'],
    ['an unknown member', { ...good, role: 'admin' }],
    ['a prototype member', JSON.parse('{"email":"refused@example.com","password":"x7Kq!m2v-quiet","__proto__":{"role":"admin"}}')],
  ];
  it.each(refusedInputs.map(([what, body, path, message]) => ({ what, body, path, message })))(
    'rejects $what and writes nothing',
    async ({ body, path, message }) => {
      const before = await identity.weight();
      const { status, data } = await identity.call(signUp, anonymous(), { body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      if (path !== undefined)
        expect({ status, code: data.code, path: data.errors?.[0]?.path }).toEqual({ status: 422, code: 'request.invalid', path });
      if (message !== undefined) expect(data.errors?.map((error) => error.message)).toContain(message);
      expect(await identity.weight()).toEqual(before);
    },
  );

  it('rejects a caller without a signed context', async () => {
    expect(await identity.call(signUp, undefined, { body: good })).toMatchObject({ status: 401, data: { code: 'session.required' } });
  });
});

describe('confirmation', () => {
  it('works once', async () => {
    const email = anAddress();
    await signUpAs(email);
    const [token] = await tokensFor(email);
    expect(await confirm(token)).toEqual({ status: 200, data: { email, issued: null } });
    expect(await confirm(token)).toMatchObject({ status: 410, data: { code: 'confirmation.invalid' } });
    expect(await tryToSignIn(email)).toMatchObject({ status: 200 });
  });

  it('works once with concurrent requests', async () => {
    const email = anAddress();
    await signUpAs(email);
    await signUpAs(email);
    const tokens = await tokensFor(email);
    const answers = await Promise.all([...tokens, ...tokens, ...tokens].map((token) => confirm(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410]);
  });

  it('fails after 24 hours', async () => {
    const email = anAddress();
    await signUpAs(email);
    await inThePast(email);
    expect(await confirm((await tokensFor(email))[0])).toMatchObject({ status: 410 });
    expect(await tryToSignIn(email)).toMatchObject({ status: 403, data: { code: 'email.not_confirmed' } });
    await signUpAs(email);
    expect(await confirm((await tokensFor(email))[1])).toMatchObject({ status: 200 });
  });

  it('returns the same error for an unknown and a used token', async () =>
    expect(await confirm('A'.repeat(43))).toMatchObject({ status: 410 }));

  it.each([undefined, null, '', [], {}, 7, true, 'short', 'A'.repeat(44), `${'A'.repeat(42)}\u0000`, ['A'.repeat(43)], { $ne: '' }])(
    'rejects the token %j',
    async (token) => expect(await confirm(token)).toMatchObject({ status: 422, data: { code: 'request.invalid' } }),
  );
  it('rejects the hash of the token', async () => {
    const email = anAddress();
    await signUpAs(email);
    expect(await confirm(hashToken((await tokensFor(email))[0] ?? ''))).toMatchObject({ status: 422 });
  });
});

describe('resending', () => {
  const resend = (email: unknown) => identity.call(resendConfirmation, anonymous(), { body: { email } });

  it('sends another link, and both set the password of the sign-up', async () => {
    const email = anAddress();
    await signUpAs(email);
    expect(await resend(email)).toEqual({ status: 202, data: { message: checkYourEmail } });
    const tokens = await tokensFor(email);
    expect(tokens).toHaveLength(2);
    expect(await confirm(tokens[1])).toMatchObject({ status: 200 });
    expect(await tryToSignIn(email)).toMatchObject({ status: 200 });
  });
  it('returns the same response for unknown and confirmed addresses', async () => {
    const { email } = await identity.aPerson();
    const answers = [await resend('nobody@example.com'), await resend(email)];
    expect(answers).toEqual([1, 2].map(() => ({ status: 202, data: { message: checkYourEmail } })));
    expect(await mailsTo('nobody@example.com')).toEqual([]);
    expect(await mailsTo(email)).toEqual([expect.objectContaining({ data: expect.objectContaining({ sealed_token: null }) })]);
  });
  it('takes the same time for unknown and known addresses', async () => {
    const { email } = await identity.aPerson({ confirmed: false });
    const took = async (address: string) => {
      const start = performance.now();
      await resend(address);
      return performance.now() - start;
    };
    const [known, unknown] = [await took(email), await took('nobody@example.com')];
    expect(Math.min(known, unknown)).toBeGreaterThanOrEqual(149);
  });
  it.each(['', '  ', 'x', null, 5, [], 'a\u0000@example.com', `${'a'.repeat(250)}@example.com`])('rejects %j', async (email) =>
    expect(await resend(email)).toMatchObject({ status: 422, data: { code: 'request.invalid' } }),
  );
  it('rejects an unknown field', async () =>
    expect(await identity.call(resendConfirmation, anonymous(), { body: { email: 'a@example.com', user_id: newId() } })).toMatchObject({
      status: 422,
    }));
});

describe('the browser that signed up', () => {
  const [here, elsewhere] = [hashToken('here'), hashToken('elsewhere')];
  const signUpIn = (browser_hash: string | undefined, email: string, overrides: Record<string, unknown> = {}) =>
    identity.call(signUp, fromBrowser(browser_hash), { body: { email, password, ...overrides } });
  const resendIn = (browser_hash: string | undefined, email: string) =>
    identity.call(resendConfirmation, fromBrowser(browser_hash), { body: { email } });
  const confirmedHere = { status: 200, data: { issued: { session: { profile: { organization_id: null } } } } };

  it('is signed in by the link, once', async () => {
    const email = anAddress();
    await signUpIn(here, email);
    const [token] = await tokensFor(email);
    const answer = await confirmIn(here, token);
    expect(answer).toMatchObject(confirmedHere);
    expect(answer.data).toMatchObject({ email, issued: { session: { profile: { email } }, refresh_token: expect.any(String) as string } });
    expect(await confirmIn(here, token)).toMatchObject({ status: 410, data: { code: 'confirmation.invalid' } });
  });

  it.each([
    ['another browser', elsewhere],
    ['a browser without the cookie', undefined],
  ])('is not confused with %s, in which the link only confirms', async (_which, other) => {
    const email = anAddress();
    await signUpIn(here, email);
    expect(await confirmIn(other, (await tokensFor(email))[0])).toEqual({ status: 200, data: { email, issued: null } });
    expect(await tryToSignIn(email)).toMatchObject({ status: 200 });
  });

  it('must be known: a sign-up without a cookie never signs in', async () => {
    const email = anAddress();
    await signUpIn(undefined, email);
    expect(await confirmIn(undefined, (await tokensFor(email))[0])).toMatchObject({ status: 200, data: { issued: null } });
  });

  it('is signed in by a link that it requested again, and no other browser is', async () => {
    for (const [resender, opener, signsIn] of [
      [here, here, true],
      [elsewhere, elsewhere, false],
      [elsewhere, here, false],
    ] as const) {
      const email = anAddress();
      await signUpIn(here, email);
      await resendIn(resender, email);
      const answer = await confirmIn(opener, (await tokensFor(email))[1]);
      expect([answer.status, answer.data['issued'] !== null]).toEqual([200, signsIn]);
    }
  });

  it("is not signed in by another sign-up's link to the same address", async () => {
    const email = anAddress();
    await signUpIn(here, email);
    await signUpIn(elsewhere, email, { password: 'a-strangers-pass-9' });
    expect(await confirmIn(here, (await tokensFor(email))[1])).toMatchObject({ status: 200, data: { issued: null } });
  });
});
