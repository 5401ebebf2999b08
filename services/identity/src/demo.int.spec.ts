import {
  createInvitation,
  extendSession,
  listInvitations,
  resendInvitation,
  signIn,
  startDemo,
  type Invitation,
  type Session,
} from '@tandem/contracts';
import { sql } from 'kysely';
import { anonymous, asPerson, asSession, IdentityUnderTest, password } from '../test/identity';
import { SignIns, type Issued } from '../test/sign-ins';
import { hashPassword } from './account/password';
import { demoPassword, seedDemoOrganization } from './demo';

let identity: IdentityUnderTest;
const maxDemos = 3;
beforeAll(async () => (identity = await IdentityUnderTest.start({ LIVE_DEMOS: `${maxDemos}` })));
afterAll(() => identity?.close());

it('seeds Northwind Outfitters once, even if it is repeated later', async () => {
  const seeded = await Promise.all([1, 2, 3].map(() => seedDemoOrganization(identity.db, { isSingle: false })));
  expect(seeded.map(({ created }) => created).sort()).toEqual([false, false, true]);
  const again = await seedDemoOrganization(identity.db, { isSingle: false });
  expect(again.created).toBe(false);
  expect(again.organization).toMatchObject({ name: 'Northwind Outfitters', subdomain: 'northwind', slug: 'northwind-outfitters' });
  expect(again.organization).toMatchObject({
    time_zone: 'Europe/Berlin',
    business_hours: expect.arrayContaining([{ day: 'mon', from: '09:00', to: '17:30' }]),
  });
  for (const { organization, members } of seeded)
    expect({ organization, members }).toEqual({ organization: again.organization, members: again.members });
  expect(again.members.map(({ role, email }) => [role, email])).toEqual([
    ['admin', 'admin@demo.test'],
    ['manager', 'manager@demo.test'],
    ['agent', 'agent@demo.test'],
  ]);
  expect((await identity.events()).map(({ type }) => type)).toEqual([
    'organization.created',
    'member.joined',
    'member.joined',
    'member.joined',
  ]);
});

it.each(['admin', 'manager', 'agent'])('lets the %s sign in', async (role) => {
  await seedDemoOrganization(identity.db, { isSingle: false });
  const { status, data } = await identity.call(signIn, anonymous(), { body: { email: `${role}@demo.test`, password: demoPassword } });
  expect(status).toBe(200);
  expect(data).toMatchObject({ session: { profile: { role }, organization: { subdomain: 'northwind' } } });
});

it('creates one pending and one expired invitation, and both can be sent again', async () => {
  const { organization, members } = await seedDemoOrganization(identity.db, { isSingle: false });
  await seedDemoOrganization(identity.db, { isSingle: false });
  const [admin] = members;
  const ctx = asPerson(admin!, { organization_id: organization.id, role: 'admin' });
  const invitations = (await identity.call(listInvitations, ctx)).data as unknown as Invitation[];
  expect(invitations.map(({ email, status, expires_at }) => [email, status, Date.parse(expires_at) > Date.now()])).toEqual([
    ['noor@demo.test', 'pending', true],
    ['jonas@demo.test', 'pending', false],
  ]);
  expect((await identity.call(resendInvitation, ctx, { params: { id: invitations[0]!.id } })).status).toBe(200);
  expect((await identity.call(createInvitation, ctx, { body: { email: 'jonas@demo.test' } })).status).toBe(201);
});

describe('live demos', () => {
  let demos: Issued[];
  beforeAll(async () => {
    const answers = await Promise.all(Array.from({ length: 3 * maxDemos }, () => identity.call(startDemo, anonymous())));
    const [started, refused] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status !== 200)];
    demos = started.map(({ data }) => data as unknown as Issued);
    for (const answer of refused) expect(answer).toMatchObject({ status: 503, data: { code: 'demo.full' } });
  });
  const endOf = ({ session }: { session: Session }) => Date.parse(session.organization!.demo_ends_at!);
  const deadlinesOf = ({ session }: { session: Session }) =>
    [session.absolute_expires_at, session.idle_expires_at].map((at) => Date.parse(at));

  it('never exceed the configured number, even if they start at the same moment', () => expect(demos).toHaveLength(maxDemos));

  it('have no address that an email server could accept', async () => {
    const { session } = demos[0]!;
    const organization_id = session.organization!.id;
    const host = session.profile.email.split('@')[1]!;
    const invited = await identity.db.forTenant({ organization_id }, (tx) => tx.selectFrom('invitations').select('email').execute());
    expect(invited.map(({ email }) => email).sort()).toEqual([`jonas@${host}`, `noor@${host}`]);
    expect(host).toMatch(/\.demo\.invalid$/);
  });

  it('end the sessions of their visitors, including extended, refreshed and new ones', async () => {
    const signIns = new SignIns(identity);
    const [demo] = demos as [Issued, ...Issued[]];
    expect(Date.parse(demo.session.absolute_expires_at)).toBe(endOf(demo));
    const { email, organization_id } = demo.session.profile;
    const password_hash = await hashPassword(password);
    await identity.db.asSystem('test', (tx) => tx.updateTable('users').set({ password_hash }).where('email', '=', email).execute());
    const move = (seconds: number) =>
      identity.db.forTenant({ organization_id }, (tx) =>
        tx
          .updateTable('organizations')
          .set({ demo_ends_at: sql<string>`now() + make_interval(secs => ${seconds})` })
          .execute(),
      );
    await move(5 * 60);
    const late = (await signIns.tryWith(email)).data as unknown as Issued;
    const extended = (await identity.call(extendSession, asSession(late.session))).data as unknown as Issued;
    const refreshed = (await signIns.refresh(late.refresh_token)).data as unknown as Issued;
    for (const issued of [late, extended, refreshed]) for (const at of deadlinesOf(issued)) expect(at).toBe(endOf(issued));
    await move(0);
    expect(await signIns.tryWith(email)).toMatchObject({ status: 403, data: { code: 'account.inactive' } });
  });
});
