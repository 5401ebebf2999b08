import { Ajv2020 } from 'ajv/dist/2020';
import { agent, contactList, conversationList, messageList } from './published-shapes';
import { ChatwootSandbox } from './sandbox';

type Json = ReturnType<typeof JSON.parse>;

describe('the Chatwoot sandbox', () => {
  let sandbox: ChatwootSandbox;
  let token: string;
  beforeAll(async () => {
    sandbox = await ChatwootSandbox.start();
    token = sandbox.issueToken();
  });
  afterAll(() => sandbox.close());
  afterEach(() => sandbox.reset());

  const request = (path: string, by = token) => fetch(`${sandbox.url}${path}`, { headers: { api_access_token: by } });
  const get = async (path: string, by = token): Promise<Json> => (await request(`/api/v1/accounts/1${path}`, by)).json();
  const ids = async (query: string): Promise<number[]> => {
    const found = new Set<number>();
    for (let page = 1; ; page++) {
      const { payload } = (await get(`/conversations?page=${page}${query}`)).data;
      if (payload.length === 0) return [...found];
      for (const { id } of payload) found.add(id);
    }
  };

  it('answers in the published form', async () => {
    const ajv = new Ajv2020({ strict: false });
    const check = (schema: object, body: unknown) => {
      const validate = ajv.compile(schema);
      validate(body);
      expect(validate.errors).toBeNull();
    };
    for (let page = 1; page <= 8; page++) check(conversationList, await get(`/conversations?status=all&page=${page}`));
    for (const id of [20, 21, 22, 23, 25]) check(messageList, await get(`/conversations/${id}/messages`));
    check(contactList, await get('/contacts?page=2'));
    for (const each of await get('/agents')) check(agent, each);
  });

  it('lists only open conversations by default, 25 per page, the last active first', async () => {
    const { meta, payload } = (await get('/conversations')).data;
    expect(new Set(payload.map(({ status }: Json) => status))).toEqual(new Set(['open']));
    expect(meta.all_count).toBeLessThan(40);
    expect(payload).toHaveLength(25);
    const times = payload.map(({ last_activity_at }: Json) => last_activity_at);
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
    expect(await ids('&status=all')).toHaveLength(183);
  });

  it('shifts rows between pages when a customer writes', async () => {
    sandbox.onRequest = (path) => {
      if (path.includes('page=3')) sandbox.world.receive(20, 'again', 2_000_000_000);
    };
    const missed = await ids('&status=all');
    expect(missed).toHaveLength(182);
    expect(await ids('&status=all&sort_by=created_at_asc')).toHaveLength(183);
  });

  it('pages through messages backwards', async () => {
    const latest = (await get('/conversations/20/messages')).payload;
    expect(latest).toHaveLength(20);
    const before = (await get(`/conversations/20/messages?before=${latest[0].id}`)).payload;
    expect(before).toHaveLength(20);
    expect(before.at(-1).id).toBe(latest[0].id - 1);
    expect((await get('/conversations/20/messages?after=1')).payload).toHaveLength(100);
  });

  it('checks the token, the account and the inboxes of the user', async () => {
    expect((await request('/api/v1/profile', 'wrong')).status).toBe(401);
    expect((await request('/api/v1/accounts/2/conversations')).status).toBe(404);
    expect((await request('/api/v1/accounts/1/agents', sandbox.issueToken('former@acme.test'))).status).toBe(401);
    const agentsToken = sandbox.issueToken('ben@acme.test');
    const { meta } = (await get('/conversations?status=all', agentsToken)).data;
    expect(meta.all_count).toBeGreaterThan(0);
    expect(meta.all_count).toBeLessThan(183);
  });

  it('redirects from the address of a file to its bytes', async () => {
    const { payload } = await get('/conversations/21/messages');
    const [file] = payload.flatMap(({ attachments = [] }: Json) => attachments);
    const redirect = await fetch(file.data_url, { redirect: 'manual' });
    expect(redirect.status).toBe(302);
    const answer = await fetch(file.data_url);
    expect(await answer.text()).toBe('Content of invoice 2024 (1).txt\n');
  });

  it('limits requests, and reports writes and tokens in addresses', async () => {
    sandbox.throttle = { requests: 1, windowMs: 60_000, retryAfter: '1' };
    expect((await request('/api/v1/profile')).status).toBe(200);
    const refused = await request('/api/v1/profile');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    await fetch(`${sandbox.url}/api/v1/accounts/1/conversations/1/messages?token=${token}`, { method: 'POST' });
    expect(sandbox.violations).toHaveLength(2);
  });
});
