import { ClickUpSandbox, type ClickUpSandboxOptions } from '@tandem/sandbox';
import { makeCall } from '../call';
import { draft } from '../contract-tasks';
import type { ToolSettings } from '../task-tool';
import { clickup } from './clickup';

let sandbox: ClickUpSandbox;
const open = async (options: ClickUpSandboxOptions = {}) => {
  sandbox = await ClickUpSandbox.start({ rateLimitPerMinute: Infinity, ...options });
  const list_id = sandbox.list('Customer tickets').id;
  const place = { workspace_id: sandbox.team('Northwind').id, list_id };
  const settings = { CLICKUP_API_URL: sandbox.apiUrl } as ToolSettings;
  const call = makeCall({
    tool: clickup,
    settings,
    access: { kind: 'personal_token', token: sandbox.issueToken({ personal: true }) },
    timeoutMs: 5_000,
  });
  const field_id = (await clickup.describeList(call, list_id)).fields.find(({ type }) => type === 'email')?.id ?? '';
  const requests = () => sandbox.requests.map(({ method, route }) => `${method} ${route}`);
  return { call, place, list_id, field_id, requests };
};
afterEach(async () => {
  const { violations } = sandbox;
  await sandbox.close();
  expect(violations).toEqual([]);
});

describe('calls to ClickUp', () => {
  it('create a task with its custom field and tags in one call', async () => {
    const { call, list_id, field_id } = await open();
    const before = sandbox.requests.length;
    const { id } = await clickup.createTask(
      call,
      list_id,
      draft({ status: 'Review', priority: 'low', tags: ['a', 'b'], customer_email: { field_id, value: 'ada@customer.test' } }),
    );
    expect(sandbox.requests.length - before).toBe(1);
    expect(sandbox.task(id)).toMatchObject({
      status: 'Review',
      priority: 4,
      tags: ['a', 'b'],
      values: { [field_id]: 'ada@customer.test' },
    });
  });

  it('update all fields in one call, and need one more for each tag and for the custom field', async () => {
    const { call, list_id, field_id, requests } = await open();
    const { id } = await clickup.createTask(call, list_id, draft({ tags: ['old'] }));
    sandbox.clearLog();
    const { task, refused } = await clickup.updateTask(call, id, {
      title: 'New',
      status: 'In Progress',
      priority: 'urgent',
      due_at: '2026-12-01T00:00:00.000Z',
      tags: { add: ['n/w'], remove: ['old'] },
      customer_email: { field_id, value: 'new@customer.test' },
    });
    expect(refused).toEqual([]);
    expect(task).toMatchObject({ title: 'New', tags: ['n/w'], priority: 'urgent' });
    expect(requests()).toEqual([
      'POST /v2/task/{task_id}/tag/{tag_name}',
      'DELETE /v2/task/{task_id}/tag/{tag_name}',
      'POST /v2/task/{task_id}/field/{field_id}',
      'PUT /v2/task/{task_id}',
    ]);
    sandbox.clearLog();
    expect(await clickup.updateTask(call, id, { tags: { add: ['x'], remove: [] } })).toEqual({ task: null, refused: [] });
    expect(requests()).toHaveLength(1);
  });

  it('write custom fields in the call that creates the task, and each change in one call', async () => {
    const { call, list_id, requests } = await open();
    const [plan, city] = [
      sandbox.addField('Customer tickets', 'Plan', 'drop_down', ['Pro']),
      sandbox.addField('Customer tickets', 'City', 'text'),
    ];
    const pro = plan.type_config.options![0]!.id;
    sandbox.clearLog();
    const { id } = await clickup.createTask(call, list_id, draft({ custom_fields: [{ field_id: plan.id, value: pro }] }));
    expect(sandbox.task(id)!.values).toEqual({ [plan.id]: pro });
    const { refused } = await clickup.updateTask(call, id, {
      custom_fields: [
        { field_id: plan.id, value: null },
        { field_id: city.id, value: 'Berlin' },
        { field_id: 'gone', value: 'x' },
      ],
    });
    expect(sandbox.task(id)!.values).toEqual({ [plan.id]: null, [city.id]: 'Berlin' });
    expect(refused).toEqual([{ field: 'task_field:gone', message: 'ClickUp: Custom field is not enabled for this task' }]);
    expect(requests()).toEqual([
      'POST /v2/list/{list_id}/task',
      'DELETE /v2/task/{task_id}/field/{field_id}',
      'POST /v2/task/{task_id}/field/{field_id}',
      'POST /v2/task/{task_id}/field/{field_id}',
    ]);
  });

  it('report that the plan allows no more custom fields', async () => {
    const { call, list_id } = await open();
    const { id: field_id } = sandbox.addField('Customer tickets', 'City', 'text');
    const { id } = await clickup.createTask(call, list_id, draft());
    sandbox.failNext(400, 'FIELD_605', { path: '/field/' });
    const { refused } = await clickup.updateTask(call, id, { custom_fields: [{ field_id, value: 'Berlin' }] });
    expect(refused).toMatchObject([{ field: `task_field:${field_id}`, isPlanLimit: true }]);
  });

  it('continue without the fields that are refused, whether ClickUp names them or not', async () => {
    const { call, list_id, field_id } = await open();
    const { id } = await clickup.createTask(call, list_id, draft());
    sandbox.failNext(400, 'FIELD_605', { path: '/field/' });
    sandbox.failNext(400, 'TAG_999', { path: '/tag/' });
    const { task, refused } = await clickup.updateTask(call, id, {
      title: 'New',
      status: 'Nowhere',
      due_at: '2026-12-01T00:00:00.000Z',
      priority: 'low',
      // An unknown user id: ClickUp refuses the whole request without a reason.
      assignees: { add: ['123'], remove: [] },
      tags: { add: ['x', 'y'], remove: [] },
      customer_email: { field_id, value: 'ada@customer.test' },
    });
    expect(refused.map(({ field }) => field).sort()).toEqual(['assignee', 'customer_email', 'status', 'tags']);
    expect(task).toMatchObject({
      title: 'New',
      status: { name: 'To Do' },
      priority: 'low',
      due_at: '2026-12-01T00:00:00.000Z',
      tags: ['y'],
    });
  });

  it('that do not find a tag or field refuse that field; a missing tag counts as removed', async () => {
    const { call, list_id, field_id } = await open();
    const { id } = await clickup.createTask(call, list_id, draft({ tags: ['old'] }));
    sandbox.failNext(404, 'TAG_404', { method: 'DELETE', path: '/tag/' });
    sandbox.failNext(404, 'TAG_404', { method: 'POST', path: '/tag/' });
    sandbox.failNext(404, 'FIELD_404', { path: '/field/' });
    const { task, refused } = await clickup.updateTask(call, id, {
      title: 'New',
      tags: { add: ['x'], remove: ['old'] },
      customer_email: { field_id, value: 'ada@customer.test' },
    });
    expect(refused.map(({ field }) => field)).toEqual(['tags', 'customer_email']);
    expect(task).toMatchObject({ title: 'New' });
    sandbox.person.deleteTask(id);
    const ofTheTask = clickup.updateTask(call, id, { tags: { add: ['x'], remove: [] } });
    await expect(ofTheTask).rejects.toMatchObject({ problem: 'missing' });
  });

  it('that fail for another reason throw, regardless of the field', async () => {
    const { call, list_id } = await open();
    const { id } = await clickup.createTask(call, list_id, draft());
    for (const path of ['/tag/', `/task/${id}`]) {
      sandbox.failNext(500, 'X', { path });
      await expect(clickup.updateTask(call, id, { title: 'New', tags: { add: ['x'], remove: [] } })).rejects.toMatchObject({
        problem: 'unreachable',
      });
    }
  });

  it('read replies in threads with the comments', async () => {
    const { call, list_id } = await open();
    const { id } = await clickup.createTask(call, list_id, draft());
    const first = sandbox.person.comment(id, 'Question');
    sandbox.person.comment(id, 'Answer', { replyTo: first });
    const texts = (await clickup.listComments(call, id, '2020-01-01T00:00:00.000Z')).map(({ text }) => text);
    expect(texts.sort()).toEqual(['Answer', 'Question']);
  });

  it('search all threads for a reply until it is found, and no thread without need', async () => {
    const { call, list_id, requests } = await open();
    const { id } = await clickup.createTask(call, list_id, draft());
    const questions = Array.from({ length: 30 }, (_, i) => sandbox.person.comment(id, `Question ${i}`));
    questions.forEach((question) => void sandbox.person.comment(id, 'Answer', { replyTo: question }));
    const answer = String(sandbox.person.comment(id, 'The answer', { replyTo: questions[10]! }));
    const future = '2099-01-01T00:00:00.000Z';
    const texts = async (sought?: string[]) => (await clickup.listComments(call, id, future, sought)).map(({ text }) => text);
    expect(await texts([answer])).toEqual(['The answer']);
    sandbox.clearLog();
    expect(await texts([String(questions[29])])).toEqual(['Question 29']);
    expect(requests()).toEqual(['GET /v2/task/{task_id}/comment']);
    sandbox.clearLog();
    sandbox.failNext(404, 'X', { path: '/reply' });
    expect(await texts(['0'])).toEqual([]);
    expect(requests().filter((request) => request.includes('/reply')).length).toBeGreaterThan(5);
    expect(requests().length).toBeLessThanOrEqual(2 + 25);
  });

  it('list a task whose home is another list, and an archived one, with their list', async () => {
    const { call, list_id } = await open();
    const { person } = sandbox;
    const ideas = sandbox.list('Ideas').id;
    const shown = person.createTask('Ideas', { name: 'Shown in both' }).id;
    person.addToList(shown, list_id);
    const archived = person.createTask(list_id, { name: 'Archived' }).id;
    person.archive(archived);
    const { tasks } = await clickup.listChanged(call, list_id, null);
    expect(Object.fromEntries(tasks.map((task) => [task.id, task.list_id]))).toEqual({ [shown]: ideas, [archived]: list_id });
    expect(sandbox.requests.at(-1)?.path).toContain('include_timl=true');
  });

  it('offer no archived list, inside or outside a folder, or in an archived folder', async () => {
    const { call } = await open();
    const space_id = sandbox.space('Support').id;
    sandbox.addList('Support', 'Old list');
    sandbox.addList('Support', 'Old bugs', undefined, 'Engineering');
    for (const list of ['Old list', 'Old bugs']) sandbox.archiveList(list);
    const lists = await clickup.listLists(call, { space_id });
    expect(lists.map(({ name }) => name)).toEqual(['Customer tickets', 'Engineering / Bugs']);
  });

  it('offer a guest the lists that were shared individually as an additional space', async () => {
    const { place } = await open();
    const guest = 'manager@demo.test';
    const settings = { CLICKUP_API_URL: sandbox.apiUrl } as ToolSettings;
    const access = { kind: 'personal_token' as const, token: sandbox.issueToken({ email: guest, personal: true }) };
    const call = makeCall({ tool: clickup, settings, access, timeoutMs: 5_000 });
    const spaces = async () => (await clickup.listSpaces(call, place.workspace_id)).map(({ name }) => name);
    expect(await spaces()).toEqual(['Support', 'Product']);
    for (const space of ['Support', 'Product']) sandbox.closeSpace(space, ['admin@demo.test']);
    expect(await spaces()).toEqual([]);
    sandbox.shareList('Ideas', guest);
    sandbox.shareList('Bugs', guest, { folder: true });
    sandbox.addList('Product', 'Old ideas');
    sandbox.shareList('Old ideas', guest);
    sandbox.archiveList('Old ideas');
    expect(await spaces()).toEqual(['Shared with me']);
    const [shared] = await clickup.listSpaces(call, place.workspace_id);
    const lists = await clickup.listLists(call, { space_id: shared!.id });
    expect(lists.map(({ name }) => name)).toEqual(['Ideas', 'Engineering / Bugs']);
    expect((await clickup.describeList(call, lists[0]!.id)).statuses).not.toEqual([]);
  });

  it('return the spaces if ClickUp does not report shared lists, and nothing if it does not answer', async () => {
    const { call, place } = await open();
    sandbox.failNext(401, 'OAUTH_027', { path: '/shared' });
    expect((await clickup.listSpaces(call, place.workspace_id)).map(({ name }) => name)).toEqual(['Support', 'Product']);
    sandbox.failNext(500, 'X', { path: '/shared' });
    await expect(clickup.listSpaces(call, place.workspace_id)).rejects.toMatchObject({ problem: 'unreachable' });
  });

  it('reactivate a webhook with all events if ClickUp accepts no array of events', async () => {
    const { call, place } = await open({ webhookEventsAsText: true });
    const address = 'https://tandem.test/hooks/1';
    const { id } = await clickup.ensureWebhook(call, place, address, 'unused');
    sandbox.suspendWebhooks();
    await clickup.reviveWebhook(call, place, id, address);
    expect(sandbox.webhooks).toMatchObject([{ id, events: ['*'], health: { status: 'active' } }]);
    expect((await clickup.ensureWebhook(call, place, address, 'unused')).id).toBe(id);
  });

  it('name lists in folders with the folder', async () => {
    const { call } = await open();
    const lists = await clickup.listLists(call, { space_id: sandbox.space('Support').id });
    expect(lists.map(({ name }) => name)).toEqual(['Customer tickets', 'Engineering / Bugs']);
    await expect(clickup.listLists(call, { workspace_id: 'x' })).rejects.toMatchObject({ problem: 'refused' });
  });

  it('reuse our webhook with its secret, and replace one that lacks events', async () => {
    const { call, place } = await open();
    const address = 'https://tandem.test/hooks/1';
    await call({
      method: 'POST',
      path: `/v2/team/${place.workspace_id}/webhook`,
      body: { endpoint: address, events: ['taskCreated'], list_id: Number(place.list_id) },
    });
    const made = await clickup.ensureWebhook(call, place, address, 'unused');
    expect(sandbox.webhooks).toMatchObject([{ id: made.id, secret: made.secret, endpoint: address, list_id: place.list_id }]);
    expect(sandbox.webhooks[0]?.events).toContain('taskStatusUpdated');
    expect(await clickup.ensureWebhook(call, place, address, 'unused')).toEqual(made);
  });

  it('report a webhook that was removed with its token as missing', async () => {
    const { call, place } = await open();
    const { id } = await clickup.ensureWebhook(call, place, 'https://tandem.test/hooks/1', 'unused');
    sandbox.revokeToken();
    await expect(clickup.removeWebhook(call, place, id)).rejects.toMatchObject({ problem: 'unauthorized' });
  });
});

it('exchange a code for a working token', async () => {
  sandbox = await ClickUpSandbox.start();
  const settings = sandbox.serviceEnv as ToolSettings;
  const request = clickup.exchangeRequest(settings, { code: sandbox.issueCode(), redirect_uri: 'https://tandem.test/callback' });
  const response = await fetch(request?.url ?? '', { method: 'POST', headers: request?.headers, body: JSON.stringify(request?.body) });
  const { token } = clickup.readToken(await response.json()) ?? { token: '' };
  const call = makeCall({ tool: clickup, settings, access: { kind: 'oauth', token }, timeoutMs: 5_000 });
  expect(await clickup.whoAmI(call)).toMatchObject({ name: 'Grace Okafor', email: 'admin@demo.test' });
});
