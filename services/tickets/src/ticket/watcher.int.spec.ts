import { addWatcher, readTicket, readTimeline, removeWatcher, type Activity, type Role, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import {
  aMember,
  asCustomer,
  asUserWithoutOrganization,
  asStaff,
  asToken,
  TicketsUnderTest,
  type TestOrganization,
} from '../../test/tickets';
import { saveMember } from '../projection/identity-projection.store';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const watch = (id: string, userId: string, ctx = asStaff(organization)) =>
  tickets.call<Ticket>(addWatcher, ctx, { params: { id, userId } });
const leave = (id: string, userId: string, ctx = asStaff(organization)) =>
  tickets.call<Ticket>(removeWatcher, ctx, { params: { id, userId } });
const read = async (id: string) => (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;
const member = async (is_active = true) => {
  const user_id = newId();
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    saveMember(tx, aMember(organization.id, user_id, { is_active }), 1),
  );
  return user_id;
};

it('adds and removes a watcher with events, but without timeline entries', async () => {
  const before = await tickets.aTicket(organization);
  const added = await watch(before.id, organization.manager);
  expect(added.status).toBe(200);
  expect(added.data).toEqual({ ...before, watchers: [organization.manager], version: 2, updated_at: added.data.updated_at });
  expect((await watch(before.id, organization.agent)).data.watchers).toEqual([organization.manager, organization.agent]);
  expect((await leave(before.id, organization.manager)).data).toMatchObject({ watchers: [organization.agent], version: 4 });
  const updates = (await tickets.events(before.id)).filter(({ type }) => type === 'ticket.updated');
  expect(updates.map(({ data }) => data.changes)).toEqual([
    { watchers: { from: [], to: [organization.manager] } },
    { watchers: { from: [organization.manager], to: [organization.manager, organization.agent] } },
    { watchers: { from: [organization.manager, organization.agent], to: [organization.agent] } },
  ]);
  const { data } = await tickets.call<Activity[]>(readTimeline, asStaff(organization), { params: { id: before.id } });
  expect(data.map(({ kind }) => kind)).toEqual(['created']);
});
it('changes and emits nothing if the user already watches, or does not watch', async () => {
  const { id } = await tickets.aTicket(organization);
  const { data } = await watch(id, organization.agent);
  expect((await watch(id, organization.agent)).data).toEqual(data);
  expect((await leave(id, newId())).data).toEqual(data);
  expect(await tickets.eventTypes(id)).toEqual(['ticket.created', 'ticket.updated']);
});
it('ignores the case of an ID', async () => {
  const { id } = await tickets.aTicket(organization);
  const { data } = await watch(id, organization.agent);
  expect((await watch(id.toUpperCase(), organization.agent.toUpperCase())).data).toEqual(data);
  expect((await leave(id, organization.agent.toUpperCase())).data.watchers).toEqual([]);
});
it('accepts only active members, and allows former members to be removed', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const stranger of [newId(), otherOrganization.agent, await member(false)]) {
    const { status, data } = await watch(id, stranger);
    expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, 'assignee.not_a_member', 'userId']);
  }
  const gone = await member();
  await watch(id, gone);
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    saveMember(tx, aMember(organization.id, gone, { is_active: false }), 2),
  );
  expect((await watch(id, gone)).data.watchers).toEqual([gone]);
  expect((await leave(id, gone)).data.watchers).toEqual([]);
});
it('limits a ticket to 50 watchers', async () => {
  const { id } = await tickets.aTicket(organization);
  const otherWatchers = Array.from({ length: 49 }, () => newId());
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('tickets').set({ watchers: otherWatchers }).where('id', '=', id).execute(),
  );
  const last = [await member(), await member()];
  const answers = await Promise.all(last.map((user_id) => watch(id, user_id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  const refused = answers.find(({ status }) => status === 422)!;
  expect([refused.data.code, refused.data.errors?.[0]]).toEqual([
    'request.invalid',
    { path: 'userId', code: 'too_many', message: 'A ticket can have at most 50 watchers' },
  ]);
  expect((await read(id)).watchers).toHaveLength(50);
});
it('adds all concurrent watchers', async () => {
  const { id } = await tickets.aTicket(organization);
  const otherWatchers = await Promise.all(Array.from({ length: 8 }, () => member()));
  await Promise.all(otherWatchers.map((user_id) => watch(id, user_id)));
  expect([...(await read(id)).watchers].sort()).toEqual([...otherWatchers].sort());
});
it('allows every role, and no other caller', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const role of ['admin', 'manager', 'agent'] satisfies Role[])
    expect((await watch(id, organization.agent, asStaff(organization, role))).status).toBe(200);
  for (const ctx of [asCustomer(organization.id), asUserWithoutOrganization(), asToken(organization, 'tickets:write')]) {
    const status = ctx.actor.type === 'customer' ? 401 : 403;
    expect([(await watch(id, organization.manager, ctx)).status, (await leave(id, organization.agent, ctx)).status]).toEqual([
      status,
      status,
    ]);
  }
  expect((await read(id)).watchers).toEqual([organization.agent]);
});
it('rejects an invalid ID, and returns not found for a ticket of another organization', async () => {
  const ticket = await tickets.aTicket(organization);
  expect((await watch(ticket.id, 'me')).status).toBe(422);
  expect((await leave('x', organization.agent)).status).toBe(422);
  for (const id of [ticket.id, newId()]) {
    expect((await watch(id, otherOrganization.agent, asStaff(otherOrganization))).data.code).toBe('ticket.not_found');
    expect((await leave(id, otherOrganization.agent, asStaff(otherOrganization))).data.code).toBe('ticket.not_found');
  }
  expect(await read(ticket.id)).toEqual(ticket);
});
