import { systemContext, taskToolConnected, updateTicket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { insertTelling, saveTelling } from './telling.store';
import { TicketTellings } from './ticket-tellings';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start({ SWEEP_MS: '300' })));
afterAll(() => tickets?.close());

const connect = (place: TestOrganization, connection_id = newId()) => {
  const ctx = systemContext(place.id, 'test');
  return tickets.db
    .forTenant(ctx, (tx) => emit(tx, ctx, taskToolConnected, place.id, { connection_id, provider: 'clickup' }))
    .then(() => connection_id);
};
const inside = <T>(place: TestOrganization, work: Parameters<typeof tickets.db.forTenant<T>>[1]) =>
  tickets.db.forTenant({ organization_id: place.id }, work);
const tellings = (place: TestOrganization) => inside(place, (tx) => tx.selectFrom('ticket_tellings').selectAll().execute());
const eventsOf = async (place: TestOrganization) => (await tickets.events()).filter(({ organization_id }) => organization_id === place.id);
const snapshotsOf = async (place: TestOrganization) => (await eventsOf(place)).filter(({ type }) => type === 'ticket.snapshot');
const toldOf = async (place: TestOrganization) =>
  (await eventsOf(place)).filter(({ type }) => type === 'ticket.all_told').map(({ subject, data }) => ({ subject, ...data }));
async function aHouseOf(count: number): Promise<{ place: TestOrganization; ids: string[] }> {
  const place = await tickets.anOrganization();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await tickets.aTicket(place)).id);
  return { place, ids: ids.sort() };
}

it('tells a new connection every ticket once, numbered on from the ticket’s own events, and at last how many they were', async () => {
  const { place, ids } = await aHouseOf(450);
  await tickets.call(updateTicket, asStaff(place), { params: { id: ids[0]! }, body: { assigned_to: place.agent, status: 'closed' } });
  await tickets.aTicket(await tickets.anOrganization());
  const connection_id = await connect(place);
  await eventually(async () => expect(await toldOf(place)).toEqual([{ subject: place.id, connection_id, count: 450 }]));
  const snapshots = await snapshotsOf(place);
  expect(snapshots.map(({ subject }) => subject).sort()).toEqual(ids);
  const first = snapshots.find(({ subject }) => subject === ids[0])!;
  expect(first.data.ticket).toMatchObject({ id: ids[0], status: 'closed', assignee: { user_id: place.agent } });
  const numbers = (await tickets.events(ids[0])).map(({ sequence }) => sequence);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  expect(await tellings(place)).toEqual([]);
});
it('says so where there is none', async () => {
  const place = await tickets.anOrganization();
  const connection_id = await connect(place);
  await eventually(async () => expect(await toldOf(place)).toEqual([{ subject: place.id, connection_id, count: 0 }]));
});
it('goes on from its row where a process was killed, without asking', async () => {
  const { place, ids } = await aHouseOf(5);
  const connection_id = newId();
  await inside(place, async (tx) => {
    await insertTelling(tx, { organization_id: place.id, connection_id });
    await saveTelling(tx, { organization_id: place.id, connection_id, last_id: ids[2]!, told: 3 });
  });
  await eventually(async () => expect(await toldOf(place)).toEqual([{ subject: place.id, connection_id, count: 5 }]));
  expect((await snapshotsOf(place)).map(({ subject }) => subject)).toEqual(ids.slice(3));
});
it('begins again when it connects again', async () => {
  const { place, ids } = await aHouseOf(3);
  const connection_id = newId();
  await inside(place, async (tx) => {
    await insertTelling(tx, { organization_id: place.id, connection_id });
    await saveTelling(tx, { organization_id: place.id, connection_id, last_id: ids[1]!, told: 2 });
    await insertTelling(tx, { organization_id: place.id, connection_id });
  });
  await eventually(async () => expect(await toldOf(place)).toEqual([{ subject: place.id, connection_id, count: 3 }]));
  expect(await snapshotsOf(place)).toHaveLength(3);
});
it('tells each ticket after its last change, however many change meanwhile', async () => {
  const { place, ids } = await aHouseOf(60);
  const changing = Promise.all(
    ids.map((id, n) => tickets.call(updateTicket, asStaff(place), { params: { id }, body: { subject: `Changed ${n}` } })),
  );
  await connect(place);
  await changing;
  await eventually(async () => expect(await toldOf(place)).toHaveLength(1));
  for (const id of ids) {
    const events = (await tickets.events(id)).filter(({ data }) => data.ticket !== undefined);
    const versions = events.map(({ data }) => (data.ticket as { version: number }).version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  }
});
it('has nothing to tell a connection that asked for nothing', async () => {
  const place = await tickets.anOrganization();
  const part = tickets.app.get(TicketTellings);
  await part.tell(systemContext(place.id, 'test'), { connection_id: newId() });
  expect(await toldOf(place)).toEqual([]);
});
