import { memberJoined, organizationCreated, systemContext, type Envelope, type Member, type Organization } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually, organizationOf } from '@tandem/testing';
import { aMember, TicketsUnderTest } from '../../test/tickets';
import { IdentityProjection } from './identity-projection';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const projection = new IdentityProjection();
const at = (sequence: number) => ({ sequence, time: '2030-01-01T00:00:00.000Z' }) as Envelope;
const applyOrganization = (value: Organization, sequence: number) =>
  tickets.db.forTenant({ organization_id: value.id }, (tx) =>
    projection.saveChangedOrganization(systemContext(value.id, 'test'), { organization: value }, tx, at(sequence)),
  );
const member = (value: Member, sequence: number) =>
  tickets.db.forTenant(value, (tx) =>
    projection.saveChangedMember(systemContext(value.organization_id, 'test'), { member: value }, tx, at(sequence)),
  );
const stored = (organization_id: string) =>
  tickets.db.forTenant({ organization_id }, async (tx) => ({
    organizations: await tx.selectFrom('organizations').selectAll().execute(),
    counters: await tx.selectFrom('ticket_counters').select(['prefix', 'last_number']).execute(),
    members: await tx.selectFrom('members').selectAll().execute(),
  }));

it('projects an organization and its members from the stream', async () => {
  const id = newId();
  const user = newId();
  const ctx = systemContext(id, 'test');
  await tickets.db.forTenant(ctx, async (tx) => {
    await emit(tx, ctx, organizationCreated, id, { organization: organizationOf(id) });
    await emit(tx, ctx, memberJoined, user, { member: aMember(id, user) });
  });
  await eventually(async () => {
    const { counters, members } = await stored(id);
    expect(counters).toEqual([{ prefix: 'ACM', last_number: 0 }]);
    expect(members).toMatchObject([{ user_id: user, first_name: 'Ada', is_active: true, sequence: 1 }]);
  });
});
it('keeps the newest state, in any order of events and after redelivery', async () => {
  const id = newId();
  const user = newId();
  const versions = [1, 2, 3, 4].map((n) => organizationOf(id, { name: `Name ${n}`, ticket_prefix: `P${'ABCD'[n - 1]}` }));
  const people = [1, 2, 3, 4].map((n) => aMember(id, user, { first_name: `Name ${n}`, is_active: n !== 4 }));
  for (const n of [2, 4, 1, 3, 4, 2]) {
    await applyOrganization(versions[n - 1]!, n);
    await member(people[n - 1]!, n);
  }
  const { organizations, counters, members } = await stored(id);
  expect(organizations).toMatchObject([{ name: 'Name 4', ticket_prefix: 'PD', sequence: 4 }]);
  expect(counters).toEqual([{ prefix: 'PB', last_number: 0 }]);
  expect(members).toMatchObject([{ first_name: 'Name 4', is_active: false, sequence: 4 }]);
});
it('keeps the newest state of concurrent events', async () => {
  const id = newId();
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => applyOrganization(organizationOf(id, { name: `Name ${n}` }), n)));
  expect((await stored(id)).organizations).toMatchObject([{ name: 'Name 6', sequence: 6 }]);
});
it('takes the prefix only from a new organization, because identity’s copy can be older', async () => {
  const organization = await tickets.anOrganization({ ticket_prefix: 'OWN' });
  await applyOrganization(organizationOf(organization.id, { ticket_prefix: 'OLD' }), 2);
  expect((await tickets.aTicket(organization)).ticket_number).toBe('OWN-0001');
});
it('stores the follow-up setting, which is `locked` by default', async () => {
  const id = newId();
  await applyOrganization(organizationOf(id), 1);
  expect((await stored(id)).organizations).toMatchObject([{ customer_follow_up: 'locked', instant_lookup: false }]);
  await applyOrganization(organizationOf(id, { customer_follow_up: 'new_ticket', instant_lookup: true }), 3);
  await applyOrganization(organizationOf(id, { customer_follow_up: 'reopen' }), 2);
  expect((await stored(id)).organizations).toMatchObject([{ customer_follow_up: 'new_ticket', instant_lookup: true }]);
});
