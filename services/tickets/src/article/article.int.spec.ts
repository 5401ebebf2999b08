import {
  addComment,
  articleLimits,
  createArticle,
  createArticleCategory,
  deleteArticle,
  draftArticleFromTicket,
  listArticleRatings,
  listArticles,
  listArticleVersions,
  publishArticle,
  readArticle,
  readArticleVersion,
  restoreArticle,
  unpublishArticle,
  updateArticle,
  type Article,
  type ArticleCategory,
  type ArticleRating,
  type ArticleSummary,
  type ArticleVersion,
  type Context,
  type Operation,
  type TenantContext,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import type { TicketsTx } from '../schema';
import { writeComment } from '../comment/comment.service';
import { getTicketForUpdate } from '../ticket/ticket.service';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => void (tickets = await TicketsUnderTest.start()));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const agent = () => asStaff(organization);
const manager = () => asStaff(organization, 'manager');
const outsider = async () => asStaff(await tickets.anOrganization(), 'admin');
const inOrganization = <T>(work: (tx: TicketsTx) => Promise<T>) => tickets.db.forTenant({ organization_id: organization.id }, work);

const input = { title: 'Refund a payment', body: 'Open **Billing**.' };
const create = (body: object = {}, ctx: Context = agent()) => tickets.call<Article>(createArticle, ctx, { body: { ...input, ...body } });
const anArticle = async (body: object = {}): Promise<Article> => {
  const { status, data } = await create(body);
  expect([status, data.errors]).toEqual([201, undefined]);
  return data;
};
const call = <T = Article>(op: Operation, id: string, body?: object, ctx: Context = manager(), headers: Record<string, string> = {}) =>
  tickets.call<T>(op, ctx, { params: { id }, ...(body && { body }), headers });
const publish = async ({ id, version }: Article): Promise<Article> => {
  const { status, data } = await call(publishArticle, id, { version });
  expect(status).toBe(200);
  return data;
};
const published = async (body: object = {}) => publish(await anArticle(body));
const list = (query: Record<string, string> = {}, ctx: Context = agent()) => tickets.call<ArticleSummary[]>(listArticles, ctx, { query });
const titles = async (query: Record<string, string> = {}) => (await list(query)).data.map(({ title }) => title);
const announced = async () =>
  (await tickets.eventsOf(organization))
    .filter(({ type }) => type.startsWith('article.'))
    .map(({ type, data }) => (type === 'article.changed' ? `changed ${String(data['what'])}` : type));

describe('a draft', () => {
  it('is created with the next number and the defaults, and changed by agents', async () => {
    await tickets.changeSettings(organization, { languages: { default: 'de', offered: ['de'] } });
    const category = (await tickets.call<ArticleCategory>(createArticleCategory, manager(), { body: { name: 'Billing' } })).data;
    const article = await anArticle({ summary: ' ' });
    expect(category.number).toBe(1);
    expect(article).toMatchObject({
      ...input,
      number: 2,
      summary: null,
      language: 'de',
      category_id: null,
      visibility: 'public',
      state: 'draft',
      has_unpublished_changes: false,
      published_title: null,
      latest_version: null,
      updated_by: organization.agent,
      pictures: [],
      version: 1,
    });
    const changed = await call(updateArticle, article.id, { title: 'Refunds', category_id: category.id, visibility: 'internal' }, agent());
    expect(changed.data).toMatchObject({
      title: 'Refunds',
      category_id: category.id,
      visibility: 'internal',
      body: input.body,
      version: 2,
    });
    expect((await call(readArticle, article.id, undefined, agent())).data).toEqual(changed.data);
    expect((await create({}, asToken(organization, 'articles:write'))).data).toMatchObject({ number: 3, updated_by: null });
    expect(await announced()).toEqual([]);
  });

  it('stays as it is if nothing changes', async () => {
    const article = await anArticle();
    expect((await call(updateArticle, article.id, { title: article.title, summary: null })).data).toEqual(article);
  });

  it('is changed with If-Match only in the version that was read', async () => {
    const article = await anArticle();
    const tag = (await call(readArticle, article.id)).headers.get('etag')!;
    expect((await call(updateArticle, article.id, { title: 'A' }, agent(), { 'if-match': tag })).status).toBe(200);
    expect(await call(updateArticle, article.id, { title: 'B' }, agent(), { 'if-match': tag })).toMatchObject({
      status: 412,
      data: { code: 'request.precondition_failed' },
    });
    const both = await Promise.all(['C', 'D'].map((title) => call(updateArticle, article.id, { title }, agent(), { 'if-match': '"2"' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('has an entity tag that changes with its figures', async () => {
    const article = await published();
    const tag = async () => (await call(readArticle, article.id)).headers.get('etag');
    const before = await tag();
    const use = { organization_id: organization.id, article_id: article.id, day: '2026-11-27', views: 3 };
    await inOrganization((tx) => tx.insertInto('article_uses').values(use).execute());
    expect(await tag()).not.toBe(before);
    expect((await call(readArticle, article.id)).data.views).toBe(3);
  });

  it.each<[string, object, string]>([
    ['without a title', { title: ' ' }, 'title'],
    ['with a long title', { title: 'x'.repeat(articleLimits.title + 1) }, 'title'],
    ['with a long text', { body: 'x'.repeat(articleLimits.body + 1) }, 'body'],
    ['in an unknown language', { language: 'xx' }, 'language'],
    ['with an unknown visibility', { visibility: 'secret' }, 'visibility'],
    ['with an unknown member', { colour: 'red' }, 'colour'],
  ])('is refused %s', async (_, body, path) => {
    const article = await anArticle();
    for (const answer of [await create(body), await call(updateArticle, article.id, body)])
      expect([answer.status, answer.data.errors?.[0]?.path]).toEqual([422, path]);
  });

  it('is refused in a category that does not exist, or of another organization', async () => {
    const other = await tickets.call<ArticleCategory>(createArticleCategory, await outsider(), { body: { name: 'Theirs' } });
    const article = await anArticle();
    for (const category_id of [newId(), other.data.id])
      for (const answer of [await create({ category_id }), await call(updateArticle, article.id, { category_id })])
        expect(answer).toMatchObject({ status: 404, data: { code: 'article_category.not_found' } });
  });

  it('is refused beyond the limit, also by two requests at the same time; deleted ones count', async () => {
    const deleted = await anArticle();
    await inOrganization((tx) =>
      sql`insert into articles (organization_id, id, number, title, body, language, visibility, created_at, updated_at, version)
        select organization_id, gen_random_uuid(), n, title, body, language, visibility, created_at, updated_at, 1
        from articles, generate_series(2, ${articleLimits.articles - 1}::int) n`.execute(tx),
    );
    await inOrganization((tx) => sql`update article_counters set last_number = ${articleLimits.articles}`.execute(tx));
    await call(deleteArticle, deleted.id);
    const both = await Promise.all([create(), create()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)?.data.code).toBe('article.too_many');
  });

  it('is created once for one idempotency key', async () => {
    const request = () => tickets.call<Article>(createArticle, agent(), { body: input, headers: { 'idempotency-key': 'same-key-1' } });
    const [first, second] = [await request(), await request()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.data.id).toBe(first.data.id);
  });
});

describe('publishing', () => {
  it('adds a version, which stays while the draft changes, and is announced', async () => {
    const first = await published();
    expect(first).toMatchObject({ state: 'published', latest_version: 1, published_title: input.title, has_unpublished_changes: false });
    const { data: changed } = await call(updateArticle, first.id, { title: 'Refunds', body: 'New' }, agent());
    expect(changed).toMatchObject({ title: 'Refunds', published_title: input.title, has_unpublished_changes: true });
    const second = await publish(changed);
    expect(second).toMatchObject({ published_title: 'Refunds', latest_version: 2, has_unpublished_changes: false });
    const versions = await call<ArticleVersion[]>(listArticleVersions, first.id);
    expect(versions.data.map(({ number, title, published_by }) => [number, title, published_by])).toEqual([
      [2, 'Refunds', organization.manager],
      [1, input.title, organization.manager],
    ]);
    const old = await tickets.call(readArticleVersion, agent(), { params: { id: first.id, number: '1' } });
    expect(old.data).toMatchObject({ number: 1, ...input, summary: null, language: 'en', published_at: first.published_at });
    expect(await announced()).toEqual(['changed published', 'article.published', 'changed published', 'article.published']);
  });

  it('is refused for an empty text, a deleted article, and a draft that was changed since it was read', async () => {
    const empty = await anArticle({ body: ' \n ' });
    expect(await call(publishArticle, empty.id, { version: 1 })).toMatchObject({ status: 409, data: { code: 'article.empty' } });
    const article = await anArticle();
    await call(updateArticle, article.id, { body: 'Newer' });
    expect(await call(publishArticle, article.id, { version: 1 })).toMatchObject({ status: 409, data: { code: 'article.changed' } });
    expect((await call(publishArticle, article.id, {})).status).toBe(422);
    await call(deleteArticle, article.id);
    expect(await call(publishArticle, article.id, { version: 3 })).toMatchObject({ status: 404, data: { code: 'article.not_found' } });
  });

  it('publishes exactly one of several concurrent requests, and never the text of a concurrent edit that it did not read', async () => {
    const article = await anArticle();
    const requests = [1, 2, 3].map(() => call(publishArticle, article.id, { version: 1 }));
    const edit = call(updateArticle, article.id, { body: 'Edited' }, agent());
    const answers = await Promise.all(requests);
    await edit;
    expect(answers.filter(({ status, data }) => status === 409 && data.code !== 'article.changed')).toEqual([]);
    const winners = answers.filter(({ status }) => status === 200);
    const { data: versions } = await call<ArticleVersion[]>(listArticleVersions, article.id);
    expect([versions.length, winners.length <= 1]).toEqual([winners.length, true]);
    for (const { number } of versions) {
      const read = await tickets.call(readArticleVersion, agent(), { params: { id: article.id, number: String(number) } });
      expect(read.data).toMatchObject({ body: input.body });
    }
  });

  it('adds no version if the draft does not differ from the published one', async () => {
    const article = await published();
    expect(await publish(article)).toEqual(article);
    expect(await announced()).toEqual(['changed published', 'article.published']);
  });

  it('keeps the latest 100 versions', async () => {
    let article = await anArticle();
    for (let i = 1; i <= articleLimits.versions + 1; i += 1) {
      article = await publish((await call(updateArticle, article.id, { body: `Text ${i}` })).data);
    }
    const { data: versions } = await call<ArticleVersion[]>(listArticleVersions, article.id);
    expect([versions.length, versions[0]!.number, versions.at(-1)!.number]).toEqual([100, 101, 2]);
    const read = (number: string) => tickets.call(readArticleVersion, agent(), { params: { id: article.id, number } });
    expect((await read('2')).status).toBe(200);
    expect(await read('1')).toMatchObject({ status: 404, data: { code: 'article.version_not_found' } });
    expect((await read('x')).status).toBe(422);
  });

  it('ends with unpublishing, which keeps the versions; the next version has the next number', async () => {
    const article = await published();
    const { data } = await call(unpublishArticle, article.id);
    expect(data).toMatchObject({ state: 'draft', published_title: null, published_at: null, latest_version: 1 });
    expect((await call(unpublishArticle, article.id)).data).toEqual(data);
    expect(await publish(data)).toMatchObject({ state: 'published', latest_version: 2 });
    expect(await announced()).toEqual([
      'changed published',
      'article.published',
      'changed unpublished',
      'article.unpublished',
      'changed published',
      'article.published',
    ]);
  });
});

it('announces that the help pages no longer show a published article, or show it again, when its visibility changes', async () => {
  const [shown, draft] = [await published(), await anArticle()];
  for (const { id } of [shown, draft]) for (const visibility of ['internal', 'public']) await call(updateArticle, id, { visibility });
  expect((await announced()).slice(2)).toEqual(['article.unpublished', 'article.published']);
});

describe('deleting', () => {
  it('hides an article until it is restored as it was, and announces what readers see', async () => {
    const [shown, draft] = [await published(), await anArticle({ title: 'Draft' })];
    for (const { id } of [shown, draft]) expect((await call(deleteArticle, id)).status).toBe(200);
    expect(await titles()).toEqual([]);
    expect(await titles({ deleted: 'true' })).toEqual(['Draft', input.title]);
    for (const op of [deleteArticle, unpublishArticle]) expect((await call(op, shown.id)).status).toBe(404);
    expect((await call(updateArticle, shown.id, { title: 'X' })).status).toBe(404);
    expect((await call(readArticle, shown.id)).data.deleted_at).not.toBeNull();
    const { data } = await call(restoreArticle, shown.id);
    expect(data).toMatchObject({ state: 'published', deleted_at: null, latest_version: 1 });
    expect((await call(restoreArticle, shown.id)).data).toEqual(data);
    expect((await call(restoreArticle, draft.id)).data).toMatchObject({ state: 'draft', deleted_at: null });
    expect(await announced()).toEqual([
      'changed published',
      'article.published',
      'changed deleted',
      'article.unpublished',
      'changed deleted',
      'changed restored',
      'article.published',
      'changed restored',
    ]);
  });

  it('cannot be undone after 30 days', async () => {
    const article = await anArticle();
    await call(deleteArticle, article.id);
    const age = (days: number) =>
      inOrganization((tx) => sql`update articles set deleted_at = now() - make_interval(days => ${days})`.execute(tx));
    await age(31);
    expect(await call(restoreArticle, article.id)).toMatchObject({ status: 404, data: { code: 'article.not_found' } });
    await age(29);
    expect((await call(restoreArticle, article.id)).status).toBe(200);
  });
});

describe('access', () => {
  const operations: [Operation, object?][] = [
    [readArticle],
    [updateArticle, { title: 'X' }],
    [publishArticle, { version: 1 }],
    [unpublishArticle],
    [deleteArticle],
    [restoreArticle],
    [listArticleVersions],
    [listArticleRatings],
  ];

  it('ends at the organization', async () => {
    const article = await anArticle();
    const other = await outsider();
    for (const [op, body] of operations)
      expect([op.name, await call(op, article.id, body, other)]).toMatchObject([
        op.name,
        { status: 404, data: { code: 'article.not_found' } },
      ]);
    const version = await tickets.call(readArticleVersion, other, { params: { id: article.id, number: '1' } });
    expect(version).toMatchObject({ status: 404, data: { code: 'article.not_found' } });
    expect((await list({}, other)).data).toEqual([]);
    expect((await list({ q: 'refund' }, other)).data).toEqual([]);
    expect((await call(readArticle, 'x')).status).toBe(422);
  });

  it('lets agents write drafts, and managers and admins decide what readers see', async () => {
    const article = await anArticle();
    for (const [op, body] of operations.slice(2, 6))
      expect([op.name, (await call(op, article.id, body, agent())).status]).toEqual([op.name, 403]);
    const shown = await publish(article);
    const update = (ctx: Context, body: object) => call(updateArticle, shown.id, body, ctx);
    expect((await update(agent(), { visibility: 'internal' })).data.code).toBe('permission.denied');
    expect((await update(agent(), { visibility: 'public', title: 'Refunds' })).status).toBe(200);
    expect((await update(manager(), { visibility: 'internal' })).data.visibility).toBe('internal');
    expect((await update(asToken(organization, 'articles:write'), { visibility: 'public' })).status).toBe(200);
  });

  it('needs a session or a token with the permission', async () => {
    const article = await anArticle();
    expect((await list({}, asCustomer(organization.id))).status).toBe(401);
    expect((await create({}, asCustomer(organization.id))).status).toBe(401);
    expect((await create({}, asToken(organization, 'articles:read'))).status).toBe(403);
    expect((await list({}, asToken(organization, 'tickets:read'))).status).toBe(403);
    expect((await list({}, asToken(organization, 'articles:read'))).data).toHaveLength(1);
    expect((await call(publishArticle, article.id, { version: 1 }, asToken(organization, 'articles:write'))).status).toBe(200);
  });
});

describe('the list', () => {
  it('has the latest changed first, in pages, without texts', async () => {
    for (const title of ['A', 'B', 'C']) await anArticle({ title });
    const first = await list({ limit: '2' });
    expect(first.data.map(({ title }) => title)).toEqual(['C', 'B']);
    expect(first.data[0]).not.toHaveProperty('body');
    expect(first.pagination).toMatchObject({ total: 3, page: 1 });
    expect(await titles({ limit: '2', cursor: first.pagination.next_cursor! })).toEqual(['A']);
    expect(await titles({ limit: '2', page: '2' })).toEqual(['A']);
    expect((await list({ cursor: 'x' })).status).toBe(422);
  });

  it('is filtered by state, visibility and category', async () => {
    const category = (await tickets.call<ArticleCategory>(createArticleCategory, manager(), { body: { name: 'Billing' } })).data;
    await published({ title: 'Published' });
    await anArticle({ title: 'Internal', visibility: 'internal' });
    await anArticle({ title: 'Filed', category_id: category.id });
    const searches: Record<string, string>[] = [{}, { q: 'billing' }];
    for (const q of searches) {
      expect(await titles({ ...q, state: 'published' })).toEqual(['Published']);
      expect(await titles({ ...q, state: 'draft' })).toEqual(['Filed', 'Internal']);
      expect(await titles({ ...q, visibility: 'internal' })).toEqual(['Internal']);
      expect(await titles({ ...q, category_id: category.id })).toEqual(['Filed']);
      expect(await titles({ ...q, category_id: 'none' })).toEqual(['Internal', 'Published']);
    }
    for (const [name, value] of [
      ['state', 'x'],
      ['category_id', 'x'],
      ['colour', 'red'],
    ] as const)
      expect([name, (await list({ [name]: value })).status]).toEqual([name, 422]);
  });

  it('searches drafts and internal articles by parts of words in any case, with titles first', async () => {
    await anArticle({ title: 'Password', body: 'How to reset it' });
    await anArticle({ title: 'Sign in', summary: 'With a PASSWORD', visibility: 'internal' });
    await anArticle({ title: '請求書', body: '返金について' });
    await anArticle({ title: '100% off_er', body: 'x' });
    expect(await titles({ q: 'passw' })).toEqual(['Password', 'Sign in']);
    expect(await titles({ q: 'RESET passw' })).toEqual(['Password']);
    expect(await titles({ q: '返金' })).toEqual(['請求書']);
    expect(await titles({ q: '0% off_' })).toEqual(['100% off_er']);
    expect(await titles({ q: 'nothing' })).toEqual([]);
    expect(await titles({ q: "it's \\ %" })).toEqual([]);
    expect(await titles({ q: '  ' })).toHaveLength(4);
  });

  it('searches what was changed last, but not what was deleted', async () => {
    const article = await anArticle({ body: 'before' });
    await call(updateArticle, article.id, { body: 'afterwards' });
    expect([await titles({ q: 'before' }), await titles({ q: 'afterw' })]).toEqual([[], [input.title]]);
    await call(deleteArticle, article.id);
    expect([await titles({ q: 'afterw' }), await titles({ q: 'afterw', deleted: 'true' })]).toEqual([[], [input.title]]);
  });

  it('continues a search by cursor', async () => {
    for (const title of ['Refund 1', 'Other', 'Refund 2']) await anArticle({ title, body: 'refund' });
    const seen: string[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
      const { data, pagination } = await list({ q: 'refund', limit: '1', ...(cursor && { cursor }) });
      expect(pagination.total).toBe(3);
      seen.push(...data.map(({ title }) => title));
      cursor = pagination.next_cursor;
    }
    expect(seen).toEqual(['Refund 2', 'Refund 1', 'Other']);
  });
});

describe('ratings', () => {
  it('with a remark are listed, the latest first, and all are counted', async () => {
    const article = await published();
    const rating = (reader: string, helpful: boolean, remark: string | null, rated_at: string) => ({
      ...{
        organization_id: organization.id,
        article_id: article.id,
        reader,
        helpful,
        remark,
        version: 1,
        rated_at,
        day: rated_at.slice(0, 10),
      },
    });
    const rows = [
      rating('a', true, 'Good', '2026-11-01T00:00:00.000Z'),
      rating('b', false, 'Bad', '2026-11-02T00:00:00.000Z'),
      rating('c', true, null, '2026-11-03T00:00:00.000Z'),
    ];
    await inOrganization((tx) => tx.insertInto('article_ratings').values(rows).execute());
    const first = await tickets.call<ArticleRating[]>(listArticleRatings, agent(), { params: { id: article.id }, query: { limit: '1' } });
    expect(first.data).toEqual([{ helpful: false, remark: 'Bad', version: 1, rated_at: '2026-11-02T00:00:00.000Z' }]);
    const cursor = first.pagination.next_cursor!;
    const second = await tickets.call<ArticleRating[]>(listArticleRatings, agent(), { params: { id: article.id }, query: { cursor } });
    expect(second.data.map(({ remark }) => remark)).toEqual(['Good']);
    expect((await call(readArticle, article.id)).data).toMatchObject({ helpful: 2, not_helpful: 1 });
  });
});

describe('an article from a ticket', () => {
  const draft = (id: string, ctx: Context = agent()) => call(draftArticleFromTicket, id, undefined, ctx);

  it('contains the question and the public replies of the team, and is internal', async () => {
    const ticket = await tickets.aTicket(organization, { language: 'fr', description: 'It burns. Carla' });
    const comment = (content: string, is_internal = false) =>
      tickets.call(addComment, agent(), { params: { id: ticket.id }, body: { content, is_internal } });
    await comment('Hi Carla, pull the plug.');
    await comment('Carla is angry', true);
    const system = { organization_id: organization.id, actor: { type: 'customer' }, request_id: 'test' } as TenantContext;
    await inOrganization(async (tx) => {
      const author = { customer_email: 'carla@example.com' };
      await writeComment(
        tx,
        system,
        await getTicketForUpdate(tx, ticket.id),
        { content: 'No.', is_internal: false, author },
        new Date().toISOString(),
      );
    });
    await comment('Done, carla@example.com.');
    const { status, data } = await draft(ticket.id);
    expect(status).toBe(201);
    expect(data).toMatchObject({
      title: 'The printer is on fire',
      body: '> It burns.\n\nHi, pull the plug.\n\nDone, ….',
      language: 'fr',
      visibility: 'internal',
      state: 'draft',
      ticket_id: ticket.id,
      updated_by: organization.agent,
    });
  });

  it('is created once, also by two requests at the same time, until it is deleted', async () => {
    const ticket = await tickets.aTicket(organization);
    const both = await Promise.all([draft(ticket.id), draft(ticket.id)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const [first, second] = both;
    expect(first.data.id).toBe(second.data.id);
    await call(deleteArticle, first.data.id);
    const again = await draft(ticket.id);
    expect(again.data.id).not.toBe(first.data.id);
    expect(again.data.language).toBe('en');
  });

  it('needs a ticket of the organization', async () => {
    const ticket = await tickets.aTicket(organization);
    expect(await draft(newId())).toMatchObject({ status: 404, data: { code: 'ticket.not_found' } });
    expect(await draft(ticket.id, await outsider())).toMatchObject({ status: 404, data: { code: 'ticket.not_found' } });
    expect((await draft(ticket.id, asToken(organization, 'tickets:write'))).status).toBe(403);
  });
});
