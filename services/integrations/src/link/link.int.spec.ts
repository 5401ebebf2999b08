import { linkTicketTask, readTicketTask, syncTicketTask, unlinkTicketTask, type TicketTask } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { asCustomer, asStaff, type Place } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => {
  expect(stage.house.clickup.violations).toEqual([]);
  stage.house.clickup.faults.clear();
});

const none = JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] });
const byHand = () => stage.aScene({ rules: none });
const call = <T = TicketTask>(op: Parameters<typeof stage.house.call>[0], place: Place, id: string, body?: unknown) =>
  stage.house.call<T>(op, asStaff(place, 'manager'), { params: { id }, ...(body === undefined ? {} : { body }) });
/** A ticket whose copy is here, without a link. */
async function aTicket({ place }: Scene, overrides = {}) {
  const ticket = await stage.tickets.create(place, overrides);
  await eventually(async () => {
    const copies = await stage.house.db.forTenant({ organization_id: place.id }, (tx) =>
      tx.selectFrom('ticket_copies').select('ticket_id').where('ticket_id', '=', ticket.id).execute(),
    );
    expect(copies).toHaveLength(1);
  });
  return ticket;
}
const aTask = ({ list }: Scene, name = 'Made by hand') => stage.house.clickup.person.createTask(list, { name });

describe('the task of a ticket', () => {
  it('is read with what could be linked, and is nobody’s outside the organization', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const { data } = await call<{ task: unknown; integrations: unknown[] }>(readTicketTask, scene.place, ticket.id);
    expect(data).toMatchObject({ task: null, integrations: [{ id: scene.integration.id, tool_name: 'ClickUp', list_name: scene.list }] });
    const other = await call<{ integrations: unknown[] }>(readTicketTask, stage.house.aPlace(), ticket.id);
    expect(other.data).toEqual({ task: null, integrations: [] });
    expect((await stage.house.call(readTicketTask, asCustomer(scene.place.id), { params: { id: ticket.id } })).status).toBe(401);
  });

  it('comes with a drafted reply once it is finished', async () => {
    const scene = await stage.aScene({ finished_reply: 'Dear {customer_name}, {ticket_number} {task_title} {nothing}' });
    const { ticket, task_id } = await stage.aPair(scene);
    stage.house.clickup.person.setStatus(task_id, 'Complete');
    await eventually(async () =>
      expect((await call<{ task: TicketTask }>(readTicketTask, scene.place, ticket.id)).data.task).toMatchObject({
        drafted_reply: `Dear Carla, ${ticket.ticket_number} ${ticket.subject} {nothing}`,
      }),
    );
  });
});

describe('linking by hand', () => {
  it('makes a task', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const answer = await call(linkTicketTask, scene.place, ticket.id, { integration_id: scene.integration.id });
    expect(answer).toMatchObject({ status: 201, data: { state: 'creating', is_pending: true } });
    const { task_id } = await stage.settled(scene, ticket);
    expect(stage.house.clickup.task(task_id)!.name).toBe(ticket.subject);
  });

  it('takes over a task that is there: both keep what they hold, and what changes from then on travels', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const task = aTask(scene);
    const answer = await call(linkTicketTask, scene.place, ticket.id, {
      integration_id: scene.integration.id,
      task: `https://app.clickup.com/t/${task.id}`,
    });
    expect(answer).toMatchObject({ status: 201, data: { state: 'linked', task_id: task.id, title: 'Made by hand' } });
    await eventually(() =>
      expect(stage.house.clickup.comments(task.id)).toMatchObject([
        { text: expect.stringContaining(`Linked to ticket ${ticket.ticket_number}`) as string },
      ]),
    );
    await stage.quiet(scene, ticket);
    expect(stage.house.clickup.task(task.id)!.name).toBe('Made by hand');
    expect(stage.broughtTo(ticket)).toEqual([]);
    await stage.tickets.change(ticket.id, { priority: 'urgent' });
    await eventually(() => expect(stage.house.clickup.task(task.id)).toMatchObject({ priority: 1, name: 'Made by hand' }));
  });

  it('takes over tasks of the organization’s own lists alone, for the integration whose list it is', async () => {
    const scene = await byHand();
    const { clickup } = stage.house;
    clickup.addList('Support', 'Salaries');
    clickup.addList('Support', 'Second list');
    const other = await stage.house.anIntegration(scene.connection, { list: 'Second list', rules: none });
    const link = (ticket: { id: string }, task: string) =>
      call(linkTicketTask, scene.place, ticket.id, { integration_id: scene.integration.id, task });
    const ticket = await aTicket(scene);
    const secret = clickup.person.createTask('Salaries', { name: 'Nobody’s business' });
    const answer = await link(ticket, secret.id);
    expect(answer).toMatchObject({ status: 404, data: { code: 'task.not_found' } });
    expect(JSON.stringify(answer.data)).not.toContain('Nobody’s business');
    expect(await stage.house.findLink(scene.place, ticket.id)).toBeUndefined();
    const { id } = clickup.person.createTask('Second list', { name: 'Ours' });
    expect(await link(ticket, id)).toMatchObject({ status: 201, data: { integration_id: other.id, title: 'Ours' } });
    // One that nobody changed since then has no comment that could be lost.
    expect((await stage.house.findLink(scene.place, ticket.id))?.comments_told_until).toEqual(expect.any(String));
  });

  it('and unlinking is not for agents, who may sync all the same', async () => {
    const scene = await stage.aScene();
    const { ticket } = await stage.aPair(scene);
    const agent = asStaff(scene.place, 'agent');
    const input = { params: { id: ticket.id } };
    expect((await stage.house.call(linkTicketTask, agent, { ...input, body: { integration_id: scene.integration.id } })).status).toBe(403);
    expect((await stage.house.call(unlinkTicketTask, agent, input)).status).toBe(403);
    expect((await stage.house.call(syncTicketTask, agent, input)).status).toBe(202);
  });

  it('is refused for a task of another ticket, one that is not there, and a ticket that has one', async () => {
    const scene = await byHand();
    const [one, other] = [await aTicket(scene), await aTicket(scene)];
    const integration_id = scene.integration.id;
    const task = aTask(scene).id;
    expect((await call(linkTicketTask, scene.place, one.id, { integration_id, task })).status).toBe(201);
    expect(await call(linkTicketTask, scene.place, other.id, { integration_id, task })).toMatchObject({
      status: 409,
      data: { code: 'task.linked_elsewhere' },
    });
    expect(await call(linkTicketTask, scene.place, one.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'task.already_linked' },
    });
    for (const wrong of ['86zzzzzzz', 'https://example.com/t/1', 'not a task'])
      expect(await call(linkTicketTask, scene.place, other.id, { integration_id, task: wrong })).toMatchObject({
        status: 404,
        data: { code: 'task.not_found' },
      });
    expect(await call(linkTicketTask, scene.place, other.id, { integration_id, task: '' })).toMatchObject({
      status: 422,
      data: { errors: [{ path: 'task' }] },
    });
    expect(await stage.house.findLink(scene.place, other.id)).toBeUndefined();
  });

  it('is refused where ticket or integration are unknown, paused or broken, or the tool does not answer', async () => {
    const scene = await byHand();
    const ticket = await aTicket(scene);
    const integration_id = scene.integration.id;
    expect(await call(linkTicketTask, scene.place, newId(), { integration_id })).toMatchObject({
      status: 404,
      data: { code: 'ticket.not_found' },
    });
    expect(await call(linkTicketTask, scene.place, ticket.id, { integration_id: newId() })).toMatchObject({
      status: 404,
      data: { code: 'integration.not_found' },
    });
    expect(await call(linkTicketTask, stage.house.aPlace(), ticket.id, { integration_id })).toMatchObject({ status: 404 });
    stage.house.clickup.faults.disconnect({ method: 'GET', path: '/task/' });
    expect(await call(linkTicketTask, scene.place, ticket.id, { integration_id, task: aTask(scene).id })).toMatchObject({
      status: 503,
      data: { code: 'task_tool.unreachable' },
    });
    await change(scene, 'integrations', { is_active: false, pause_reason: 'by_hand' });
    expect(await call(linkTicketTask, scene.place, ticket.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'integration.paused' },
    });
    await change(scene, 'connections', { state: 'broken' });
    expect(await call(linkTicketTask, scene.place, ticket.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'task_tool.broken' },
    });
  });

  it('waits while the tickets of a new connection are still being told', async () => {
    const scene = await byHand();
    await change(scene, 'connections', { tickets_told: false });
    const answer = await call(linkTicketTask, scene.place, newId(), { integration_id: scene.integration.id });
    expect(answer).toMatchObject({ status: 503, data: { code: 'service.unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  const change = ({ place }: Scene, table: 'integrations' | 'connections', values: object) =>
    stage.house.db.forTenant({ organization_id: place.id }, (tx) =>
      tx
        .updateTable(table)
        .set(values as never)
        .execute(),
    );
});

describe('unlinking by hand', () => {
  it('leaves both as they are, and no other task is made by itself', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    expect((await call(unlinkTicketTask, scene.place, ticket.id)).status).toBe(200);
    expect((await call(unlinkTicketTask, scene.place, ticket.id)).data.code).toBe('task.not_linked');
    const events = await stage.house.events(ticket.id);
    expect(events.at(-1)).toMatchObject({ type: 'task.unlinked', data: { task_id, reason: 'by_hand' } });
    const other = await stage.aPair(scene);
    await stage.tickets.change(ticket.id, { subject: 'Alone' });
    stage.house.clickup.person.rename(task_id, 'Alone too');
    await stage.tickets.change(other.ticket.id, { subject: 'Together' });
    await eventually(() => expect(stage.house.clickup.task(other.task_id)!.name).toBe('Together'));
    expect(stage.house.clickup.tasks(scene.list)).toHaveLength(2);
    expect(stage.tickets.get(ticket.id).subject).toBe('Alone');
    expect((await call(linkTicketTask, scene.place, ticket.id, { integration_id: scene.integration.id })).status).toBe(201);
    expect((await stage.settled(scene, ticket)).task_id).not.toBe(task_id);
  });
});

describe('syncing by hand', () => {
  it('reads the task whatever webhooks say, and tries again what was stopped', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    stage.house.clickup.dropDeliveries(50);
    stage.house.clickup.person.rename(task_id, 'Nobody was told');
    await stage.house.db.forTenant({ organization_id: scene.place.id }, (tx) =>
      tx.updateTable('links').set({ state: 'stopped', problem: 'A circle' }).execute(),
    );
    expect(await call(syncTicketTask, scene.place, ticket.id)).toMatchObject({
      status: 202,
      data: { state: 'linked', is_pending: true, problem: null },
    });
    await eventually(() => expect(stage.tickets.get(ticket.id).subject).toBe('Nobody was told'));
    expect(await call(syncTicketTask, scene.place, newId())).toMatchObject({ status: 404, data: { code: 'task.not_linked' } });
  });
});
