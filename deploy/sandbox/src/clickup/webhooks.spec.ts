import { type Caller, type Json, openSandbox, Receiver, signatureOf } from './testing';

let api: Caller;
let receiver: Receiver;
let list: string;
let team: string;

beforeEach(async () => {
  [api, receiver] = await Promise.all([openSandbox(), Receiver.open()]);
  list = api.sandbox.list('Customer tickets').id;
  team = api.sandbox.team('Northwind').id;
});
afterEach(async () => {
  await api.sandbox.close();
  receiver.close();
});

const subscribe = async (events: string[] = ['*'], place: object = { list_id: Number(list) }): Promise<Json> =>
  (await api.post(`/v2/team/${team}/webhook`, { endpoint: receiver.url, events, ...place })).body.webhook;
const health = async (): Promise<Json> => (await api.get(`/v2/team/${team}/webhook`)).body.webhooks[0].health;
const newTask = (): string => api.sandbox.person.createTask('Customer tickets', { name: 'Printer' }).id;

/** The events that `work` causes, after all of them have been answered. */
async function deliveredBy(work: () => unknown): Promise<string[]> {
  const before = receiver.received.length;
  await work();
  await api.sandbox.deliveriesSettled();
  return receiver.events.slice(before);
}

describe('a webhook', () => {
  it('is created, found, changed and deleted by its user', async () => {
    const made = await subscribe(['taskUpdated', 'taskDeleted']);
    expect(made).toMatchObject({
      events: ['taskUpdated', 'taskDeleted'],
      list_id: Number(list),
      health: { status: 'active', fail_count: 0 },
    });
    expect((await api.get(`/v2/team/${team}/webhook`)).body).toEqual({ webhooks: [made] });
    const again = await api.post(`/v2/team/${team}/webhook`, { endpoint: receiver.url, events: ['*'], list_id: Number(list) });
    expect(again).toMatchObject({ status: 400, body: { ECODE: 'OAUTH_171' } });
    const change = { endpoint: receiver.url, events: '*', status: 'active' };
    expect((await api.put(`/v2/webhook/${made.id}`, change)).body.webhook.events).toEqual(['*']);
    api.token = api.sandbox.issueToken({ personal: true });
    expect((await api.get(`/v2/team/${team}/webhook`)).body).toEqual({ webhooks: [] });
    expect((await api.delete(`/v2/webhook/${made.id}`)).body.ECODE).toBe('OAUTH_027');
    expect(api.sandbox.violations).toEqual([]);
  });

  it('is signed over its raw body', async () => {
    const { secret } = await subscribe();
    await deliveredBy(() => api.sandbox.person.createTask('Customer tickets', { name: 'Ä 🖨' }));
    for (const { raw, signature } of receiver.received) expect(signature).toBe(signatureOf(raw, secret));
  });

  it('reports each change in ClickUp’s order of events, including changes by the API', async () => {
    await subscribe();
    const { person } = api.sandbox;
    let id = '';
    expect(await deliveredBy(() => (id = newTask()))).toEqual(['taskCreated', 'taskStatusUpdated']);
    expect(await deliveredBy(() => person.setStatus(id, 'Review'))).toEqual(['taskStatusUpdated', 'taskUpdated']);
    expect(await deliveredBy(() => person.setPriority(id, 1))).toEqual(['taskPriorityUpdated', 'taskUpdated']);
    expect(await deliveredBy(() => person.assign(id, 'admin@demo.test'))).toEqual(['taskAssigneeUpdated', 'taskUpdated']);
    expect(await deliveredBy(() => person.addTag(id, 'vip'))).toEqual(['taskTagUpdated', 'taskUpdated']);
    expect(await deliveredBy(() => person.setDueDate(id, 1))).toEqual(['taskDueDateUpdated', 'taskUpdated']);
    expect(await deliveredBy(() => person.rename(id, 'New'))).toEqual(['taskUpdated']);
    expect(await deliveredBy(() => person.describe(id, 'Text'))).toEqual(['taskUpdated']);
    expect(await deliveredBy(() => person.comment(id, 'Hello'))).toEqual(['taskCommentPosted', 'taskUpdated']);
    expect(await deliveredBy(() => api.put(`/v2/task/${id}`, { priority: 3, status: 'Complete' }))).toEqual([
      'taskStatusUpdated',
      'taskUpdated',
      'taskPriorityUpdated',
      'taskUpdated',
    ]);
    expect(await deliveredBy(() => api.put(`/v2/task/${id}`, { priority: 3, status: 'complete', name: 'New' }))).toEqual([]);
    expect(await deliveredBy(() => person.moveTask(id, 'Ideas'))).toEqual(['taskMoved', 'taskUpdated']);
    expect(await deliveredBy(() => person.setStatus(id, 'Closed'))).toEqual([]);
    expect(await deliveredBy(() => person.moveTask(id, 'Customer tickets'))).toEqual(['taskMoved', 'taskUpdated']);
    expect(await deliveredBy(() => person.deleteTask(id))).toEqual(['taskDeleted']);
    expect(await deliveredBy(() => api.sandbox.deleteList('Customer tickets'))).toEqual(['listDeleted']);
  });

  it('receives only the events and the location that it is subscribed to', async () => {
    await subscribe(['taskUpdated']);
    const elsewhere = api.sandbox.person.createTask('Bugs', { name: 'x' }).id;
    expect(await deliveredBy(() => api.sandbox.person.rename(elsewhere, 'y'))).toEqual([]);
    expect(await deliveredBy(newTask)).toEqual([]);
  });

  it('is sent five times, then counts as one failure and is dropped', async () => {
    await subscribe();
    receiver.answer = () => 500;
    const id = newTask();
    await api.sandbox.deliveriesSettled();
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(2);
    expect(await health()).toEqual({ status: 'failing', fail_count: 2 });
    receiver.answer = () => 204;
    expect(await deliveredBy(() => api.sandbox.person.rename(id, 'New'))).toEqual(['taskUpdated']);
    expect(await health()).toEqual({ status: 'active', fail_count: 0 });
  });

  it('counts a missing response as a failure', async () => {
    await subscribe(['taskCreated']);
    receiver.answer = () => undefined;
    newTask();
    await api.sandbox.deliveriesSettled();
    expect(api.sandbox.deliveries.at(-1)?.statuses).toEqual([null, null, null, null, null]);
    expect(await health()).toEqual({ status: 'failing', fail_count: 1 });
  });

  it.each([401, 410])('is suspended immediately by %d, sends nothing, and works again when it is reactivated', async (status) => {
    const { id } = await subscribe(['taskUpdated']);
    const task = newTask();
    receiver.answer = () => status;
    expect(await deliveredBy(() => api.sandbox.person.rename(task, 'One'))).toEqual(['taskUpdated']);
    expect((await health()).status).toBe('suspended');
    receiver.answer = () => 200;
    expect(await deliveredBy(() => api.sandbox.person.rename(task, 'Two'))).toEqual([]);
    await api.put(`/v2/webhook/${id}`, { endpoint: receiver.url, events: ['taskUpdated'], status: 'active' });
    expect(await deliveredBy(() => api.sandbox.person.rename(task, 'Three'))).toEqual(['taskUpdated']);
    expect(receiver.received.at(-1)?.body.history_items[0]).toMatchObject({ field: 'name', before: 'Two', after: 'Three' });
  });

  it('is suspended after a hundred failures', async () => {
    await subscribe(['taskCreated']);
    receiver.answer = () => 500;
    for (let n = 0; n < 100; n++) newTask();
    await api.sandbox.deliveriesSettled();
    expect(await health()).toEqual({ status: 'suspended', fail_count: 100 });
  });

  it('sends nothing once its user’s token is revoked', async () => {
    await subscribe();
    api.sandbox.revokeToken();
    expect(await deliveredBy(newTask)).toEqual([]);
    api.token = `Bearer ${api.sandbox.issueToken()}`;
    expect(await deliveredBy(newTask)).toHaveLength(2);
  });
});

describe('deliveries can be controlled by a test', () => {
  it('they can be delayed and delivered twice in reverse order', async () => {
    await subscribe(['taskUpdated']);
    const id = newTask();
    api.sandbox.holdDeliveries();
    for (const name of ['One', 'Two', 'Three']) api.sandbox.person.rename(id, name);
    expect(api.sandbox.heldDeliveries).toBe(3);
    expect(receiver.received).toEqual([]);
    api.sandbox.releaseDeliveries({ order: 'reverse', twice: true });
    await api.sandbox.deliveriesSettled();
    const names = receiver.received.map(({ body }) => body.history_items[0].after);
    expect(names.sort()).toEqual(['One', 'One', 'Three', 'Three', 'Two', 'Two']);
  });

  it('a number of them can be dropped', async () => {
    await subscribe(['taskUpdated']);
    const id = newTask();
    api.sandbox.dropDeliveries(2);
    expect(await deliveredBy(() => ['One', 'Two', 'Three'].forEach((name) => api.sandbox.person.rename(id, name)))).toEqual([
      'taskUpdated',
    ]);
    expect(receiver.received[0]?.body.history_items[0].after).toBe('Three');
    expect(await health()).toEqual({ status: 'active', fail_count: 0 });
  });

  it('all can be suspended silently', async () => {
    await subscribe();
    api.sandbox.suspendWebhooks();
    expect(await deliveredBy(newTask)).toEqual([]);
    expect((await health()).status).toBe('suspended');
  });
});
