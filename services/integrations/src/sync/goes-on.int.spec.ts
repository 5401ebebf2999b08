import { syncTicketTask, updateIntegration, type Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => expect(stage.integrations.clickup.violations).toEqual([]));

const syncByHand = (scene: Scene, { id }: Ticket) =>
  stage.integrations.call(syncTicketTask, asStaff(scene.organization), { params: { id } });
const statusOf = (task_id: string) => stage.integrations.clickup.task(task_id)!.status;
const known = { open: 'To Do', in_progress: 'In Progress', waiting_for_customer: 'Review', resolved: 'Complete', closed: 'Closed' };
const mapTo = (scene: Scene, status_mappings: object) =>
  stage.integrations.call(updateIntegration, asStaff(scene.organization), {
    params: { id: scene.integration.id },
    body: { status_mappings },
  });

describe('a status', () => {
  it('that was mapped to nothing is sent once it is mapped, and nothing else is', async () => {
    const scene = await stage.aScene({ status_mappings: JSON.stringify({ ...known, in_progress: null }) });
    const [waiting, finished, other] = [await stage.aPair(scene), await stage.aPair(scene), await stage.aPair(scene)];
    for (const { ticket } of [waiting, finished]) await stage.tickets.change(ticket.id, { status: 'in_progress' });
    stage.integrations.clickup.person.setStatus(finished.task_id, 'Complete');
    for (const { ticket } of [waiting, finished]) await stage.quiet(scene, ticket);
    expect(statusOf(waiting.task_id)).toBe('To Do');
    stage.integrations.clickup.clearLog();
    expect((await mapTo(scene, known)).status).toBe(200);
    await eventually(() => expect(statusOf(waiting.task_id)).toBe('In Progress'));
    for (const { ticket } of [waiting, finished, other]) await stage.quiet(scene, ticket);
    // A finished task whose customer is still to be notified stays finished.
    expect(statusOf(finished.task_id)).toBe('Complete');
    expect(stage.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
  });

  it('that the task refused is sent again when somebody syncs by hand', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    stage.integrations.clickup.failNext(400, 'CRTSK_001', { method: 'PUT', path: '/task/' });
    await stage.tickets.change(ticket.id, { status: 'in_progress' });
    await eventually(async () =>
      expect(await stage.integrations.syncLog(scene.organization)).toContainEqual(
        expect.objectContaining({ level: 'warning', field: 'status' }),
      ),
    );
    await stage.quiet(scene, ticket);
    expect(statusOf(task_id)).toBe('To Do');
    await syncByHand(scene, ticket);
    await eventually(() => expect(statusOf(task_id)).toBe('In Progress'));
  });
});

describe('a sync that stands still', () => {
  it.each(['failed', 'stopped'] as const)('because it %s loses no comment of either side', async (state) => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
      tx.updateTable('links').set({ state, problem: 'Something' }).execute(),
    );
    await stage.tickets.comment(ticket.id, 'Said meanwhile');
    stage.integrations.clickup.person.comment(task_id, 'Answered meanwhile');
    await stage.integrations.clickup.deliveriesSettled();
    await eventually(async () => {
      const link = await stage.integrations.findLink(scene.organization, ticket.id);
      expect(link!.comments_told).toHaveLength(1);
      const pending = await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
        tx.selectFrom('comment_links').select('id').where('state', '=', 'pending').execute(),
      );
      expect(pending).toHaveLength(1);
    });
    await syncByHand(scene, ticket);
    await eventually(() => expect(stage.integrations.clickup.comments(task_id)).toHaveLength(2));
    await eventually(async () => expect(await stage.integrations.eventTypes(ticket.id)).toContain('task.comment_received'));
  });

  it('because the tool refused it keeps what webhooks told of comments', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    stage.integrations.clickup.failNext(401, 'OAUTH_027', { method: 'GET', path: /\/comment/ });
    stage.integrations.clickup.person.comment(task_id, 'Not to be lost');
    await eventually(async () =>
      expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({ state: 'failed' }),
    );
    await syncByHand(scene, ticket);
    await eventually(async () => expect(await stage.integrations.eventTypes(ticket.id)).toContain('task.comment_received'));
  });
});
