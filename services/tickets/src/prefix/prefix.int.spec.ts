import { createTicket, readTicketPrefix, saveTicketPrefix, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { staff } from '@tandem/testing';
import { TicketsUnderTest, type Place } from '../../test/tickets';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const adminOf = (place: Place) => staff('admin', { organization_id: place.id });
const save = (place: Place, prefix: unknown, ctx = adminOf(place)) => tickets.call(saveTicketPrefix, ctx, { body: { prefix } });
const read = (place: Place, ctx = adminOf(place)) => tickets.call(readTicketPrefix, ctx);

it('changes as long as there is no ticket, and is announced with where its admin was', async () => {
  const place = await tickets.aPlace({ ticket_prefix: 'OLD' });
  expect((await read(place)).data).toEqual({ prefix: 'OLD', editable: true });
  expect(await save(place, ' new ')).toMatchObject({ status: 200, data: { prefix: 'NEW', editable: true } });
  expect(await save(place, 'NEW')).toMatchObject({ status: 200 });
  const changes = (await tickets.events(place.id)).filter(({ type }) => type === 'ticket_prefix.changed');
  expect(changes.map(({ data }) => data)).toEqual([{ organization_id: place.id, prefix: 'NEW', previous: 'OLD' }]);
  expect((await tickets.aTicket(place)).ticket_number).toBe('NEW-0001');
});

it('is refused from the first ticket on, but saving what is there is not', async () => {
  const place = await tickets.aPlace({ ticket_prefix: 'OLD' });
  await tickets.aTicket(place);
  expect((await read(place)).data).toEqual({ prefix: 'OLD', editable: false });
  expect(await save(place, 'NEW')).toMatchObject({ status: 409, data: { code: 'ticket_prefix.in_use' } });
  expect(await save(place, 'OLD')).toMatchObject({ status: 200 });
});

it('and the first numbers agree when they race: every ticket carries the prefix that holds afterwards', async () => {
  for (let round = 0; round < 10; round++) {
    const place = await tickets.aPlace({ ticket_prefix: 'OLD' });
    const create = (n: number) =>
      tickets.call<Ticket>(createTicket, adminOf(place), { body: { subject: `Ticket ${n}`, customer_email: 'carla@example.com' } });
    const [changed, ...created] = await Promise.all([save(place, 'NEW'), ...[1, 2, 3].map(create)]);
    const { prefix } = (await read(place)).data as { prefix: string };
    expect([changed.status, prefix]).toEqual(changed.status === 200 ? [200, 'NEW'] : [409, 'OLD']);
    expect(created.map(({ data }) => data.ticket_number).sort()).toEqual([1, 2, 3].map((n) => `${prefix}-000${n}`));
  }
});

it.each(['', 'A', 'ABCDEF', 'A1', 'ÄÖ', 'A B', null, 7])('must be 2 to 5 letters, which %j is not', async (prefix) => {
  const place = await tickets.aPlace();
  expect(await save(place, prefix)).toMatchObject({ status: 422, data: { errors: [{ path: 'prefix' }] } });
});

it('is an admin’s to change, and anybody’s on the team to see', async () => {
  const place = await tickets.aPlace();
  expect(await save(place, 'NEW', staff('manager', { organization_id: place.id }))).toMatchObject({ status: 403 });
  expect(await read(place, staff('agent', { organization_id: place.id }))).toMatchObject({ status: 200 });
});

it('belongs to one organization: another one changes its own', async () => {
  const [one, other] = [await tickets.aPlace({ ticket_prefix: 'ONE' }), await tickets.aPlace({ ticket_prefix: 'TWO' })];
  expect(await save(other, 'ONE')).toMatchObject({ status: 200 });
  expect(await save(other, 'NEW')).toMatchObject({ status: 200 });
  expect((await read(one)).data).toMatchObject({ prefix: 'ONE' });
});

it('is not found for an organization that has not arrived here', async () => {
  expect(await tickets.call(readTicketPrefix, staff('admin', { organization_id: newId() }))).toMatchObject({ status: 404 });
});
