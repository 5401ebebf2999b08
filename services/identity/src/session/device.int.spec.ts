import { listDevices, revokeDevice, revokeOtherDevices, type Device } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, asPerson, asSession, client, IdentityUnderTest } from '../../test/identity';
import { about, expired, SignIns, type Issued } from '../../test/sign-ins';

let identity: IdentityUnderTest;
let signIns: SignIns;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  signIns = new SignIns(identity);
});
afterAll(() => identity?.close());

const list = async ({ session }: Issued) => (await identity.call(listDevices, asSession(session))).data as unknown as Device[];
const revoke = ({ session }: Issued, id: string) => identity.call(revokeDevice, asSession(session), { params: { id } });
const revokeOthers = ({ session }: Issued) => identity.call(revokeOtherDevices, asSession(session));
const phone = { user_agent: 'Phone/3.1', ip: '198.51.100.4' };
const isOver = async (issued: Issued) => {
  expect(await signIns.refresh(issued.refresh_token)).toMatchObject(expired);
  expect(await signIns.read(issued.session)).toMatchObject(expired);
};
const goesOn = async (issued: Issued) => expect(await signIns.read(issued.session)).toMatchObject({ status: 200 });

describe("the user's devices", () => {
  it('are the active sessions, newest first, with client address and browser', async () => {
    const person = await identity.aPerson();
    const [laptop, tablet] = [await signIns.of(person), await signIns.of(person, phone)];
    const [idle, ended] = [await signIns.of(person), await signIns.of(person)];
    await signIns.of();
    await signIns.move(idle.session, { idle_expires_at: -1 });
    await revoke(laptop, ended.session.session_id);
    const devices = await list(laptop);
    expect(devices).toMatchObject([
      { id: tablet.session.session_id, current: false, ...phone },
      { id: laptop.session.session_id, current: true, ...client },
    ]);
    about(devices[0]!.created_at, 0);
    about(devices[0]!.last_seen_at, 0);
    expect(JSON.stringify(devices)).not.toContain('token');
  });
  it('require a session', async () => {
    expect(await identity.call(listDevices, undefined)).toMatchObject({ status: 401 });
    for (const ctx of [anonymous(), asActor({ type: 'system' })])
      expect([401, 403]).toContain((await identity.call(listDevices, ctx)).status);
  });
});

describe('revoking a device', () => {
  it('invalidates access and refresh tokens immediately on every gateway, and is recorded', async () => {
    const { person, organization } = await signIns.aMember();
    const [laptop, lost] = [await signIns.of(person), await signIns.of(person, phone)];
    const { version } = await signIns.access(person.user_id);
    expect(await revoke(laptop, lost.session.session_id)).toMatchObject({ status: 200, data: {} });
    await isOver(lost);
    await goesOn(laptop);
    expect(await signIns.rowOf(lost.session)).toMatchObject({ end_reason: 'revoked' });
    expect(await signIns.access(person.user_id)).toEqual({ version: version + 1, announced: version + 1 });
    expect((await signIns.log(organization.id)).at(-1)).toMatchObject({
      type: 'session.revoked',
      actor_id: person.user_id,
      target: phone.user_agent,
      ...client,
    });
  });
  it('can end the current session', async () => {
    const laptop = await signIns.of();
    expect(await revoke(laptop, laptop.session.session_id)).toMatchObject({ status: 200 });
    await isOver(laptop);
  });
  it("returns not found for other users' and ended sessions, and changes nothing", async () => {
    const { person, organization } = await signIns.aMember();
    const colleague = await signIns.join(organization.id, 'agent');
    const [mine, ended, idle] = [await signIns.of(person), await signIns.of(person), await signIns.of(person)];
    const [colleagues, strangers] = [await signIns.of(colleague), await signIns.of()];
    await revoke(mine, ended.session.session_id);
    await signIns.move(idle.session, { idle_expires_at: -1 });
    const before = { weight: await identity.weight(), log: await signIns.log(organization.id) };
    for (const { session } of [colleagues, strangers, ended, idle, { session: { session_id: newId() } }]) {
      expect(await revoke(mine, session.session_id)).toMatchObject({ status: 404, data: { code: 'device.not_found' } });
    }
    expect({ weight: await identity.weight(), log: await signIns.log(organization.id) }).toEqual(before);
    await goesOn(colleagues);
    await goesOn(strangers);
  });
  it('happens once with concurrent requests', async () => {
    const person = await identity.aPerson();
    const [mine, other] = [await signIns.of(person), await signIns.of(person)];
    const answers = await Promise.all([1, 2, 3].map(() => revoke(mine, other.session.session_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });
  it.each([
    ['a word', 'x'],
    ['a number', '1'],
    ['blank', ' '],
    ['NUL', '\u0000'],
    ['far too long', 'x'.repeat(5000)],
  ])('rejects an id that is %s', async (_what, id) => {
    const mine = await signIns.of();
    const { status, data } = await revoke(mine, id);
    expect([400, 404, 414, 422]).toContain(status);
    if (status === 422) expect(data.errors!.map(({ path }) => path)).toEqual(['id']);
    await goesOn(mine);
  });
  it('requires a session', async () => {
    const { session } = await signIns.of();
    const input = { params: { id: session.session_id } };
    expect(await identity.call(revokeDevice, undefined, input)).toMatchObject({ status: 401 });
    expect([401, 403]).toContain((await identity.call(revokeDevice, anonymous(), input)).status);
  });
});

describe('revoking all other devices', () => {
  it('keeps the current session, ends the others immediately, and records each', async () => {
    const { person, organization } = await signIns.aMember();
    const [mine, one, other] = [await signIns.of(person), await signIns.of(person, phone), await signIns.of(person)];
    const colleagues = await signIns.of(await signIns.join(organization.id, 'agent'));
    const { version } = await signIns.access(person.user_id);
    expect(await revokeOthers(mine)).toMatchObject({ status: 200, data: { ended: 2 } });
    await isOver(one);
    await isOver(other);
    await goesOn(colleagues);
    await signIns.refreshed(mine.refresh_token);
    expect(await signIns.access(person.user_id)).toEqual({ version: version + 1, announced: version + 1 });
    const noted = (await signIns.log(organization.id)).filter(({ type }) => type === 'session.revoked');
    expect(noted.map(({ target }) => target).sort()).toEqual([phone.user_agent, client.user_agent]);
  });
  it('without others changes and publishes nothing', async () => {
    const mine = await signIns.of();
    const before = await identity.weight();
    expect(await revokeOthers(mine)).toMatchObject({ status: 200, data: { ended: 0 } });
    expect(await identity.weight()).toEqual(before);
  });
  it('also ends a sign-in that waits for its second step', async () => {
    const person = await identity.aPerson();
    const [mine] = [await signIns.of(person), await signIns.of(person)];
    await signIns.withMfa(person);
    await signIns.tryWith(person.email);
    await revokeOthers(mine);
    const waiting = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('mfa_challenges').selectAll().where('user_id', '=', person.user_id).execute(),
    );
    expect(waiting).toEqual([]);
  });
  it('requires a session', async () => {
    expect(await identity.call(revokeOtherDevices, undefined)).toMatchObject({ status: 401 });
    expect([401, 403]).toContain((await identity.call(revokeOtherDevices, anonymous())).status);
    const { person } = await signIns.aMember();
    expect(await identity.call(revokeOtherDevices, asPerson(person))).toMatchObject({ status: 200, data: { ended: 0 } });
  });
});
