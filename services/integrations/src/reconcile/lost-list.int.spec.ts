import { deleteIntegration, startBackfill, updateIntegration } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => {
  expect(stage.integrations.clickup.violations).toEqual([]);
  stage.integrations.clickup.faults.clear();
});

const look = ({ organization }: Scene) =>
  stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('integrations').set({ look_at: new Date().toISOString() }).execute(),
  );
const pausedFor = ({ organization, integration }: Scene) =>
  eventually(async () => {
    const found = await stage.integrations.findIntegrations(organization);
    expect(found.find(({ id }) => id === integration.id)).toMatchObject({ is_active: false, pause_reason: 'list_gone' });
  });
const update = ({ organization, integration }: Scene, body: object) =>
  stage.integrations.call(updateIntegration, asStaff(organization), { params: { id: integration.id }, body });

describe('a list', () => {
  it('that the tool does not show for a moment pauses its integration, and resuming goes on with every ticket', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    const { list_id } = scene.integration;
    const missing = { status: 404, body: { err: 'List not found', ECODE: 'ITEM_013' } };
    stage.integrations.clickup.faults.answer(missing, { method: 'GET', path: `/list/${list_id}`, times: 50 });
    await look(scene);
    await pausedFor(scene);
    expect(await stage.integrations.eventTypes(scene.integration.id)).toContain('task.sync_failed');
    expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({ state: 'linked', task_id });
    expect(await stage.integrations.eventTypes(ticket.id)).not.toContain('task.unlinked');
    stage.integrations.clickup.faults.clear();

    await stage.tickets.change(ticket.id, { subject: 'Meanwhile' });
    stage.integrations.clickup.dropDeliveries(2);
    stage.integrations.clickup.person.setPriority(task_id, 1);
    expect((await update(scene, { is_active: true })).status).toBe(200);
    await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe('Meanwhile'));
    await eventually(() => expect(stage.tickets.get(ticket.id).priority).toBe('urgent'));
  });

  it('that is not to be seen for a moment, nor is any of its tasks, leaves each ticket its task', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    const unseen = { status: 404, body: { err: 'Not found', ECODE: 'X' } };
    stage.integrations.clickup.faults.answer(unseen, { path: /\/(task|list)\//, times: 50 });
    await stage.tickets.change(ticket.id, { subject: 'Still ours' });
    await pausedFor(scene);
    expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({ state: 'linked', task_id });
    expect(await stage.integrations.eventTypes(ticket.id)).not.toContain('task.unlinked');
    stage.integrations.clickup.faults.clear();
    expect((await update(scene, { is_active: true })).status).toBe(200);
    await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe('Still ours'));
  });

  it('that was deleted leaves its tickets to the backfill of another one, without those whose task somebody deleted', async () => {
    const scene = await stage.aScene();
    const { ticket } = await stage.aPair(scene);
    const unwanted = await stage.aPair(scene);
    const gone = ({ id }: { id: string }) =>
      eventually(async () => expect(await stage.integrations.findLink(scene.organization, id)).toMatchObject({ state: 'gone' }));
    stage.integrations.clickup.person.deleteTask(unwanted.task_id);
    await gone(unwanted.ticket);
    stage.integrations.clickup.deleteList(scene.list);
    await pausedFor(scene);
    await gone(ticket);

    const backfill = async (name: string) => {
      stage.integrations.clickup.addList('Support', name);
      const other = await stage.integrations.anIntegration(scene.connection, { list: name });
      const { status, data } = await stage.integrations.call(startBackfill, asStaff(scene.organization), { params: { id: other.id } });
      expect([status, data]).toEqual([202, expect.objectContaining({ total: 1 })]);
      const link = await eventually(async () => {
        const found = await stage.settled(scene, ticket);
        expect(found).toMatchObject({ integration_id: other.id, problem: null });
        return found;
      });
      expect(stage.integrations.clickup.tasks(name)).toMatchObject([{ id: link.task_id, name: ticket.subject }]);
      expect(await stage.integrations.findLink(scene.organization, unwanted.ticket.id)).not.toMatchObject({ state: 'linked' });
      return other;
    };
    const other = await backfill('Instead');
    // The tasks do not return after their integrations are removed either.
    for (const { id } of [scene.integration, other])
      expect((await stage.integrations.call(deleteIntegration, asStaff(scene.organization), { params: { id } })).status).toBe(200);
    await backfill('Once more');
  });
});
