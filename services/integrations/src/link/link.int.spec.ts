import {
  linkTicketTask,
  previewTaskLink,
  readTicketTask,
  searchTasks,
  syncTicketTask,
  unlinkTicketTask,
  type TaskChoice,
  type TaskLinkPreview,
  type TicketTask,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { asCustomer, asStaff, type TestOrganization } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => {
  expect(stage.integrations.clickup.violations).toEqual([]);
  stage.integrations.clickup.faults.clear();
});

const none = JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] });
const byHand = () => stage.aScene({ rules: none });
const call = <T = TicketTask>(
  op: Parameters<typeof stage.integrations.call>[0],
  organization: TestOrganization,
  id: string,
  body?: unknown,
) => stage.integrations.call<T>(op, asStaff(organization, 'manager'), { params: { id }, ...(body === undefined ? {} : { body }) });
const ask = <T = TaskLinkPreview>(
  op: Parameters<typeof stage.integrations.call>[0],
  organization: TestOrganization,
  id: string,
  query: Record<string, string>,
  role: 'agent' | 'manager' = 'agent',
) => stage.integrations.call<T>(op, asStaff(organization, role), { params: { id }, query });
/** A ticket whose copy has arrived, without a link. */
async function aTicket({ organization }: Scene, overrides = {}) {
  const ticket = await stage.tickets.create(organization, overrides);
  await eventually(async () => {
    const copies = await stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('ticket_copies').select('ticket_id').where('ticket_id', '=', ticket.id).execute(),
    );
    expect(copies).toHaveLength(1);
  });
  return ticket;
}
const aTask = ({ list }: Scene, name = 'Made by hand') => stage.integrations.clickup.person.createTask(list, { name });

describe('the task of a ticket', () => {
  it('is read with what could be linked, and is nobody’s outside the organization', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const { data } = await call<{ task: unknown; integrations: unknown[] }>(readTicketTask, scene.organization, ticket.id);
    expect(data).toMatchObject({ task: null, integrations: [{ id: scene.integration.id, tool_name: 'ClickUp', list_name: scene.list }] });
    const other = await call<{ integrations: unknown[] }>(readTicketTask, stage.integrations.anOrganization(), ticket.id);
    expect(other.data).toEqual({ task: null, integrations: [] });
    expect((await stage.integrations.call(readTicketTask, asCustomer(scene.organization.id), { params: { id: ticket.id } })).status).toBe(
      401,
    );
  });

  it('comes with a drafted reply once it is finished', async () => {
    const scene = await stage.aScene({ finished_reply: 'Dear {customer_name}, {ticket_number} {task_title} {nothing}' });
    const { ticket, task_id } = await stage.aPair(scene);
    stage.integrations.clickup.person.setStatus(task_id, 'Complete');
    await eventually(async () =>
      expect((await call<{ task: TicketTask }>(readTicketTask, scene.organization, ticket.id)).data.task).toMatchObject({
        drafted_reply: `Dear Carla, ${ticket.ticket_number} ${ticket.subject} {nothing}`,
      }),
    );
  });
});

describe('linking by hand', () => {
  it('makes a task', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const answer = await call(linkTicketTask, scene.organization, ticket.id, { integration_id: scene.integration.id });
    expect(answer).toMatchObject({ status: 201, data: { state: 'creating', is_pending: true } });
    const { task_id } = await stage.settled(scene, ticket);
    expect(stage.integrations.clickup.task(task_id)!.name).toBe(ticket.subject);
  });

  it('takes over a task that is there: both keep what they hold, and what changes from then on travels', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const task = aTask(scene);
    const answer = await call(linkTicketTask, scene.organization, ticket.id, {
      integration_id: scene.integration.id,
      task: `https://app.clickup.com/t/${task.id}`,
    });
    expect(answer).toMatchObject({ status: 201, data: { state: 'linked', task_id: task.id, title: 'Made by hand' } });
    await eventually(() =>
      expect(stage.integrations.clickup.comments(task.id)).toMatchObject([
        { text: expect.stringContaining(`Linked to ticket ${ticket.ticket_number}`) as string },
      ]),
    );
    await stage.quiet(scene, ticket);
    expect(stage.integrations.clickup.task(task.id)!.name).toBe('Made by hand');
    expect(stage.broughtTo(ticket)).toEqual([]);
    await stage.tickets.change(ticket.id, { priority: 'urgent' });
    await eventually(() => expect(stage.integrations.clickup.task(task.id)).toMatchObject({ priority: 1, name: 'Made by hand' }));
  });

  it('takes over tasks of the organization’s own lists alone, for the integration whose list it is', async () => {
    const scene = await byHand();
    const { clickup } = stage.integrations;
    clickup.addList('Support', 'Salaries');
    clickup.addList('Support', 'Second list');
    const other = await stage.integrations.anIntegration(scene.connection, { list: 'Second list', rules: none });
    const link = (ticket: { id: string }, task: string) =>
      call(linkTicketTask, scene.organization, ticket.id, { integration_id: scene.integration.id, task });
    const ticket = await aTicket(scene);
    const secret = clickup.person.createTask('Salaries', { name: 'Nobody’s business' });
    const answer = await link(ticket, secret.id);
    expect(answer).toMatchObject({ status: 409, data: { code: 'task.not_in_list' } });
    expect(JSON.stringify(answer.data)).not.toContain('Nobody’s business');
    expect(await stage.integrations.findLink(scene.organization, ticket.id)).toBeUndefined();
    const { id } = clickup.person.createTask('Second list', { name: 'Ours' });
    expect(await link(ticket, id)).toMatchObject({ status: 201, data: { integration_id: other.id, title: 'Ours' } });
    // A task unchanged since then cannot have lost a comment.
    expect((await stage.integrations.findLink(scene.organization, ticket.id))?.comments_told_until).toEqual(expect.any(String));
  });

  it('and unlinking are open to agents, who may write every ticket, and to nobody outside the staff', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const input = { params: { id: ticket.id } };
    const body = { integration_id: scene.integration.id, task: aTask(scene).id };
    const agent = asStaff(scene.organization, 'agent');
    expect((await stage.integrations.call(linkTicketTask, asCustomer(scene.organization.id), { ...input, body })).status).toBe(401);
    expect((await stage.integrations.call(linkTicketTask, agent, { ...input, body })).status).toBe(201);
    expect((await stage.integrations.call(syncTicketTask, agent, input)).status).toBe(202);
    expect((await stage.integrations.call(unlinkTicketTask, asStaff(stage.integrations.anOrganization(), 'agent'), input)).status).toBe(
      404,
    );
    expect((await stage.integrations.call(unlinkTicketTask, agent, input)).status).toBe(200);
  });

  it('is refused with the reason: no task at all, deleted, hidden, archived, and a ticket that has one', async () => {
    const scene = await byHand();
    const { clickup } = stage.integrations;
    const [one, other] = [await aTicket(scene), await aTicket(scene)];
    const integration_id = scene.integration.id;
    const task = aTask(scene).id;
    expect((await call(linkTicketTask, scene.organization, one.id, { integration_id, task })).status).toBe(201);
    expect(await call(linkTicketTask, scene.organization, one.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'task.already_linked' },
    });
    const [deleted, archived] = [aTask(scene).id, aTask(scene).id];
    clickup.person.deleteTask(deleted);
    clickup.person.archive(archived);
    for (const [typed, status, code] of [
      ['https://example.com/t/1', 422, 'task.reference_invalid'],
      ['not a task', 422, 'task.reference_invalid'],
      ['86zzzzzzz', 404, 'task.no_access'],
      ['DEV-404', 404, 'task.no_access'],
      [deleted, 404, 'task.not_found'],
      [archived, 409, 'task.archived'],
    ] as const) {
      expect(await call(linkTicketTask, scene.organization, other.id, { integration_id, task: typed })).toMatchObject({
        status,
        data: { code },
      });
      const query = { integration_id, task: typed };
      expect((await ask(previewTaskLink, scene.organization, other.id, query)).data.code).toBe(code);
    }
    expect(await call(linkTicketTask, scene.organization, other.id, { integration_id, task: '' })).toMatchObject({
      status: 422,
      data: { errors: [{ path: 'task' }] },
    });
    expect(await stage.integrations.findLink(scene.organization, other.id)).toBeUndefined();
  });

  it('takes the ids and addresses that people have at hand', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const task = aTask(scene);
    stage.integrations.clickup.person.setCustomId(task.id, 'DEV-123');
    const { workspace_id, id: integration_id } = scene.integration;
    for (const typed of ['DEV-123', `https://app.clickup.com/t/${workspace_id}/DEV-123`, `#${task.id}`]) {
      expect(await call(linkTicketTask, scene.organization, ticket.id, { integration_id, task: typed })).toMatchObject({
        status: 201,
        data: { task_id: task.id },
      });
      expect((await call(unlinkTicketTask, scene.organization, ticket.id)).status).toBe(200);
    }
  });

  it('is refused where ticket or integration are unknown, paused or broken, or the tool does not answer', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const integration_id = scene.integration.id;
    expect(await call(linkTicketTask, scene.organization, newId(), { integration_id })).toMatchObject({
      status: 404,
      data: { code: 'ticket.not_found' },
    });
    expect(await call(linkTicketTask, scene.organization, ticket.id, { integration_id: newId() })).toMatchObject({
      status: 404,
      data: { code: 'integration.not_found' },
    });
    expect(await call(linkTicketTask, stage.integrations.anOrganization(), ticket.id, { integration_id })).toMatchObject({ status: 404 });
    stage.integrations.clickup.faults.disconnect({ method: 'GET', path: '/task/' });
    expect(await call(linkTicketTask, scene.organization, ticket.id, { integration_id, task: aTask(scene).id })).toMatchObject({
      status: 503,
      data: { code: 'task_tool.unreachable' },
    });
    await change(scene, 'integrations', { is_active: false, pause_reason: 'by_hand' });
    expect(await call(linkTicketTask, scene.organization, ticket.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'integration.paused' },
    });
    await change(scene, 'connections', { state: 'broken' });
    expect(await call(linkTicketTask, scene.organization, ticket.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'task_tool.broken' },
    });
  });

  it('waits while the tickets of a new connection are still being told', async () => {
    const scene = await byHand();
    await change(scene, 'connections', { tickets_told: false });
    const answer = await call(linkTicketTask, scene.organization, newId(), { integration_id: scene.integration.id });
    expect(answer).toMatchObject({ status: 503, data: { code: 'service.unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  const change = ({ organization }: Scene, table: 'integrations' | 'connections', values: object) =>
    stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .updateTable(table)
        .set(values as never)
        .execute(),
    );
});

describe('searching tasks by words', () => {
  it('finds those of the chosen list alone, with how many tickets each has', async () => {
    const scene = await byHand();
    const { clickup } = stage.integrations;
    clickup.addList('Support', 'Board meeting');
    clickup.person.createTask('Board meeting', { name: 'Printer budget' });
    const [open, archived] = [aTask(scene, 'Printer on fire'), aTask(scene, 'Old printer')];
    clickup.person.archive(archived.id);
    aTask(scene, 'Something else');
    const [ticket, other] = [await aTicket(scene), await aTicket(scene)];
    const integration_id = scene.integration.id;
    await call(linkTicketTask, scene.organization, other.id, { integration_id, task: open.id });
    const found = await ask<TaskChoice[]>(searchTasks, scene.organization, ticket.id, { integration_id, words: 'PRINTER' });
    expect(found).toMatchObject({ status: 200, data: [{ id: open.id, title: 'Printer on fire', tickets: 1 }] });
    expect(found.data).toHaveLength(1);
  });

  it('is refused without words, for other roles, other organizations and unknown lists', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const query = { integration_id: scene.integration.id, words: 'printer' };
    expect((await ask(searchTasks, scene.organization, ticket.id, { ...query, words: ' ' })).status).toBe(422);
    expect((await ask(searchTasks, scene.organization, ticket.id, { words: 'printer' })).status).toBe(422);
    expect((await ask(searchTasks, stage.integrations.anOrganization(), ticket.id, query)).status).toBe(404);
    expect((await ask(searchTasks, scene.organization, newId(), query)).data.code).toBe('ticket.not_found');
    expect((await ask(searchTasks, scene.organization, ticket.id, { ...query, integration_id: newId() })).data.code).toBe(
      'integration.not_found',
    );
    expect(
      (await stage.integrations.call(searchTasks, asCustomer(scene.organization.id), { params: { id: ticket.id }, query })).status,
    ).toBe(401);
    stage.integrations.clickup.faults.disconnect({ method: 'GET', path: '/list/' });
    expect((await ask(searchTasks, scene.organization, ticket.id, query)).data.code).toBe('task_tool.unreachable');
  });
});

describe('where ticket and task differ at linking', () => {
  const differing = async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene, { subject: 'Customer’s words', priority: 'urgent', status: 'open' });
    const task = stage.integrations.clickup.person.createTask(scene.list, { name: 'Engineer’s words', priority: 4, status: 'In Progress' });
    const input = { integration_id: scene.integration.id, task: task.id };
    return { scene, ticket, task, input };
  };

  it('the differences are shown, and nothing changes', async () => {
    const { scene, ticket, task, input } = await differing();
    const { status, data } = await ask(previewTaskLink, scene.organization, ticket.id, input);
    expect(status).toBe(200);
    expect(data.task).toMatchObject({ id: task.id, title: 'Engineer’s words', tool_name: 'ClickUp', list_name: scene.list, tickets: 0 });
    expect(data.differences).toEqual(
      expect.arrayContaining([
        { field: 'status', direction: 'both', ticket: 'Open', task: 'In Progress' },
        { field: 'priority', direction: 'both', ticket: 'Urgent', task: 'Low' },
        { field: 'title', direction: 'both', ticket: 'Customer’s words', task: 'Engineer’s words' },
      ]),
    );
    expect(await stage.integrations.findLink(scene.organization, ticket.id)).toBeUndefined();
    expect((await ask(previewTaskLink, stage.integrations.anOrganization(), ticket.id, input)).status).toBe(404);
    expect(
      (await stage.integrations.call(previewTaskLink, asCustomer(scene.organization.id), { params: { id: ticket.id }, query: input }))
        .status,
    ).toBe(401);
    expect((await ask(previewTaskLink, scene.organization, ticket.id, { integration_id: input.integration_id })).status).toBe(422);
  });

  it('the ticket wins', async () => {
    const { scene, ticket, task, input } = await differing();
    expect((await call(linkTicketTask, scene.organization, ticket.id, { ...input, winner: 'ticket' })).status).toBe(201);
    await eventually(() =>
      expect(stage.integrations.clickup.task(task.id)).toMatchObject({ name: 'Customer’s words', priority: 1, status: 'To Do' }),
    );
    await stage.quiet(scene, ticket);
    expect(stage.broughtTo(ticket)).toEqual([]);
    expect(stage.integrations.clickup.task(task.id)!.description).toContain('It began at noon');
  });

  it('the task wins', async () => {
    const { scene, ticket, task, input } = await differing();
    stage.integrations.clickup.clearLog();
    expect((await call(linkTicketTask, scene.organization, ticket.id, { ...input, winner: 'task' })).status).toBe(201);
    await eventually(() =>
      expect(stage.tickets.get(ticket.id)).toMatchObject({ subject: 'Engineer’s words', priority: 'low', status: 'in_progress' }),
    );
    await stage.quiet(scene, ticket);
    expect(stage.integrations.clickup.task(task.id)).toMatchObject({ name: 'Engineer’s words', priority: 4, status: 'In Progress' });
    expect(stage.calls.filter((each) => each.startsWith('PUT'))).toEqual([]);
  });
});

describe('unlinking by hand', () => {
  it('leaves both as they are, and no other task is made by itself', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    expect((await call(unlinkTicketTask, scene.organization, ticket.id)).status).toBe(200);
    expect((await call(unlinkTicketTask, scene.organization, ticket.id)).data.code).toBe('task.not_linked');
    const events = await stage.integrations.events(ticket.id);
    expect(events.at(-1)).toMatchObject({ type: 'task.unlinked', data: { task_id, reason: 'by_hand' } });
    const other = await stage.aPair(scene);
    await stage.tickets.change(ticket.id, { subject: 'Alone' });
    stage.integrations.clickup.person.rename(task_id, 'Alone too');
    await stage.tickets.change(other.ticket.id, { subject: 'Together' });
    await eventually(() => expect(stage.integrations.clickup.task(other.task_id)!.name).toBe('Together'));
    expect(stage.integrations.clickup.tasks(scene.list)).toHaveLength(2);
    expect(stage.tickets.get(ticket.id).subject).toBe('Alone');
    expect((await call(linkTicketTask, scene.organization, ticket.id, { integration_id: scene.integration.id })).status).toBe(201);
    expect((await stage.settled(scene, ticket)).task_id).not.toBe(task_id);
  });
});

describe('syncing by hand', () => {
  it('reads the task whatever webhooks say, and tries again what was stopped', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    stage.integrations.clickup.dropDeliveries(50);
    stage.integrations.clickup.person.rename(task_id, 'Nobody was told');
    await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
      tx.updateTable('links').set({ state: 'stopped', problem: 'A circle' }).execute(),
    );
    expect(await call(syncTicketTask, scene.organization, ticket.id)).toMatchObject({
      status: 202,
      data: { state: 'linked', is_pending: true, problem: null },
    });
    await eventually(() => expect(stage.tickets.get(ticket.id).subject).toBe('Nobody was told'));
    expect(await call(syncTicketTask, scene.organization, newId())).toMatchObject({ status: 404, data: { code: 'task.not_linked' } });
  });
});
