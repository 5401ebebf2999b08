import {
  articleLimits,
  createArticle,
  createArticleCategory,
  deleteArticle,
  deleteArticleCategory,
  listArticleCategories,
  orderArticleCategories,
  readArticle,
  updateArticleCategory,
  type Article,
  type ArticleCategory,
  type Context,
  type Operation,
} from '@tandem/contracts';
import { asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => void (tickets = await TicketsUnderTest.start()));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const agent = () => asStaff(organization);
const manager = () => asStaff(organization, 'manager');
const create = (body: object, ctx: Context = manager()) => tickets.call<ArticleCategory>(createArticleCategory, ctx, { body });
const aCategory = async (name: string): Promise<ArticleCategory> => {
  const { status, data } = await create({ name });
  expect(status).toBe(201);
  return data;
};
const call = <T = ArticleCategory>(op: Operation, id: string, body?: object, ctx: Context = manager()) =>
  tickets.call<T>(op, ctx, { params: { id }, ...(body && { body }) });
const order = (ids: string[], ctx: Context = manager()) => tickets.call<ArticleCategory[]>(orderArticleCategories, ctx, { body: { ids } });
const list = async (ctx: Context = agent()) => (await tickets.call<ArticleCategory[]>(listArticleCategories, ctx)).data;
const names = async () => (await list()).map(({ position, name }) => `${position} ${name}`);
const anArticle = async (category_id: string) =>
  (await tickets.call<Article>(createArticle, agent(), { body: { title: 'Refund', category_id } })).data;
const changes = async () =>
  (await tickets.eventsOf(organization)).filter(({ type }) => type === 'article_category.changed').map(({ data }) => data);

it('are created, changed, ordered and deleted, each announced for the audit log', async () => {
  const [billing, orders] = [await aCategory('Billing'), await aCategory('Orders')];
  expect(billing).toMatchObject({ number: 1, position: 1, description: null, article_count: 0 });
  expect((await call(updateArticleCategory, billing.id, { description: 'Invoices' })).data).toMatchObject({
    name: 'Billing',
    description: 'Invoices',
  });
  expect((await order([orders.id, billing.id])).data.map(({ name }) => name)).toEqual(['Orders', 'Billing']);
  expect((await call(deleteArticleCategory, orders.id)).status).toBe(200);
  expect(await names()).toEqual(['1 Billing']);
  expect((await aCategory('More')).number).toBe(3);
  expect((await changes()).map(({ what, changes: changed }) => [what, changed])).toEqual([
    ['created', {}],
    ['created', {}],
    ['updated', { description: { from: null, to: 'Invoices' } }],
    ['reordered', { order: { from: ['Billing', 'Orders'], to: ['Orders', 'Billing'] } }],
    ['deleted', {}],
    ['created', {}],
  ]);
});

it('stay without an event if nothing changes', async () => {
  const category = await aCategory('Billing');
  expect((await call(updateArticleCategory, category.id, { name: 'Billing' })).data).toEqual(category);
  expect((await order([category.id])).data).toEqual([category]);
  expect(await changes()).toHaveLength(1);
});

it('leave their articles without a category when they are deleted', async () => {
  const category = await aCategory('Billing');
  const [article, deleted] = [await anArticle(category.id), await anArticle(category.id)];
  await call(deleteArticle, deleted.id);
  expect((await list())[0]!.article_count).toBe(1);
  await call(deleteArticleCategory, category.id);
  expect((await call<Article>(readArticle, article.id)).data).toMatchObject({ category_id: null, version: 1 });
});

it.each<[string, object, string]>([
  ['without a name', { name: ' ' }, 'name'],
  ['with a long name', { name: 'x'.repeat(articleLimits.categoryName + 1) }, 'name'],
  ['with a long description', { name: 'A', description: 'x'.repeat(articleLimits.categoryDescription + 1) }, 'description'],
  ['with an unknown member', { name: 'A', colour: 'red' }, 'colour'],
])('are refused %s', async (_, body, path) => {
  const category = await aCategory('Billing');
  for (const { status, data } of [await create(body), await call(updateArticleCategory, category.id, body)])
    expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
});

it('have different names, in any case', async () => {
  const [billing, orders] = [await aCategory('Billing'), await aCategory('Orders')];
  const taken = { status: 409, data: { code: 'article_category.name_taken' } };
  expect(await create({ name: 'BILLING' })).toMatchObject(taken);
  expect(await call(updateArticleCategory, orders.id, { name: 'billing' })).toMatchObject(taken);
  expect((await call(updateArticleCategory, billing.id, { name: 'BILLING' })).data.name).toBe('BILLING');
  const both = await Promise.all([create({ name: 'Both' }), create({ name: 'both' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
});

it('have a maximum number, also for two requests at the same time', async () => {
  for (let i = 1; i < articleLimits.categories; i += 1) await aCategory(`C${i}`);
  const both = await Promise.all([create({ name: 'A' }), create({ name: 'B' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)!.data.code).toBe('article_category.too_many');
});

it('cannot be ordered without one of them, or with one twice', async () => {
  const [a, b] = [await aCategory('A'), await aCategory('B')];
  for (const ids of [[a.id], [a.id, a.id], [a.id, b.id, b.id], []])
    expect(await order(ids)).toMatchObject({ status: 409, data: { code: 'article_category.order_incomplete' } });
  expect((await order(['x'])).status).toBe(422);
});

it('belong to one organization, and only managers, admins and their tokens change them', async () => {
  const category = await aCategory('Billing');
  const other = asStaff(await tickets.anOrganization(), 'admin');
  expect(await list(other)).toEqual([]);
  for (const op of [updateArticleCategory, deleteArticleCategory]) {
    const body = op === updateArticleCategory ? { name: 'X' } : undefined;
    expect(await call(op, category.id, body, other)).toMatchObject({ status: 404, data: { code: 'article_category.not_found' } });
    expect((await call(op, category.id, body, agent())).status).toBe(403);
  }
  expect((await order([category.id], other)).status).toBe(409);
  expect((await order([category.id], agent())).status).toBe(403);
  expect((await create({ name: 'X' }, agent())).status).toBe(403);
  expect((await create({ name: 'X' }, asToken(organization, 'articles:read'))).status).toBe(403);
  expect((await create({ name: 'X' }, asToken(organization, 'articles:write'))).status).toBe(201);
  expect(await names()).toEqual(['1 Billing', '2 X']);
});
