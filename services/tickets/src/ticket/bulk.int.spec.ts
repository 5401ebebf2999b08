import { changeTickets, readTicket, type BulkResult, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const bulk = (body: unknown, ctx = asStaff(organization)) => tickets.call<BulkResult[]>(changeTickets, ctx, { body });
const read = async (id: string) => (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;
const some = (count: number, overrides: Parameters<TicketsUnderTest['aTicket']>[1] = {}) =>
  Promise.all(Array.from({ length: count }, () => tickets.aTicket(organization, overrides)));

it('changes each ticket with its events and timeline like a single change', async () => {
  const ids = (await some(3)).map(({ id }) => id);
  const { status, data } = await bulk({ ids, changes: { status: 'resolved', priority: 'high', assigned_to: organization.agent } });
  expect(status).toBe(200);
  expect(data.map(({ id, code }) => [id, code])).toEqual([...ids].sort().map((id) => [id, null]));
  for (const { id, ticket } of data) {
    expect(ticket).toMatchObject({ status: 'resolved', priority: 'high', assignee: { user_id: organization.agent } });
    expect(Object.keys(ticket!)).not.toContain('description');
    expect(await read(id)).toMatchObject({ status: 'resolved', version: ticket!.version });
    expect((await read(id)).resolved_at).not.toBeNull();
    expect(await tickets.eventTypes(id)).toEqual(['ticket.created', 'ticket.updated', 'ticket.assigned', 'ticket.resolved']);
  }
  const activities = await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.selectFrom('activities').select('ticket_id').where('ticket_id', 'in', ids).where('kind', '=', 'changed').execute(),
  );
  expect(activities.map(({ ticket_id }) => ticket_id).sort()).toEqual([...ids].sort());
});
it('reports unknown and foreign tickets, and changes the others', async () => {
  const otherOrganization = await tickets.anOrganization();
  const [mine] = await some(1);
  const theirs = await tickets.aTicket(otherOrganization);
  const unknown = newId();
  const { data } = await bulk({ ids: [theirs.id, mine!.id, unknown], changes: { status: 'closed' } });
  const codes = Object.fromEntries(data.map(({ id, code }) => [id, code]));
  expect(codes).toEqual({ [mine!.id]: null, [theirs.id]: 'ticket.not_found', [unknown]: 'ticket.not_found' });
  expect(await tickets.eventTypes(theirs.id)).toEqual(['ticket.created']);
});
it('adds and removes tags, rejects only the ticket with a 21st tag, and changes a repeated ticket once', async () => {
  const [few] = await some(1, { tags: ['a', 'b'] });
  const [full] = await some(1, { tags: Array.from({ length: 20 }, (_, i) => `t${i}`) });
  const { data } = await bulk({ ids: [few!.id, full!.id, few!.id], changes: { add_tags: ['c', 'b'], remove_tags: ['a', 'nope'] } });
  expect(data).toHaveLength(2);
  expect(data.find(({ id }) => id === few!.id)?.ticket?.tags).toEqual(['b', 'c']);
  expect(data.find(({ id }) => id === full!.id)).toEqual({ id: full!.id, ticket: null, code: 'ticket.too_many_tags' });
  expect((await read(full!.id)).tags).toHaveLength(20);
  expect((await tickets.eventTypes(few!.id)).filter((type) => type === 'ticket.updated')).toHaveLength(1);
  const swap = await bulk({ ids: [full!.id], changes: { add_tags: ['new'], remove_tags: ['t0'] } });
  expect(swap.data[0]?.ticket?.tags).toContain('new');
});
it('a change without effect succeeds and emits nothing', async () => {
  const [one] = await some(1);
  const { data } = await bulk({ ids: [one!.id], changes: { status: 'open' } });
  expect(data[0]).toMatchObject({ code: null, ticket: { version: 1 } });
  expect(await tickets.eventTypes(one!.id)).toEqual(['ticket.created']);
});
it('rejects an assignee who is not a member, and changes nothing', async () => {
  const [one] = await some(1);
  const { status, data } = await bulk({ ids: [one!.id], changes: { status: 'closed', assigned_to: newId() } });
  expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, 'assignee.not_a_member', 'changes.assigned_to']);
  expect((await read(one!.id)).status).toBe('open');
});
it.each([
  [{ ids: [], changes: { status: 'closed' } }, 'ids'],
  [{ ids: Array.from({ length: 101 }, newId), changes: { status: 'closed' } }, 'ids'],
  [{ ids: ['x'], changes: { status: 'closed' } }, 'ids.0'],
  [{ ids: [newId()], changes: {} }, 'changes'],
  [{ ids: [newId()], changes: { status: 'done' } }, 'changes.status'],
  [{ ids: [newId()], changes: { add_tags: [' '] } }, 'changes.add_tags.0'],
  [{ ids: [newId()], changes: { subject: 'x' } }, 'changes.subject'],
])('rejects %j', async (body, path) => {
  const { status, data } = await bulk(body);
  expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
});
it('requires write permission', async () => {
  const body = { ids: [newId()], changes: { status: 'closed' } };
  expect((await bulk(body, asToken(organization, 'tickets:read'))).status).toBe(403);
  expect((await bulk(body, asCustomer(organization.id))).status).toBe(401);
  expect((await tickets.call(changeTickets, undefined, { body })).status).toBe(401);
});
it('two concurrent requests for the same 100 tickets both complete, and neither waits for the other to finish', async () => {
  const ids = (await some(100)).map(({ id }) => id);
  const answers = await Promise.all([
    bulk({ ids, changes: { add_tags: ['left'], assigned_to: organization.agent } }),
    bulk({ ids: [...ids].reverse(), changes: { add_tags: ['right'], assigned_to: organization.admin } }),
  ]);
  for (const { status, data } of answers) expect([status, data.filter(({ code }) => code !== null)]).toEqual([200, []]);
  for (const id of ids.slice(0, 5)) expect([...(await read(id)).tags].sort()).toEqual(['left', 'right']);
});
