import { systemContext, taskToolConnected, updateTicket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { insertExport, saveExport } from './ticket-export.store';
import { TicketExportWorker } from './ticket-export.worker';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start({ SWEEP_MS: '300' })));
afterAll(() => tickets?.close());

const connect = (organization: TestOrganization, connection_id = newId()) => {
  const ctx = systemContext(organization.id, 'test');
  return tickets.db
    .forTenant(ctx, (tx) => emit(tx, ctx, taskToolConnected, organization.id, { connection_id, provider: 'clickup' }))
    .then(() => connection_id);
};
const inside = <T>(organization: TestOrganization, work: Parameters<typeof tickets.db.forTenant<T>>[1]) =>
  tickets.db.forTenant({ organization_id: organization.id }, work);
const exportsOf = (organization: TestOrganization) => inside(organization, (tx) => tx.selectFrom('ticket_exports').selectAll().execute());
const eventsOf = async (organization: TestOrganization) =>
  (await tickets.events()).filter(({ organization_id }) => organization_id === organization.id);
const snapshotsOf = async (organization: TestOrganization) =>
  (await eventsOf(organization)).filter(({ type }) => type === 'ticket.snapshot');
const completionsOf = async (organization: TestOrganization) =>
  (await eventsOf(organization))
    .filter(({ type }) => type === 'ticket.snapshot_completed')
    .map(({ subject, data }) => ({ subject, ...data }));
async function anOrganizationWith(count: number): Promise<{ organization: TestOrganization; ids: string[] }> {
  const organization = await tickets.anOrganization();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await tickets.aTicket(organization)).id);
  return { organization, ids: ids.sort() };
}

it('exports every ticket to a new connection once, numbered after the ticket’s own events, and then reports their number', async () => {
  const { organization, ids } = await anOrganizationWith(450);
  await tickets.call(updateTicket, asStaff(organization), {
    params: { id: ids[0]! },
    body: { assigned_to: organization.agent, status: 'closed' },
  });
  await tickets.aTicket(await tickets.anOrganization());
  const connection_id = await connect(organization);
  await eventually(async () =>
    expect(await completionsOf(organization)).toEqual([{ subject: organization.id, connection_id, count: 450 }]),
  );
  const snapshots = await snapshotsOf(organization);
  expect(snapshots.map(({ subject }) => subject).sort()).toEqual(ids);
  const first = snapshots.find(({ subject }) => subject === ids[0])!;
  expect(first.data.ticket).toMatchObject({ id: ids[0], status: 'closed', assignee: { user_id: organization.agent } });
  const numbers = (await tickets.events(ids[0])).map(({ sequence }) => sequence);
  expect(numbers).toEqual(numbers.map((_, n) => n + 1));
  expect(await exportsOf(organization)).toEqual([]);
});
it('reports zero if there are none', async () => {
  const organization = await tickets.anOrganization();
  const connection_id = await connect(organization);
  await eventually(async () => expect(await completionsOf(organization)).toEqual([{ subject: organization.id, connection_id, count: 0 }]));
});
it('continues from its row after a process was killed', async () => {
  const { organization, ids } = await anOrganizationWith(5);
  const connection_id = newId();
  await inside(organization, async (tx) => {
    await insertExport(tx, { organization_id: organization.id, connection_id });
    await saveExport(tx, { organization_id: organization.id, connection_id, last_id: ids[2]!, exported_count: 3 });
  });
  await eventually(async () => expect(await completionsOf(organization)).toEqual([{ subject: organization.id, connection_id, count: 5 }]));
  expect((await snapshotsOf(organization)).map(({ subject }) => subject)).toEqual(ids.slice(3));
});
it('starts again when the tool is connected again', async () => {
  const { organization, ids } = await anOrganizationWith(3);
  const connection_id = newId();
  await inside(organization, async (tx) => {
    await insertExport(tx, { organization_id: organization.id, connection_id });
    await saveExport(tx, { organization_id: organization.id, connection_id, last_id: ids[1]!, exported_count: 2 });
    await insertExport(tx, { organization_id: organization.id, connection_id });
  });
  await eventually(async () => expect(await completionsOf(organization)).toEqual([{ subject: organization.id, connection_id, count: 3 }]));
  expect(await snapshotsOf(organization)).toHaveLength(3);
});
it('exports each ticket after its last change, even if many change in the meantime', async () => {
  const { organization, ids } = await anOrganizationWith(60);
  const changing = Promise.all(
    ids.map((id, n) => tickets.call(updateTicket, asStaff(organization), { params: { id }, body: { subject: `Changed ${n}` } })),
  );
  await connect(organization);
  await changing;
  await eventually(async () => expect(await completionsOf(organization)).toHaveLength(1));
  for (const id of ids) {
    const events = (await tickets.events(id)).filter(({ data }) => data.ticket !== undefined);
    const versions = events.map(({ data }) => (data.ticket as { version: number }).version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  }
});
it('exports nothing to a connection that did not request it', async () => {
  const organization = await tickets.anOrganization();
  const worker = tickets.app.get(TicketExportWorker);
  await worker.exportAll(systemContext(organization.id, 'test'), { connection_id: newId() });
  expect(await completionsOf(organization)).toEqual([]);
});
