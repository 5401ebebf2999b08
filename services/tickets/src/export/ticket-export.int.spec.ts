import {
  analyticsRebuildRequested,
  createCustomField,
  systemContext,
  taskToolConnected,
  updateTicket,
  type ExportPurpose,
  type TicketHistory,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { anonymizeTickets } from '../retention/anonymize-tickets.store';
import { saveSentSurvey } from '../survey/survey.store';
import { saveSurvey } from '../survey/survey.service';
import { changeTicket, getTicket } from '../ticket/ticket.service';
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
const snapshotsOf = async (organization: TestOrganization) =>
  (await tickets.eventsOf(organization)).filter(({ type }) => type === 'ticket.snapshot');
const completionsOf = async (organization: TestOrganization) =>
  (await tickets.eventsOf(organization))
    .filter(({ type }) => type === 'ticket.snapshot_completed')
    .map(({ subject, data }) => ({ subject, ...data }));
const keyOf = (organization: TestOrganization, request_id: string, purpose: ExportPurpose = 'task_tool') => ({
  organization_id: organization.id,
  purpose,
  request_id,
});
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
it('exports no anonymized tickets', async () => {
  const { organization, ids } = await anOrganizationWith(2);
  await inside(organization, (tx) => anonymizeTickets(tx, organization.id, [ids[0]!]));
  const connection_id = await connect(organization);
  await eventually(async () => expect(await completionsOf(organization)).toEqual([{ subject: organization.id, connection_id, count: 1 }]));
  expect((await snapshotsOf(organization)).map(({ subject }) => subject)).toEqual([ids[1]]);
});
it('continues from its row after a process was killed', async () => {
  const { organization, ids } = await anOrganizationWith(5);
  const connection_id = newId();
  await inside(organization, async (tx) => {
    await insertExport(tx, keyOf(organization, connection_id));
    await saveExport(tx, keyOf(organization, connection_id), { last_id: ids[2]!, exported_count: 3 });
  });
  await eventually(async () => expect(await completionsOf(organization)).toEqual([{ subject: organization.id, connection_id, count: 5 }]));
  expect((await snapshotsOf(organization)).map(({ subject }) => subject)).toEqual(ids.slice(3));
});
it('starts again when the tool is connected again', async () => {
  const { organization, ids } = await anOrganizationWith(3);
  const connection_id = newId();
  await inside(organization, async (tx) => {
    await insertExport(tx, keyOf(organization, connection_id));
    await saveExport(tx, keyOf(organization, connection_id), { last_id: ids[1]!, exported_count: 2 });
    await insertExport(tx, keyOf(organization, connection_id));
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
  await worker.exportAll(systemContext(organization.id, 'test'), { purpose: 'task_tool', request_id: newId() });
  expect(await completionsOf(organization)).toEqual([]);
});

describe('a rebuild of analytics', () => {
  const request = (organization: TestOrganization, rebuild_id: string) => {
    const ctx = systemContext(organization.id, 'test');
    return tickets.db.forTenant(ctx, (tx) => emit(tx, ctx, analyticsRebuildRequested, organization.id, { rebuild_id }));
  };
  const completedOf = async (organization: TestOrganization) =>
    (await tickets.eventsOf(organization))
      .filter(({ type }) => type === 'ticket.history_completed')
      .map(({ subject, data }) => ({ subject, ...data }));
  const historiesOf = async (organization: TestOrganization) =>
    (await tickets.eventsOf(organization)).flatMap(({ type, data }) =>
      type === 'ticket.histories' ? (data.histories as TicketHistory[]) : [],
    );

  it('gets the history of every ticket, numbered after its own events, and then their number', async () => {
    const { organization, ids } = await anOrganizationWith(210);
    const [id, other] = [ids[0]!, ids[1]!];
    const at = (n: number) => new Date(Date.now() + n * 60_000).toISOString();
    const times = [at(1), at(2), at(3)];
    await inside(organization, async (tx) => {
      const ctx = systemContext(organization.id, 'test');
      for (const [n, status] of (['resolved', 'open', 'closed'] as const).entries())
        await changeTicket(tx, ctx, id, { status }, { now: times[n]! });
      await saveSurvey(tx, ctx, await getTicket(tx, id), { rating: 4, feedback: 'Fine' }, times[2]!);
      await saveSentSurvey(tx, { organization_id: organization.id, ticket_id: id, sent_at: times[0]! });
    });
    await tickets.aTicket(await tickets.anOrganization());
    const rebuild_id = newId();
    await request(organization, rebuild_id);
    await eventually(async () => expect(await completedOf(organization)).toEqual([{ subject: organization.id, rebuild_id, count: 210 }]));
    const histories = await historiesOf(organization);
    expect(histories.map(({ ticket }) => ticket.id)).toEqual(ids);
    const history = histories.find(({ ticket }) => ticket.id === id);
    expect(history).toMatchObject({
      ticket: { id, status: 'closed', reopen_count: 1 },
      moments: [
        { kind: 'resolved', at: times[0] },
        { kind: 'reopened', at: times[1] },
        { kind: 'resolved', at: times[2] },
      ],
      survey_sent_at: times[0],
      survey: { rating: 4, feedback: 'Fine', created_at: times[2] },
    });
    expect(histories.find(({ ticket }) => ticket.id === other)).toMatchObject({ moments: [], survey_sent_at: null, survey: null });
    expect((await tickets.events(id)).at(-1)!.sequence).toBe(history!.sequence);
    expect(await exportsOf(organization)).toEqual([]);
  });
  it('gets the values of custom fields that it counts: choices, and yes or no', async () => {
    const { organization, ids } = await anOrganizationWith(2);
    const options = [{ value: 'pro', label: 'Pro' }];
    const types = { plan: 'choice', plans: 'choices', urgent: 'yes_no', name: 'text', note: 'long_text', amount: 'number', since: 'date' };
    for (const [key, type] of Object.entries(types)) {
      const body = { key, type, label: key, ...(type.startsWith('choice') ? { options } : {}) };
      expect((await tickets.call(createCustomField, asStaff(organization, 'admin'), { body })).status).toBe(201);
    }
    const counted = { plan: 'pro', plans: ['pro'], urgent: false };
    const custom_fields = { ...counted, name: 'pro', note: 'Words', amount: 7, since: '2026-03-31' };
    const changed = await tickets.call(updateTicket, asStaff(organization), { params: { id: ids[0]! }, body: { custom_fields } });
    expect(changed.status).toBe(200);
    await request(organization, newId());
    await eventually(async () => expect(await completedOf(organization)).toMatchObject([{ count: 2 }]));
    expect((await historiesOf(organization)).map(({ ticket }) => ticket.custom_fields)).toEqual([counted, {}]);
  });
  it('has several histories in an event, which is small enough for the broker even with the longest feedback', async () => {
    const { organization, ids } = await anOrganizationWith(60);
    const ctx = systemContext(organization.id, 'test');
    await inside(organization, async (tx) => {
      for (const id of ids) {
        const answer = { rating: 3, feedback: '한'.repeat(5_000) };
        await saveSurvey(tx, ctx, await getTicket(tx, id), answer, new Date().toISOString());
      }
    });
    await request(organization, newId());
    await eventually(async () => expect(await completedOf(organization)).toMatchObject([{ count: 60 }]));
    expect((await historiesOf(organization)).map(({ ticket }) => ticket.id)).toEqual(ids);
    const events = (await tickets.eventsOf(organization)).filter(({ type }) => type === 'ticket.histories');
    expect(events.map(({ subject }) => subject)).toEqual([organization.id, organization.id, organization.id]);
  });
  it('continues from its row after a process was killed', async () => {
    const { organization, ids } = await anOrganizationWith(5);
    const rebuild_id = newId();
    await inside(organization, async (tx) => {
      const key = keyOf(organization, rebuild_id, 'analytics');
      await insertExport(tx, key);
      await saveExport(tx, key, { last_id: ids[2]!, exported_count: 3 });
    });
    await eventually(async () => expect(await completedOf(organization)).toEqual([{ subject: organization.id, rebuild_id, count: 5 }]));
    expect((await historiesOf(organization)).map(({ ticket }) => ticket.id)).toEqual(ids.slice(3));
  });
  it('starts again when it is requested twice, and completes once', async () => {
    const { organization } = await anOrganizationWith(3);
    const key = keyOf(organization, newId(), 'analytics');
    await inside(organization, async (tx) => {
      await insertExport(tx, key);
      await insertExport(tx, key);
    });
    await eventually(async () => expect(await completedOf(organization)).toHaveLength(1));
    expect(await historiesOf(organization)).toHaveLength(3);
  });
  it('includes a survey answer that is submitted at the same time, or precedes it', async () => {
    const { organization, ids } = await anOrganizationWith(1);
    const id = ids[0]!;
    const ctx = systemContext(organization.id, 'test');
    let exported: Promise<unknown> = Promise.resolve();
    await inside(organization, async (tx) => {
      await saveSurvey(tx, ctx, await getTicket(tx, id), { rating: 5, feedback: null }, new Date().toISOString());
      exported = request(organization, newId());
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await historiesOf(organization)).toEqual([]);
    });
    await exported;
    await eventually(async () => expect(await historiesOf(organization)).toMatchObject([{ survey: { rating: 5 } }]));
  });
});
