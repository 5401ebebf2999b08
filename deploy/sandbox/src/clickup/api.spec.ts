import { referencePath } from './openapi';
import { type Caller, openSandbox, Receiver } from './testing';

let api: Caller;
let list: string;

async function open(options: Parameters<typeof openSandbox>[0] = {}): Promise<void> {
  api = await openSandbox(options);
  list = api.sandbox.list('Customer tickets').id;
}
beforeEach(() => open());
afterEach(() => api.sandbox.close());

describe('a token', () => {
  it.each([
    ['none', '', 'OAUTH_017'],
    ['an unknown one', 'Bearer nobody', 'OAUTH_019'],
  ])('is required: %s is refused', async (_, token, code) => {
    api.token = token;
    expect(await api.get('/v2/user')).toMatchObject({ status: 401, body: { ECODE: code, err: expect.any(String) } });
  });

  it('of an application is sent with Bearer, a personal one without', async () => {
    const [oauth, personal] = [api.sandbox.issueToken(), api.sandbox.issueToken({ personal: true, email: 'agent@demo.test' })];
    const status = async (token: string) => ((api.token = token), (await api.get('/v2/user')).status);
    expect(personal).toMatch(/^pk_/);
    expect(await status(`Bearer ${oauth}`)).toBe(200);
    expect(await status(oauth)).toBe(401);
    expect(await status(personal)).toBe(200);
    expect((await api.get('/v2/user')).body.user.email).toBe('agent@demo.test');
    expect(await status(`Bearer ${personal}`)).toBe(401);
  });

  it('can be set in advance, and then is a personal token', async () => {
    await api.sandbox.close();
    await open({ personalToken: 'pk_demo' });
    api.token = 'pk_demo';
    expect((await api.get('/v2/user')).body.user.email).toBe('admin@demo.test');
  });

  it('causes the error with which it was revoked', async () => {
    api.sandbox.revokeToken();
    expect(await api.get('/v2/user')).toMatchObject({ status: 401, body: { ECODE: 'OAUTH_025' } });
  });

  it('gives access to its workspaces only', async () => {
    api.token = `Bearer ${api.sandbox.issueToken({ teams: ['Other'] })}`;
    expect((await api.get('/v2/team')).body.teams).toMatchObject([{ name: 'Other' }]);
    for (const path of [`/v2/list/${list}`, `/v2/team/${api.sandbox.team('Northwind').id}/space`, '/v2/list/999999999999'])
      expect(await api.get(path)).toMatchObject({ status: 401, body: { ECODE: 'OAUTH_027' } });
  });
});

describe('the rate limit', () => {
  it('counts down in the headers, refuses further calls without effect, and resets at the reported time', async () => {
    await api.sandbox.close();
    await open({ rateLimitPerMinute: 3, timeScale: 100 });
    const asked = await Promise.all([1, 2, 3, 4].map((n) => api.post(`/v2/list/${list}/task`, { name: `No ${n}` })));
    const refused = asked.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.body).toEqual({ err: 'Rate limit reached', ECODE: 'APP_002' });
    expect(api.sandbox.tasks()).toHaveLength(3);
    expect(asked.map(({ headers }) => headers.get('x-ratelimit-remaining')).sort()).toEqual(['0', '0', '1', '2']);
    const wait = Number(refused[0]?.headers.get('x-ratelimit-reset')) * 1000 - Date.now();
    expect(wait).toBeLessThanOrEqual(601);
    await new Promise((resolve) => setTimeout(resolve, Math.max(wait, 0)));
    expect((await api.get('/v2/user')).status).toBe(200);
  });

  it('reports whole seconds without a time scale, and is counted per token', async () => {
    await api.sandbox.close();
    await open({ rateLimitPerMinute: 1 });
    const first = await api.get('/v2/user');
    expect(Number(first.headers.get('x-ratelimit-reset'))).toBe(Math.round(Number(first.headers.get('x-ratelimit-reset'))));
    expect((await api.get('/v2/user')).status).toBe(429);
    api.token = `Bearer ${api.sandbox.issueToken()}`;
    expect((await api.get('/v2/user')).status).toBe(200);
  });
});

describe('a fault', () => {
  it('affects the given number of matching requests, and no further ones', async () => {
    api.sandbox.failNext(503, 'ITEM_999', { method: 'POST', path: '/task', times: 2, skip: 1 });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++)
      statuses.push((await api.post(`/v2/list/${list}/task`, { name: 'x' })).status, (await api.get('/v2/user')).status);
    expect(statuses).toEqual([200, 200, 503, 200, 503, 200, 200, 200]);
    expect(api.sandbox.faults.waiting).toBe(0);
  });

  it('can drop the response after the effect, or the connection before it', async () => {
    api.sandbox.faults.loseAnswer({ method: 'POST' });
    await expect(api.post(`/v2/list/${list}/task`, { name: 'Done' })).rejects.toThrow();
    api.sandbox.faults.disconnect({ method: 'POST' });
    await expect(api.post(`/v2/list/${list}/task`, { name: 'Undone' })).rejects.toThrow();
    expect(api.sandbox.tasks().map(({ name }) => name)).toEqual(['Done']);
    expect(api.sandbox.requests.map(({ status }) => status)).toEqual([0, 0]);
  });

  it('can be no response, or one that is not JSON', async () => {
    api.sandbox.faults.hang();
    const patience = AbortSignal.timeout(50);
    await expect(fetch(`${api.sandbox.apiUrl}/v2/user`, { signal: patience })).rejects.toThrow('timeout');
    api.sandbox.faults.answer({ status: 502, body: '<h1>Bad gateway</h1>' });
    expect(await (await fetch(`${api.sandbox.apiUrl}/v2/user`)).text()).toBe('<h1>Bad gateway</h1>');
  });
});

describe('an outage', () => {
  it('refuses connections, keeps the data, and ends on the same port', async () => {
    const { url } = api.sandbox;
    const id = api.sandbox.person.createTask('Bugs', { name: 'Kept' }).id;
    await api.sandbox.away();
    await expect(api.get('/v2/user')).rejects.toThrow();
    await api.sandbox.back();
    expect(api.sandbox.url).toBe(url);
    expect((await api.get(`/v2/task/${id}`)).body.name).toBe('Kept');
  });

  it('drops webhooks or delivers all of them, as configured', async () => {
    const receiver = await Receiver.open();
    const team = api.sandbox.team('Northwind').id;
    await api.post(`/v2/team/${team}/webhook`, { endpoint: receiver.url, events: ['taskCreated'] });
    const create = async () => {
      api.sandbox.person.createTask('Bugs', { name: 'x' });
      await api.sandbox.deliveriesSettled();
      return receiver.received.length;
    };
    await api.sandbox.away();
    expect(await create()).toBe(0);
    expect(api.sandbox.webhooks[0]?.health).toEqual({ status: 'failing', fail_count: 1 });
    await api.sandbox.back();
    await api.sandbox.away({ deliveries: 'pass' });
    expect(await create()).toBe(1);
    receiver.close();
  });
});

describe('the log', () => {
  it('contains the requests, counted by route', async () => {
    for (const id of ['86a', '86b']) await api.get(`/v2/task/${id}`);
    expect(api.sandbox.requests).toMatchObject([
      { method: 'GET', path: '/v2/task/86a', route: '/v2/task/{task_id}', status: 401, at: expect.any(Number) },
      { path: '/v2/task/86b' },
    ]);
    expect([...api.sandbox.requestCounts]).toEqual([['GET /v2/task/{task_id}', 2]]);
    api.sandbox.clearLog();
    expect([api.sandbox.requests, [...api.sandbox.requestCounts]]).toEqual([[], []]);
  });
});

it('saved data is restored in another sandbox, with ids and tokens', async () => {
  const id = api.sandbox.person.createTask('Bugs', { name: 'Kept' }).id;
  const comment = api.sandbox.person.comment(id, 'Said');
  const saved = JSON.parse(JSON.stringify(api.sandbox.save()));
  await api.sandbox.close();
  const { token } = api;
  await open({ saved });
  api.token = token;
  expect((await api.get(`/v2/task/${id}/comment`)).body.comments).toMatchObject([{ id: String(comment), comment_text: 'Said' }]);
  expect(api.sandbox.person.createTask('Bugs', { name: 'Next' }).id).not.toBe(id);
});

it('the same seed creates the same ids', async () => {
  await api.sandbox.close();
  const ids = async () => {
    await open({ idSeed: 7 });
    const made = [list, api.sandbox.person.createTask('Bugs', { name: 'x' }).id, api.sandbox.user('agent@demo.test').id];
    await api.sandbox.close();
    return made;
  };
  expect(await ids()).toEqual(await ids());
});

// Run with ClickUp's own reference if it is available, and always with our own schemas: both must find the same faults.
const sources = ['own-schemas' as const, ...(referencePath() ? ['clickup-openapi' as const] : [])];

describe.each(sources)('a request, checked by %s', (checkWith) => {
  beforeEach(async () => {
    await api.sandbox.close();
    await open({ checkWith });
  });

  const task = () => api.sandbox.person.createTask('Customer tickets', { name: 'x' }).id;

  it.each<[string, () => Promise<{ status: number; body: { ECODE: string } }>, string]>([
    ['a task without a name', () => api.post(`/v2/list/${list}/task`, {}), 'INPUT_005'],
    ['a priority in words', () => api.post(`/v2/list/${list}/task`, { name: 'x', priority: 'high' }), 'SANDBOX_INPUT'],
    ['a due date in words', () => api.put(`/v2/task/${task()}`, { due_date: 'tomorrow' }), 'INPUT_006'],
    ['a list id that is not a number', () => api.get('/v2/list/abc'), 'INPUT_003'],
    ['assignees as a list in a change', () => api.put(`/v2/task/${task()}`, { assignees: [1] }), 'SANDBOX_INPUT'],
    ['a comment without notify_all', () => api.post(`/v2/task/${task()}/comment`, { comment_text: 'x' }), 'SANDBOX_INPUT'],
    ['an unknown query parameter', () => api.get(`/v2/list/${list}/task?limit=5`), 'SANDBOX_INPUT'],
    ['a page that is not a number', () => api.get(`/v2/list/${list}/task?page=first`), 'SANDBOX_INPUT'],
    [
      'fields without a content type',
      () => api.call('GET', `/v2/list/${list}/field`, undefined, { 'content-type': 'text/plain' }),
      'SANDBOX_INPUT',
    ],
    ['a body that is not JSON', () => api.post(`/v2/list/${list}/task`, '{"name":'), 'SANDBOX_INPUT'],
    [
      'a webhook without events',
      () => api.post(`/v2/team/${api.sandbox.team('Northwind').id}/webhook`, { endpoint: 'http://x.test' }),
      'SANDBOX_INPUT',
    ],
  ])('%s is refused and recorded', async (_, ask, code) => {
    expect(await ask()).toMatchObject({ status: 400, body: { ECODE: code } });
    expect(api.sandbox.violations).toHaveLength(1);
  });

  it('a path that ClickUp does not have is recorded', async () => {
    expect((await api.get('/v2/tickets')).status).toBe(400);
    expect(api.sandbox.violations).toEqual([{ method: 'GET', path: '/v2/tickets', message: 'there is no GET /v2/tickets' }]);
  });
});
