import { ZammadSandbox } from './sandbox';

type Json = ReturnType<typeof JSON.parse>;

describe('the Zammad sandbox', () => {
  let sandbox: ZammadSandbox;
  let token: string;
  beforeAll(async () => {
    sandbox = await ZammadSandbox.start();
    token = sandbox.issueToken();
  });
  afterAll(() => sandbox.close());
  afterEach(() => sandbox.reset());

  const request = (path: string, by = token, method = 'GET') =>
    fetch(`${sandbox.url}/api/v1${path}`, { method, headers: { authorization: `Token token=${by}` } });
  const get = async (path: string, by = token): Promise<Json> => (await request(path, by)).json();

  // Names of api/ticket/index.rst and api/intro.rst ("expand=true") of zammad-documentation.
  it('answers with the documented members', async () => {
    const [ticket] = await get('/tickets?expand=true');
    const documented =
      'id group_id priority_id state_id organization_id number title owner_id customer_id note first_response_at close_at last_contact_at create_article_type_id article_count escalation_at pending_time type preferences updated_by_id created_by_id created_at updated_at article_ids group state priority owner customer created_by updated_by create_article_type create_article_sender';
    expect(Object.keys(ticket)).toEqual(expect.arrayContaining(documented.split(' ')));
    expect(ticket).toMatchObject({ number: '67001', state: 'open', priority: '2 normal', owner: 'ben' });
    const [article] = await get('/ticket_articles/by_ticket/1');
    const members = 'id ticket_id from to cc subject body content_type type internal sender attachments created_by created_at updated_at';
    expect(Object.keys(article)).toEqual(expect.arrayContaining(members.split(' ')));
  });

  it('has pages of at most 100 tickets in the order of their ids, with closed and merged ones', async () => {
    const first = await get('/tickets?per_page=500&page=1&expand=true');
    expect(first).toHaveLength(100);
    expect(await get('/tickets?per_page=500&page=3')).toHaveLength(29);
    expect(await get('/tickets?per_page=500&page=4')).toEqual([]);
    expect(new Set(first.map(({ state }: Json) => state))).toEqual(
      new Set(['new', 'open', 'pending reminder', 'closed', 'merged', 'removed', 'pending close', 'waiting for vendor', 'rejected']),
    );
    expect((await get('/tickets/search?query=id:>200&order_by=asc&sort_by=id&expand=true')).map(({ id }: Json) => id)[0]).toBe(201);
  });

  it('moves the articles of a merged ticket and links the two', async () => {
    expect((await get('/ticket_articles/by_ticket/30')).map(({ body }: Json) => body)).toEqual(['merged']);
    expect((await get('/links?link_object=Ticket&link_object_value=30')).links).toEqual([
      { link_type: 'parent', link_object: 'Ticket', link_object_value: 31 },
    ]);
  });

  it('puts the address of a picture into the text, and lists only other files', async () => {
    const articles: Json[] = await get('/ticket_articles/by_ticket/20');
    const picture = articles.find(({ body }) => body.includes('<img'));
    expect(picture.body).toMatch(/src="\/api\/v1\/ticket_attachment\/20\/\d+\/\d+\?view=inline"/);
    expect(picture.attachments).toEqual([]);
    const { id, attachments } = articles.find(({ attachments: files }) => files.length === 2);
    const file = await request(`/ticket_attachment/20/${id}/${attachments[0].id}`);
    expect([await file.text(), attachments[0].size]).toEqual(['Content of invoice 2024 (1).txt\n', '32']);
  });

  it('checks the token, its permissions and the groups of its user', async () => {
    expect((await request('/tickets', 'wrong')).status).toBe(401);
    expect((await fetch(`${sandbox.url}/api/v1/tickets`)).status).toBe(403);
    const agents = sandbox.issueToken('ada@acme.test', ['ticket.agent']);
    expect((await request('/groups', agents)).status).toBe(403);
    expect((await request('/object_manager_attributes', agents)).status).toBe(403);
    expect(await get('/tickets', sandbox.issueToken('ada@acme.test', []))).toEqual([]);
    const ben = sandbox.issueToken('ben', ['ticket.agent']);
    expect(new Set((await get('/tickets', ben)).map(({ group_id }: Json) => group_id))).toEqual(new Set([1]));
    expect((await request('/tickets/1', ben)).status).toBe(403);
  });

  it('returns the texts of answers only where they are requested', async () => {
    const assets = (await (await request('/knowledge_bases/init', token, 'POST')).json()) as Json;
    expect(Object.keys(assets.KnowledgeBaseAnswer)).toHaveLength(12);
    expect(assets.KnowledgeBaseAnswerTranslationContent).toBeUndefined();
    const answer = await get('/knowledge_bases/1/answers/4?full=1&include_contents=401');
    expect(Object.keys(answer.assets.KnowledgeBaseAnswerTranslationContent)).toEqual(['401']);
    const reader = sandbox.issueToken('ada@acme.test', ['knowledge_base.reader']);
    const visible = (await (await request('/knowledge_bases/init', reader, 'POST')).json()) as Json;
    expect(Object.keys(visible.KnowledgeBaseAnswer)).toHaveLength(8);
    expect(sandbox.violations).toEqual([]);
  });
});
