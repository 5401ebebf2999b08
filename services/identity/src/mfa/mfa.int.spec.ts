import { beginMfa, confirmMfa, disableMfa, readMfa, renewRecoveryCodes, type Operation } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { anonymous, asActor, asPerson, IdentityUnderTest, password, type Person } from '../../test/identity';
import { codeOf, fromNow, SignIns, wrongCodeOf, type Membership } from '../../test/sign-ins';
import { removeMfa } from './mfa.store';

let identity: IdentityUnderTest;
let signIns: SignIns;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  signIns = new SignIns(identity);
});
afterAll(() => identity?.close());

const proof = { current_password: password };
const begin = (person: Person, membership: Membership | null = null) =>
  identity.call(beginMfa, asPerson(person, membership), { body: proof });
const begun = async (person: Person): Promise<string> => (await begin(person)).data['secret'] as string;
const confirm = (person: Person, code: unknown, membership: Membership | null = null) =>
  identity.call(confirmMfa, asPerson(person, membership), { body: { code } });
const state = async (person: Person) => (await identity.call(readMfa, asPerson(person))).data;
const rowsOf = (person: Person) =>
  identity.db.asSystem('test', async (tx) => ({
    mfa: await tx.selectFrom('mfa').selectAll().where('user_id', '=', person.user_id).executeTakeFirst(),
    codes: await tx.selectFrom('mfa_recovery_codes').selectAll().where('user_id', '=', person.user_id).execute(),
  }));
const announced = async (person: Person) =>
  (await identity.events()).filter(({ subject }) => subject === person.user_id).map(({ type }) => type);
const off = { enabled: false, enabled_at: null, recovery_codes_left: 0, required: false };

describe('setting up two-factor sign-in', () => {
  it('starts with a sealed secret that is not required yet', async () => {
    const person = await identity.aPerson();
    const { status, data } = await begin(person);
    expect(status).toBe(200);
    const { secret, otpauth_uri } = data as { secret: string; otpauth_uri: string };
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(otpauth_uri)).toContain(`otpauth://totp/Tandem:${person.email}?`);
    expect(await state(person)).toEqual(off);
    const { mfa } = await rowsOf(person);
    expect(JSON.stringify(mfa)).not.toContain(secret);
    expect(identity.secrets.open('mfa-secret', mfa!.sealed_secret)).toBe(secret);
    expect(await signIns.tryWith(person.email)).toMatchObject({ status: 200, data: { refresh_token: expect.any(String) as string } });
  });

  it('is complete with a code: returns ten recovery codes, stores their hashes, and notifies user and log', async () => {
    const { person, organization, membership } = await signIns.aMember();
    const before = await signIns.access(person.user_id);
    const { status, data } = await confirm(person, codeOf(await begun(person)), membership);
    expect(status).toBe(200);
    const codes = data['recovery_codes'] as string[];
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    const { codes: kept } = await rowsOf(person);
    expect(kept.map(({ code_hash }) => code_hash).sort()).toEqual(codes.map((code) => hashToken(code.replaceAll('-', ''))).sort());
    expect(await state(person)).toMatchObject({ enabled: true, enabled_at: expect.any(String) as string, recovery_codes_left: 10 });
    expect((await signIns.log(organization.id)).at(-1)).toMatchObject({ type: 'mfa.enabled', actor_id: person.user_id });
    const after = await signIns.access(person.user_id);
    expect(after).toEqual({ version: before.version + 1, announced: before.version + 1 });
    const events = (await identity.events()).filter(({ subject }) => subject === person.user_id);
    expect(events.find(({ type }) => type === 'account.changed')).toMatchObject({
      organization_id: null,
      data: { user_id: person.user_id, email: person.email, what: 'mfa_enabled' },
    });
    expect(events.find(({ type }) => type === 'member.updated')).toMatchObject({
      organization_id: organization.id,
      data: { member: { user_id: person.user_id, mfa_enabled: true } },
    });
  });

  it('records nothing for a user without an organization', async () => {
    const person = await identity.aPerson();
    await signIns.withMfa(person);
    expect((await announced(person)).sort()).toEqual(['access.changed', 'account.changed']);
  });

  it('can start again until confirmed, which invalidates the previous secret', async () => {
    const person = await identity.aPerson();
    const first = await begun(person);
    const second = await begun(person);
    expect(await confirm(person, codeOf(first))).toMatchObject({ status: 401, data: { code: 'mfa.code_invalid' } });
    expect(await confirm(person, codeOf(second))).toMatchObject({ status: 200 });
    expect(await begin(person)).toMatchObject({ status: 409, data: { code: 'mfa.already_enabled' } });
    expect(await confirm(person, codeOf(second, 1))).toMatchObject({ status: 409, data: { code: 'mfa.already_enabled' } });
  });

  it('accepts a code with spaces', async () => {
    const person = await identity.aPerson();
    const code = codeOf(await begun(person));
    expect(await confirm(person, ` ${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ status: 200 });
  });

  it('rejects a code before it has started', async () => {
    const person = await identity.aPerson();
    expect(await confirm(person, '123456')).toMatchObject({ status: 409, data: { code: 'mfa.not_begun' } });
  });

  it('is completed once by concurrent requests', async () => {
    const person = await identity.aPerson();
    const code = codeOf(await begun(person));
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(person, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await rowsOf(person)).codes).toHaveLength(10);
  });

  it('is blocked for 30 minutes after five wrong codes, even if it starts again', async () => {
    const person = await identity.aPerson();
    const secret = await begun(person);
    for (let round = 0; round < 5; round++) expect(await confirm(person, wrongCodeOf(secret))).toMatchObject({ status: 401 });
    expect(await confirm(person, codeOf(secret))).toMatchObject({
      status: 429,
      data: { code: 'login.blocked', detail: 'Too many failed login attempts. Please try again in 30 minutes.' },
    });
    const again = await begun(person);
    expect(await confirm(person, codeOf(again))).toMatchObject({ status: 429 });
    expect(await state(person)).toEqual(off);
    await signIns.setMfa(person, { blocked_until: fromNow(-1) });
    expect(await confirm(person, codeOf(again))).toMatchObject({ status: 200 });
  });

  it('rejects recovery codes', async () => {
    const person = await identity.aPerson();
    await begun(person);
    expect(await confirm(person, 'abcd-efgh-ijkl-mnop')).toMatchObject({ status: 401, data: { code: 'mfa.code_invalid' } });
  });
});

describe('disabling it', () => {
  const disable = (person: Person, membership: Membership | null = null) =>
    identity.call(disableMfa, asPerson(person, membership), { body: proof });

  it('deletes secret and recovery codes, and notifies user and log', async () => {
    const { person, organization, membership } = await signIns.aMember();
    await signIns.withMfa(person, membership);
    const before = await signIns.access(person.user_id);
    expect(await disable(person, membership)).toMatchObject({ status: 200, data: off });
    expect(await rowsOf(person)).toEqual({ mfa: undefined, codes: [] });
    expect(await signIns.logTypes(organization.id)).toEqual(['mfa.enabled', 'mfa.disabled']);
    expect(await signIns.access(person.user_id)).toEqual({ version: before.version + 1, announced: before.version + 1 });
    const events = (await identity.events()).filter(({ subject }) => subject === person.user_id);
    expect(events.filter(({ type }) => type === 'account.changed').at(-1)!.data).toMatchObject({ what: 'mfa_disabled' });
    expect(events.filter(({ type }) => type === 'member.updated').at(-1)!.data).toMatchObject({ member: { mfa_enabled: false } });
    expect(await signIns.tryWith(person.email)).toMatchObject({ status: 200, data: { refresh_token: expect.any(String) as string } });
  });

  it('changes and publishes nothing if it is not enabled', async () => {
    const person = await identity.aPerson();
    await begun(person);
    expect(await disable(person)).toMatchObject({ status: 200, data: off });
    expect(await disable(person)).toMatchObject({ status: 200, data: off });
    expect(await announced(person)).toEqual([]);
  });

  it('is rejected only for admins whose organization requires it', async () => {
    const { person, organization, membership } = await signIns.aMember();
    await signIns.withMfa(person, membership);
    await signIns.requireMfa(organization.id);
    expect(await state(person)).toMatchObject({ enabled: true, required: true });
    expect(await disable(person, membership)).toMatchObject({ status: 409, data: { code: 'mfa.required' } });
    expect(await state(person)).toMatchObject({ enabled: true, recovery_codes_left: 10 });
    const agent = await signIns.join(organization.id, 'agent');
    await signIns.withMfa(agent, { ...membership, role: 'agent' });
    expect(await state(agent)).toMatchObject({ enabled: true, required: false });
    expect(await disable(agent, { ...membership, role: 'agent' })).toMatchObject({ status: 200, data: off });
  });

  it('for another user returns whether it was enabled, and ends a pending sign-in', async () => {
    const person = await identity.aPerson();
    const remove = () => identity.db.asSystem('test', (tx) => removeMfa(tx, person.user_id));
    expect(await remove()).toBe(false);
    await begun(person);
    expect(await remove()).toBe(false);
    await signIns.withMfa(person);
    await signIns.tryWith(person.email);
    expect(await remove()).toBe(true);
    expect(await rowsOf(person)).toEqual({ mfa: undefined, codes: [] });
    expect((await identity.weight())['mfa_challenges']).toBe(0);
  });
});

describe('new recovery codes', () => {
  const renew = (person: Person, membership: Membership | null = null) =>
    identity.call(renewRecoveryCodes, asPerson(person, membership), { body: proof });

  it('replace the old ones, and are recorded', async () => {
    const { person, organization, membership } = await signIns.aMember();
    const { recovery_codes: old } = await signIns.withMfa(person, membership);
    const { status, data } = await renew(person, membership);
    expect(status).toBe(200);
    const fresh = data['recovery_codes'] as string[];
    expect(fresh).toHaveLength(10);
    expect(fresh.filter((code) => old.includes(code))).toEqual([]);
    expect((await rowsOf(person)).codes).toHaveLength(10);
    expect((await signIns.logTypes(organization.id)).at(-1)).toBe('mfa.recovery_codes_renewed');
    expect(JSON.stringify(await signIns.log(organization.id))).not.toContain(fresh[0]);
  });

  it('require two-factor sign-in', async () => {
    const person = await identity.aPerson();
    expect(await renew(person)).toMatchObject({ status: 409, data: { code: 'mfa.not_enabled' } });
    await begun(person);
    expect(await renew(person)).toMatchObject({ status: 409, data: { code: 'mfa.not_enabled' } });
    expect((await rowsOf(person)).codes).toEqual([]);
  });
});

describe.each<[string, Operation]>([
  ['beginning', beginMfa],
  ['switching off', disableMfa],
  ['new recovery codes', renewRecoveryCodes],
])('%s needs the password again', (_what, op) => {
  it('with a wrong code are not created', async () => {
    const person = await identity.aPerson();
    if (op !== beginMfa) await signIns.withMfa(person);
    const before = { weight: await identity.weight(), rows: await rowsOf(person) };
    const answer = await identity.call(op, asPerson(person), { body: { current_password: 'wrong-password' } });
    expect(answer).toMatchObject({ status: 403, data: { code: 'password.wrong' } });
    expect({ weight: await identity.weight(), rows: await rowsOf(person) }).toEqual(before);
  });

  it.each<[string, unknown, string[]]>([
    ['no body', undefined, ['']],
    ['an array', [], ['']],
    ['none', {}, ['current_password']],
    ['an empty one', { current_password: '' }, ['current_password']],
    ['one that is too long', { current_password: 'x'.repeat(1025) }, ['current_password']],
    ['one of the wrong type', { current_password: [password] }, ['current_password']],
    ['null', { current_password: null }, ['current_password']],
    ['another user’s id', { ...proof, user_id: newId() }, ['user_id']],
    ['several faults at once', { current_password: 5, code: 'x' }, ['current_password', 'code']],
  ])('and refuses %s', async (_fault, body, paths) => {
    const person = await identity.aPerson();
    const before = await identity.weight();
    const { status, data } = await identity.call(op, asPerson(person), { body });
    expect([400, 422]).toContain(status);
    if (status === 422) expect(data.errors!.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect(await identity.weight()).toEqual(before);
  });

  it.each([' ', `${password}\u0000`, '\u0000'])('are not created with the code %j', async (current_password) => {
    const person = await identity.aPerson();
    expect(await identity.call(op, asPerson(person), { body: { current_password } })).toMatchObject({ status: 403 });
  });
});

describe('a code', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['empty', ''],
    ['blank', '   '],
    ['a number', 123_456],
    ['a list', ['123456']],
    ['five digits', '12345'],
    ['seven digits', '1234567'],
    ['far too long', '1'.repeat(1_000_000)],
    ['with NUL', '12345\u0000'],
    ['of look-alike digits', '１２３４５６'],
    ['of Arabic digits', '١٢٣٤٥٦'],
    ['a recovery code with a digit that base32 lacks', '1bcd-efgh-ijkl-mnop'],
  ])('that is %s is refused, and not counted', async (_what, code) => {
    const person = await identity.aPerson();
    await begun(person);
    const before = await rowsOf(person);
    const { status, data } = await confirm(person, code);
    expect(status).toBe(422);
    expect(data.errors!.map(({ path }) => path)).toEqual(['code']);
    expect(await rowsOf(person)).toEqual(before);
  });
});

it.each<[string, Operation]>([
  ['reading', readMfa],
  ['beginning', beginMfa],
  ['confirming', confirmMfa],
  ['switching off', disableMfa],
  ['renewing', renewRecoveryCodes],
])('%s requires a signed-in user', async (_what, op) => {
  const input = op === readMfa ? {} : { body: op === confirmMfa ? { code: '123456' } : proof };
  expect(await identity.call(op, undefined, input)).toMatchObject({ status: 401 });
  for (const ctx of [
    anonymous(),
    asActor({ type: 'system' }),
    asActor({ type: 'token', token_id: newId(), name: 'Importer', permissions: ['tickets:read'], via: 'api' }),
  ]) {
    expect([401, 403]).toContain((await identity.call(op, ctx, input)).status);
  }
});
