import { deleteIntegration, startBackfill, updateIntegration } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});

const checkList = ({ organization }: Fixture) =>
  sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('integrations').set({ next_check_at: new Date().toISOString() }).execute(),
  );
const pausedFor = ({ organization, integration }: Fixture) =>
  eventually(async () => {
    const found = await sync.integrations.findIntegrations(organization);
    expect(found.find(({ id }) => id === integration.id)).toMatchObject({ is_active: false, pause_reason: 'list_gone' });
  });
const update = ({ organization, integration }: Fixture, body: object) =>
  sync.integrations.call(updateIntegration, asStaff(organization), { params: { id: integration.id }, body });

describe('a list', () => {
  it('that is not visible for a moment pauses its integration, and resuming continues with every ticket', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const { list_id } = fixture.integration;
    const missing = { status: 404, body: { err: 'List not found', ECODE: 'ITEM_013' } };
    sync.integrations.clickup.faults.answer(missing, { method: 'GET', path: `/list/${list_id}`, times: 50 });
    await checkList(fixture);
    await pausedFor(fixture);
    expect(await sync.integrations.eventTypes(fixture.integration.id)).toContain('task.sync_failed');
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ state: 'linked', task_id });
    expect(await sync.integrations.eventTypes(ticket.id)).not.toContain('task.unlinked');
    sync.integrations.clickup.faults.clear();

    await sync.tickets.change(ticket.id, { subject: 'Meanwhile' });
    sync.integrations.clickup.dropDeliveries(2);
    sync.integrations.clickup.person.setPriority(task_id, 1);
    expect((await update(fixture, { is_active: true })).status).toBe(200);
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Meanwhile'));
    await eventually(() => expect(sync.tickets.get(ticket.id).priority).toBe('urgent'));
  });

  it('that is not visible for a moment, nor are its tasks, keeps each ticket linked', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const unseen = { status: 404, body: { err: 'Not found', ECODE: 'X' } };
    sync.integrations.clickup.faults.answer(unseen, { path: /\/(task|list)\//, times: 50 });
    await sync.tickets.change(ticket.id, { subject: 'Still ours' });
    await pausedFor(fixture);
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ state: 'linked', task_id });
    expect(await sync.integrations.eventTypes(ticket.id)).not.toContain('task.unlinked');
    sync.integrations.clickup.faults.clear();
    expect((await update(fixture, { is_active: true })).status).toBe(200);
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Still ours'));
  });

  it('that was deleted leaves its tickets to the backfill of another list, except those whose task was deleted individually', async () => {
    const fixture = await sync.aFixture();
    const { ticket } = await sync.aLinkedTicket(fixture);
    const unwanted = await sync.aLinkedTicket(fixture);
    const gone = ({ id }: { id: string }) =>
      eventually(async () => expect(await sync.integrations.findLink(fixture.organization, id)).toMatchObject({ state: 'gone' }));
    sync.integrations.clickup.person.deleteTask(unwanted.task_id);
    await gone(unwanted.ticket);
    sync.integrations.clickup.deleteList(fixture.list);
    await pausedFor(fixture);
    await gone(ticket);

    const backfill = async (name: string) => {
      sync.integrations.clickup.addList('Support', name);
      const other = await sync.integrations.anIntegration(fixture.connection, { list: name });
      const { status, data } = await sync.integrations.call(startBackfill, asStaff(fixture.organization), { params: { id: other.id } });
      expect([status, data]).toEqual([202, expect.objectContaining({ total: 1 })]);
      const link = await eventually(async () => {
        const found = await sync.whenSynced(fixture, ticket);
        expect(found).toMatchObject({ integration_id: other.id, problem: null });
        return found;
      });
      expect(sync.integrations.clickup.tasks(name)).toMatchObject([{ id: link.task_id, name: ticket.subject }]);
      expect(await sync.integrations.findLink(fixture.organization, unwanted.ticket.id)).not.toMatchObject({ state: 'linked' });
      return other;
    };
    const other = await backfill('Instead');
    // The tasks do not return after their integrations are removed either.
    for (const { id } of [fixture.integration, other])
      expect((await sync.integrations.call(deleteIntegration, asStaff(fixture.organization), { params: { id } })).status).toBe(200);
    await backfill('Once more');
  });
});
