import { type Caller, type Json, openSandbox } from './testing';

let api: Caller;
let list: string;

beforeEach(async () => {
  api = await openSandbox();
  list = api.sandbox.list('Customer tickets').id;
});
afterEach(() => api.sandbox.close());

const create = async (body: object = {}): Promise<Json> => (await api.post(`/v2/list/${list}/task`, { name: 'Printer', ...body })).body;

describe('locations', () => {
  it('of a workspace include its lists and their statuses', async () => {
    const { teams } = (await api.get('/v2/team')).body;
    expect(teams.map(({ name }: { name: string }) => name)).toEqual(['Northwind', 'Other']);
    expect(teams[0].members.map(({ user }: Json) => user.email)).toEqual(['admin@demo.test', 'manager@demo.test', 'agent@demo.test']);
    const { spaces } = (await api.get(`/v2/team/${teams[0].id}/space?archived=false`)).body;
    expect(spaces.map(({ name }: { name: string }) => name)).toEqual(['Support', 'Product']);
    const { folders } = (await api.get(`/v2/space/${spaces[0].id}/folder`)).body;
    expect(folders).toMatchObject([{ name: 'Engineering', hidden: false, task_count: '0', lists: [{ name: 'Bugs' }] }]);
    expect((await api.get(`/v2/folder/${folders[0].id}/list`)).body.lists).toMatchObject([{ name: 'Bugs' }]);
    const { lists } = (await api.get(`/v2/space/${spaces[0].id}/list`)).body;
    expect(lists).toMatchObject([{ id: list, name: 'Customer tickets', folder: { name: 'hidden', hidden: true } }]);
    const { statuses } = (await api.get(`/v2/list/${list}`)).body;
    expect(statuses.map(({ status, type }: Json) => [status, type])).toEqual([
      ['To Do', 'open'],
      ['In Progress', 'custom'],
      ['Review', 'custom'],
      ['Complete', 'done'],
      ['Closed', 'closed'],
    ]);
    expect((await api.get(`/v2/list/${list}/field`)).body.fields).toMatchObject([{ name: 'Customer Email', type: 'email' }]);
    expect((await api.get(`/v2/list/${list}/member`)).body).toEqual({ members: [] });
    expect((await api.get('/v2/user')).body.user).toMatchObject({ email: 'admin@demo.test', username: 'Grace Okafor' });
    expect(api.sandbox.violations).toEqual([]);
  });

  it('have ids that exceed 32 bits', () => {
    expect(Number(list)).toBeGreaterThan(2 ** 32);
    expect(Number.isSafeInteger(Number(list))).toBe(true);
  });
});

describe('a task', () => {
  it('is created with every field and read back unchanged', async () => {
    const { id } = (await api.get(`/v2/list/${list}/field`)).body.fields[0];
    const agent = api.sandbox.user('agent@demo.test');
    const made = await create({
      markdown_content: '**Bold** and `code`',
      description: 'loses',
      status: 'in progress',
      priority: 2,
      assignees: [agent.id],
      tags: ['vip'],
      due_date: 1_900_000_000_000,
      custom_fields: [{ id, value: 'ada@example.test' }],
    });
    expect(made).toMatchObject({
      name: 'Printer',
      description: 'Bold and code',
      status: { status: 'In Progress', type: 'custom' },
      priority: { id: '2', priority: 'high', orderindex: '2' },
      assignees: [{ email: 'agent@demo.test' }],
      tags: [{ name: 'vip' }],
      due_date: '1900000000000',
      list: { id: list },
      custom_fields: [{ name: 'Customer Email', value: 'ada@example.test' }],
    });
    const read = (await api.get(`/v2/task/${made.id}?include_markdown_description=true`)).body;
    expect(read).toEqual({ ...made, markdown_description: '**Bold** and `code`', attachments: [] });
    expect(api.sandbox.violations).toEqual([]);
  });

  it('gets the first status of the list by default, and refuses one that the list does not have', async () => {
    expect((await create()).status.status).toBe('To Do');
    expect(await api.post(`/v2/list/${list}/task`, { name: 'x', status: 'Blocked' })).toMatchObject({
      status: 400,
      body: { ECODE: 'CRTSK_001' },
    });
    expect(await api.post(`/v2/list/${list}/task`, { name: ' ' })).toMatchObject({ status: 400, body: { ECODE: 'INPUT_005' } });
    expect(api.sandbox.tasks()).toHaveLength(1);
  });

  it('is updated except for tags and custom fields, which an update ignores', async () => {
    const { id } = await create({ tags: ['vip'], description: 'old' });
    const [agent, manager] = ['agent@demo.test', 'manager@demo.test'].map((email) => api.sandbox.user(email).id);
    await api.put(`/v2/task/${id}`, { assignees: { add: [agent], rem: [] } });
    const change = {
      name: 'New',
      status: 'COMPLETE',
      priority: 1,
      assignees: { add: [manager], rem: [agent] },
      tags: ['x'],
      custom_fields: [],
    };
    const { body } = await api.put(`/v2/task/${id}`, { ...change, markdown_content: '# New text' });
    expect(body).toMatchObject({ name: 'New', description: 'New text', status: { status: 'Complete' }, priority: { priority: 'urgent' } });
    expect(body.assignees.map((each: Json) => each.id)).toEqual([manager]);
    expect(body.tags.map((each: Json) => each.name)).toEqual(['vip']);
    expect([body.date_done, body.date_closed]).toEqual([expect.stringMatching(/^\d{13}$/), null]);
    const cleared = (await api.put(`/v2/task/${id}`, { priority: null, markdown_content: ' ' })).body;
    expect(cleared).toMatchObject({ priority: null, description: '' });
  });

  it('is not changed at all if one part of an update is refused', async () => {
    const { id } = await create();
    expect((await api.put(`/v2/task/${id}`, { name: 'New', status: 'Nowhere' })).status).toBe(400);
    expect(api.sandbox.task(id)).toMatchObject({ name: 'Printer', status: 'To Do' });
  });

  it('gets and loses tags and custom field values through separate calls', async () => {
    const { id } = await create();
    const [field] = api.sandbox.list('Customer tickets').fields;
    expect(await api.post(`/v2/task/${id}/tag/${encodeURIComponent('a/b ü')}`, {})).toMatchObject({ status: 200, body: {} });
    expect(api.sandbox.task(id)?.tags).toEqual(['a/b ü']);
    expect((await api.get(`/v2/space/${api.sandbox.space('Support').id}/tag`)).body.tags).toMatchObject([{ name: 'a/b ü' }]);
    await api.delete(`/v2/task/${id}/tag/${encodeURIComponent('A/B ü')}`);
    expect(api.sandbox.task(id)?.tags).toEqual([]);
    expect((await api.post(`/v2/task/${id}/field/${field?.id}`, { value: 'not an address' })).body.ECODE).toBe('FIELD_011');
    expect((await api.post(`/v2/task/${id}/field/${field?.id}`, { value: 'a@b.test' })).status).toBe(200);
    expect(api.sandbox.task(id)?.values).toEqual({ [field?.id ?? '']: 'a@b.test' });
    expect(api.sandbox.violations).toEqual([]);
  });

  it.each<[type: string, options: string[], valid: (ids: string[]) => unknown, invalid: unknown]>([
    ['short_text', [], () => 'Berlin', 7],
    ['url', [], () => 'https://example.test', 'example'],
    ['number', [], () => -1.5, '7'],
    ['currency', [], () => 8_000, true],
    ['date', [], () => 1_667_367_645_000, '2026-12-31'],
    ['checkbox', [], () => false, 'no'],
    ['drop_down', ['Basic', 'Pro'], ([, pro]) => pro, 'Pro'],
    ['labels', ['Red', 'Green'], (ids) => ids, ['Red']],
  ])('accepts a value of a %s field, refuses one of another type, and loses it', async (type, options, valid, invalid) => {
    const { id } = await create();
    const field = api.sandbox.addField('Customer tickets', 'Field', type, options);
    const value = valid((field.type_config.options ?? []).map((option) => option.id));
    const path = `/v2/task/${id}/field/${field.id}`;
    const shown = async () => (await api.get(`/v2/task/${id}`)).body.custom_fields.find((each: Json) => each.id === field.id);
    expect((await api.get(`/v2/list/${list}/field`)).body.fields).toContainEqual(field);
    expect((await api.post(path, { value: invalid })).status).toBe(400);
    expect(await api.post(path, { value })).toMatchObject({ status: 200, body: {} });
    // As in real responses, a dropdown's value is the position of its option.
    expect((await shown()).value).toEqual(type === 'drop_down' ? 1 : value);
    expect(await api.delete(path)).toMatchObject({ status: 200, body: {} });
    expect(await shown()).not.toHaveProperty('value');
    api.sandbox.removeField('Customer tickets', 'Field');
    expect((await api.post(path, { value })).status).toBe(400);
  });

  it('is not found after its deletion, and an unknown one returns the same error as one of another workspace', async () => {
    const { id } = await create();
    expect(await api.delete(`/v2/task/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await api.get(`/v2/task/${id}`)).toMatchObject({ status: 404, body: { ECODE: 'ITEM_013' } });
    expect(await api.put(`/v2/task/${id}`, { name: 'x' })).toMatchObject({ status: 404 });
    expect(await api.get('/v2/task/86nothing')).toMatchObject({ status: 401, body: { ECODE: 'OAUTH_027', err: 'Team not authorized' } });
  });
});

describe('a page of tasks', () => {
  const ids = (body: Json): string[] => body.tasks.map((task: Json) => task.id);

  it('contains a hundred, the newest first, without overlap', async () => {
    const made = Array.from({ length: 205 }, (_, n) => api.sandbox.person.createTask('Customer tickets', { name: `Task ${n}` }).id);
    const pages = await Promise.all([0, 1, 2, 3].map((page) => api.get(`/v2/list/${list}/task?page=${page}&order_by=created`)));
    expect(pages.map(({ body }) => [body.tasks.length, body.last_page])).toEqual([
      [100, false],
      [100, false],
      [5, true],
      [0, true],
    ]);
    expect(new Set(pages.flatMap(({ body }) => ids(body))).size).toBe(205);
    expect(ids((await api.get(`/v2/list/${list}/task?reverse=true`)).body)).toContain(made[0]);
  });

  it('hides closed tasks unless they are requested', async () => {
    const [open, done, closed] = ['To Do', 'Complete', 'Closed'].map(
      (status) => api.sandbox.person.createTask('Customer tickets', { name: status, status }).id,
    );
    expect(ids((await api.get(`/v2/list/${list}/task`)).body).sort()).toEqual([open, done].sort());
    expect(ids((await api.get(`/v2/list/${list}/task?include_closed=true`)).body).sort()).toEqual([open, done, closed].sort());
    expect(ids((await api.get(`/v2/list/${list}/task?statuses[]=closed`)).body)).toEqual([closed]);
    expect(api.sandbox.violations).toEqual([]);
  });

  it('of a workspace returns the changes since a time in the given lists', async () => {
    let now = 1_000;
    await api.sandbox.close();
    api = await openSandbox({ now: () => now });
    const [first, second, other] = ['Customer tickets', 'Customer tickets', 'Bugs'].map(
      (name) => api.sandbox.person.createTask(name, { name }).id,
    );
    now = 2_000;
    api.sandbox.person.setStatus(first ?? '', 'Closed');
    now = 3_000;
    for (const id of [second, other]) api.sandbox.person.rename(id ?? '', 'Renamed');
    const asked = (since: number) =>
      api.get(
        `/v2/team/${api.sandbox.team('Northwind').id}/task?list_ids[]=${api.sandbox.list('Customer tickets').id}` +
          `&date_updated_gt=${since}&include_closed=true&order_by=updated&reverse=true&page=0`,
      );
    expect(ids((await asked(1_000)).body)).toEqual([first, second]);
    expect(ids((await asked(2_000)).body)).toEqual([second]);
    expect(ids((await asked(3_000)).body)).toEqual([]);
    expect(api.sandbox.violations).toEqual([]);
  });

  it('in an unknown order is ClickUp’s error', async () => {
    expect(await api.get(`/v2/list/${list}/task?order_by=closed`)).toMatchObject({ status: 500, body: { ECODE: 'ITEMV2_003' } });
  });
});

describe('comments', () => {
  it('are returned newest first, 25 at a time', async () => {
    const { id } = await create();
    const made: number[] = [];
    for (let n = 0; n < 60; n++)
      made.push((await api.post(`/v2/task/${id}/comment`, { comment_text: `No ${n}`, notify_all: false })).body.id);
    expect(made.every((each) => typeof each === 'number')).toBe(true);
    const seen: string[] = [];
    for (let query = ''; ;) {
      const { comments } = (await api.get(`/v2/task/${id}/comment${query}`)).body;
      if (comments.length === 0) break;
      expect(comments.length).toBeLessThanOrEqual(25);
      seen.push(...comments.map((each: Json) => each.id));
      const last = comments.at(-1);
      query = `?start=${last.date}&start_id=${last.id}`;
    }
    expect(seen).toEqual(made.reverse().map(String));
    expect(api.sandbox.violations).toEqual([]);
  });

  it('are edited, answered and deleted', async () => {
    const { id } = await create();
    const { body: posted } = await api.post(`/v2/task/${id}/comment`, { comment_text: 'Hello', notify_all: false });
    expect(posted).toEqual({ id: expect.any(Number), hist_id: expect.any(String), date: expect.any(Number) });
    await api.put(`/v2/comment/${posted.id}`, { comment_text: 'Hello again', assignee: null, resolved: true });
    await api.post(`/v2/comment/${posted.id}/reply`, { comment_text: 'Yes', notify_all: false });
    const [comment] = (await api.get(`/v2/task/${id}/comment`)).body.comments;
    expect(comment).toMatchObject({
      id: String(posted.id),
      comment_text: 'Hello again',
      resolved: true,
      reply_count: '1',
      date: String(posted.date),
    });
    expect((await api.get(`/v2/comment/${posted.id}/reply`)).body.comments).toMatchObject([{ comment_text: 'Yes' }]);
    expect((await api.delete(`/v2/comment/${posted.id}`)).body).toEqual({});
    expect((await api.get(`/v2/task/${id}/comment`)).body).toEqual({ comments: [] });
    expect(api.sandbox.violations).toEqual([]);
  });
});
