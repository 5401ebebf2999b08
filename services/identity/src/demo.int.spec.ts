import { createInvitation, listInvitations, resendInvitation, signIn, type Invitation } from '@tandem/contracts';
import { anonymous, asPerson, IdentityUnderTest } from '../test/identity';
import { demoPassword, seedDemoOrganization } from './demo';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

it('seeds Northwind Outfitters once, even if it is repeated later', async () => {
  const seeded = await Promise.all([1, 2, 3].map(() => seedDemoOrganization(identity.db)));
  expect(seeded.map(({ created }) => created).sort()).toEqual([false, false, true]);
  const again = await seedDemoOrganization(identity.db);
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
  await seedDemoOrganization(identity.db);
  const { status, data } = await identity.call(signIn, anonymous(), { body: { email: `${role}@demo.test`, password: demoPassword } });
  expect(status).toBe(200);
  expect(data).toMatchObject({ session: { profile: { role }, organization: { subdomain: 'northwind' } } });
});

it('creates one pending and one expired invitation, and both can be sent again', async () => {
  const { organization, members } = await seedDemoOrganization(identity.db);
  await seedDemoOrganization(identity.db);
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
