import { createTicket, readTicketPrefix, saveTicketPrefix, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { staff } from '@tandem/testing';
import { TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const adminOf = (organization: TestOrganization) => staff('admin', { organization_id: organization.id });
const save = (organization: TestOrganization, prefix: unknown, ctx = adminOf(organization)) =>
  tickets.call(saveTicketPrefix, ctx, { body: { prefix } });
const read = (organization: TestOrganization, ctx = adminOf(organization)) => tickets.call(readTicketPrefix, ctx);

it('the prefix can change before the first ticket, with an audited event', async () => {
  const organization = await tickets.anOrganization({ ticket_prefix: 'OLD' });
  expect((await read(organization)).data).toEqual({ prefix: 'OLD', editable: true });
  expect(await save(organization, ' new ')).toMatchObject({ status: 200, data: { prefix: 'NEW', editable: true } });
  expect(await save(organization, 'NEW')).toMatchObject({ status: 200 });
  const changes = (await tickets.events(organization.id)).filter(({ type }) => type === 'ticket_prefix.changed');
  expect(changes.map(({ data }) => data)).toEqual([{ organization_id: organization.id, prefix: 'NEW', previous: 'OLD' }]);
  expect((await tickets.aTicket(organization)).ticket_number).toBe('NEW-0001');
});

it('the prefix is fixed after the first ticket, and saving the same one succeeds', async () => {
  const organization = await tickets.anOrganization({ ticket_prefix: 'OLD' });
  await tickets.aTicket(organization);
  expect((await read(organization)).data).toEqual({ prefix: 'OLD', editable: false });
  expect(await save(organization, 'NEW')).toMatchObject({ status: 409, data: { code: 'ticket_prefix.in_use' } });
  expect(await save(organization, 'OLD')).toMatchObject({ status: 200 });
});

it('concurrent first tickets have the prefix that is stored afterwards', async () => {
  for (let round = 0; round < 10; round++) {
    const organization = await tickets.anOrganization({ ticket_prefix: 'OLD' });
    const create = (n: number) =>
      tickets.call<Ticket>(createTicket, adminOf(organization), { body: { subject: `Ticket ${n}`, customer_email: 'carla@example.com' } });
    const [changed, ...created] = await Promise.all([save(organization, 'NEW'), ...[1, 2, 3].map(create)]);
    const { prefix } = (await read(organization)).data as { prefix: string };
    expect([changed.status, prefix]).toEqual(changed.status === 200 ? [200, 'NEW'] : [409, 'OLD']);
    expect(created.map(({ data }) => data.ticket_number).sort()).toEqual([1, 2, 3].map((n) => `${prefix}-000${n}`));
  }
});

it.each(['', 'A', 'ABCDEF', 'A1', 'ÄÖ', 'A B', null, 7])('the prefix must have 2 to 5 letters: rejects %j', async (prefix) => {
  const organization = await tickets.anOrganization();
  expect(await save(organization, prefix)).toMatchObject({ status: 422, data: { errors: [{ path: 'prefix' }] } });
});

it('admins change the prefix, and every role reads it', async () => {
  const organization = await tickets.anOrganization();
  expect(await save(organization, 'NEW', staff('manager', { organization_id: organization.id }))).toMatchObject({ status: 403 });
  expect(await read(organization, staff('agent', { organization_id: organization.id }))).toMatchObject({ status: 200 });
});

it('each organization has its own prefix', async () => {
  const [one, other] = [await tickets.anOrganization({ ticket_prefix: 'ONE' }), await tickets.anOrganization({ ticket_prefix: 'TWO' })];
  expect(await save(other, 'ONE')).toMatchObject({ status: 200 });
  expect(await save(other, 'NEW')).toMatchObject({ status: 200 });
  expect((await read(one)).data).toMatchObject({ prefix: 'ONE' });
});

it('the prefix of an organization that has not been projected is not found', async () => {
  expect(await tickets.call(readTicketPrefix, staff('admin', { organization_id: newId() }))).toMatchObject({ status: 404 });
});
