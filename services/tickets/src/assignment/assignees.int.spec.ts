import { listAssignees, type Assignee } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { saveMember } from '../projection/identity-projection.store';
import { aMember, asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const list = (query?: Record<string, string>, ctx = asStaff(organization)) => tickets.call<Assignee[]>(listAssignees, ctx, { query });
const join = (more: object) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) => saveMember(tx, aMember(organization.id, newId(), more), 1));

it('lists the active members of the organization by address, without their roles', async () => {
  const { status, data, pagination } = await list();
  expect([status, pagination.total]).toEqual([200, 3]);
  expect(data.map(({ user_id }) => user_id).sort()).toEqual([organization.admin, organization.manager, organization.agent].sort());
  expect(data.map(({ email }) => email)).toEqual(data.map(({ email }) => email).sort());
  expect(Object.keys(data[0]!).sort()).toEqual(['email', 'first_name', 'last_name', 'user_id']);
});
it('finds members by a part of the name or of the address, ignoring case, and pages', async () => {
  await join({ email: 'zoe@example.com', first_name: 'Zoë', last_name: 'Ångström' });
  await join({ email: 'left@example.com', first_name: 'Zoë', last_name: 'Left', is_active: false });
  for (const search of ['zoë ångström', 'ZOE@', 'ångström'])
    expect((await list({ search })).data.map(({ email }) => email)).toEqual(['zoe@example.com']);
  for (const search of ['%', '_', 'left', 'nobody']) expect((await list({ search })).data).toEqual([]);
  const first = await list({ limit: '2' });
  const second = await list({ limit: '2', cursor: first.pagination.next_cursor! });
  expect(new Set([...first.data, ...second.data].map(({ user_id }) => user_id)).size).toBe(4);
  expect(second.pagination.next_cursor).toBeNull();
});
it.each([[{ limit: '0' }], [{ limit: '101' }], [{ cursor: 'x' }], [{ search: 'x'.repeat(501) }], [{ role: 'admin' }]])(
  'rejects %j',
  async (query) => {
    expect((await list(query)).status).toBe(422);
  },
);
it('is for staff and for tokens that may read tickets', async () => {
  expect((await list({}, asToken(organization, 'tickets:read'))).status).toBe(200);
  expect((await list({}, asToken(organization, 'tickets:write'))).status).toBe(403);
  expect((await list({}, asCustomer(organization.id))).status).toBe(401);
});
it('does not list members of another organization', async () => {
  const own = (await list({}, asStaff(otherOrganization))).data.map(({ user_id }) => user_id);
  expect(own.sort()).toEqual([otherOrganization.admin, otherOrganization.manager, otherOrganization.agent].sort());
});
