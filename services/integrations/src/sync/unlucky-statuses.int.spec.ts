import { readTicketTask, syncTicketTask, updateIntegration, type TicketTask } from '@tandem/contracts';
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

const shown = async ({ organization }: Scene, { id }: { id: string }): Promise<TicketTask> =>
  (await stage.integrations.call<{ task: TicketTask }>(readTicketTask, asStaff(organization), { params: { id } })).data.task;
const status = (task_id: string) => stage.integrations.clickup.task(task_id)!.status;

describe('a status that was renamed in the list', () => {
  it('reaches a task that is created after that', async () => {
    const scene = await stage.aScene();
    stage.integrations.clickup.renameStatus(scene.list, 'Review', 'In review');
    const ticket = await stage.tickets.create(scene.organization, { status: 'waiting_for_customer' });
    const { task_id } = await stage.settled(scene, ticket);
    await eventually(() => expect(status(task_id)).toBe('In review'));
    await eventually(async () => expect(await shown(scene, ticket)).toMatchObject({ differs: [], problem: null, state: 'linked' }));
    expect(stage.integrations.clickup.tasks(scene.list)).toHaveLength(1);
  });

  it('reaches many tasks that take it at once', async () => {
    const scene = await stage.aScene();
    const pairs = [];
    for (let i = 0; i < 8; i += 1) pairs.push(await stage.aPair(scene));
    stage.integrations.clickup.renameStatus(scene.list, 'In Progress', 'Doing');
    await Promise.all(pairs.map(({ ticket }) => stage.tickets.change(ticket.id, { status: 'in_progress' })));
    for (const { ticket, task_id } of pairs) {
      await eventually(() => expect(status(task_id)).toBe('Doing'));
      await eventually(async () => expect(await shown(scene, ticket)).toMatchObject({ differs: [], problem: null }));
      expect(stage.tickets.get(ticket.id).status).toBe('in_progress');
    }
  });

  it('does not change a ticket whose task only shows the new name', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene, { status: 'waiting_for_customer' });
    expect(status(task_id)).toBe('Review');
    stage.integrations.clickup.renameStatus(scene.list, 'Review', 'In review');
    stage.integrations.clickup.person.setPriority(task_id, 1);
    await eventually(() => expect(stage.tickets.get(ticket.id).priority).toBe('urgent'));
    await stage.quiet(scene, ticket);
    expect(stage.tickets.get(ticket.id).status).toBe('waiting_for_customer');
    expect(status(task_id)).toBe('In review');
  });
});

describe('a status that the list refuses for good', () => {
  const refusal = { status: 400, body: { err: 'Status not allowed', ECODE: 'STATUS_001' } };
  const put = { method: 'PUT', path: '/task/' };

  it('differs with the reason, is no difference once the ticket goes back, and sends nothing then', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    stage.integrations.clickup.faults.answer(refusal, { ...put, times: Infinity });
    await stage.tickets.change(ticket.id, { status: 'in_progress' });
    await eventually(async () =>
      expect(await shown(scene, ticket)).toMatchObject({ differs: [{ field: 'status', reason: 'ClickUp: Status not allowed' }] }),
    );
    stage.integrations.clickup.faults.clear();
    await stage.settled(scene, ticket);
    stage.integrations.clickup.clearLog();
    await stage.tickets.change(ticket.id, { status: 'open' });
    await eventually(async () => expect(await shown(scene, ticket)).toMatchObject({ differs: [], problem: null }));
    expect(stage.calls.filter((call) => call.startsWith('PUT'))).toEqual([]);
    expect(status(task_id)).toBe('To Do');
  });

  it('is sent again by "Sync now", and by the choice of another status', async () => {
    const scene = await stage.aScene();
    const [one, two] = [await stage.aPair(scene), await stage.aPair(scene)];
    stage.integrations.clickup.faults.answer(refusal, { ...put, times: Infinity });
    for (const { ticket } of [one, two]) await stage.tickets.change(ticket.id, { status: 'in_progress' });
    for (const { ticket } of [one, two])
      await eventually(async () => expect((await shown(scene, ticket)).differs).toMatchObject([{ field: 'status' }]));
    for (const { ticket } of [one, two]) await stage.settled(scene, ticket);
    stage.integrations.clickup.faults.clear();
    const params = { id: one.ticket.id };
    expect((await stage.integrations.call(syncTicketTask, asStaff(scene.organization), { params })).status).toBe(202);
    await eventually(() => expect(status(one.task_id)).toBe('In Progress'));
    expect(status(two.task_id)).toBe('To Do');
    const status_mappings = { ...scene.integration.status_mappings, in_progress: 'Review' };
    await stage.integrations.call(updateIntegration, asStaff(scene.organization), {
      params: { id: scene.integration.id },
      body: { status_mappings },
    });
    await eventually(() => expect(status(two.task_id)).toBe('Review'));
    for (const { ticket } of [one, two]) await eventually(async () => expect((await shown(scene, ticket)).differs).toEqual([]));
  });
});

it('a list that answers 401 for a while keeps its new tickets and comments waiting, and other lists go on', async () => {
  const scene = await stage.aScene();
  const { clickup } = stage.integrations;
  const other = await stage.integrations.anIntegration(scene.connection, {
    list: clickup.addList('Product', `Beside ${scene.list}`).name,
    rules: JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] }),
  });
  const { ticket, task_id } = await stage.aPair(scene);
  const beside = clickup.person.createTask(other.list_id, { name: 'Beside' });
  const unseen = { status: 401, body: { err: 'Team not authorized', ECODE: 'OAUTH_027' } };
  clickup.faults.answer(unseen, { path: new RegExp(`/list/${scene.integration.list_id}/|/task/${task_id}`), times: Infinity });
  await stage.tickets.comment(ticket.id, 'Said meanwhile');
  const fresh = await stage.tickets.create(scene.organization);
  const found = async (id: string) => (await stage.integrations.findIntegrations(scene.organization)).find((each) => each.id === id)!;
  await eventually(async () => expect(await found(scene.integration.id)).toMatchObject({ is_active: false, pause_reason: 'unavailable' }));
  expect(await found(other.id)).toMatchObject({ is_active: true, pause_reason: null });
  expect(beside.deleted).toBe(false);
  for (const { id } of [ticket, fresh]) expect((await stage.integrations.findLink(scene.organization, id))!.state).not.toBe('failed');

  clickup.faults.clear();
  await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
    tx.updateTable('integrations').set({ look_at: new Date().toISOString() }).where('id', '=', scene.integration.id).execute(),
  );
  await stage.settled(scene, fresh);
  await eventually(() => expect(clickup.comments(task_id)).toHaveLength(1));
  expect(clickup.tasks(scene.list)).toHaveLength(2);
});
