import { setTimeout as pause } from 'node:timers/promises';
import {
  createArticle,
  createArticleCategory,
  deleteArticle,
  listHelpPages,
  publishArticle,
  rateArticle,
  readArticleInWidget,
  readHelpCategory,
  readHelpCenter,
  readHelpReport,
  readPublicArticle,
  recordHelpUse,
  recordHelpUseInWidget,
  searchArticles,
  searchArticlesInWidget,
  unpublishArticle,
  updateArticle,
  type Article,
  type ArticleCategory,
  type ArticleMatch,
  type Context,
  type HelpCenter,
  type HelpReport,
  type Operation,
  type OutputOf,
  type PublicArticle,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import type { TicketsTx } from '../schema';
import { HelpWorker } from './help.worker';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
// Without jobs, so that only the tests run the sweep.
beforeAll(async () => void (tickets = await TicketsUnderTest.start({ RUN: 'http' })));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const admin = () => asStaff(organization, 'admin');
const reader = () => asCustomer(organization.id);
const staff = async <T = Article>(op: Operation, id: string, body?: object): Promise<T> => {
  const answer = await tickets.call<T>(op, admin(), { params: { id }, ...(body && { body }) });
  expect(answer.status).toBe(200);
  return answer.data;
};
const draft = async (body: object = {}) =>
  (await tickets.call<Article>(createArticle, admin(), { body: { title: 'Refund a payment', body: 'Zebra', language: 'en', ...body } }))
    .data;
const publish = ({ id, version }: Article) => staff(publishArticle, id, { version });
const anArticle = async (body: object = {}) => publish(await draft(body));
const aCategory = async (name: string) =>
  (await tickets.call<ArticleCategory>(createArticleCategory, admin(), { body: { name, description: null } })).data;
const home = async (query = {}, ctx: Context = reader()) => (await tickets.call<HelpCenter>(readHelpCenter, ctx, { query })).data;
const pages = async () => (await tickets.call<OutputOf<typeof listHelpPages>>(listHelpPages, reader())).data;
const read = (number: number, ctx: Context = reader()) =>
  tickets.call<PublicArticle>(readPublicArticle, ctx, { params: { number: String(number) } });
const readInWidget = (number: number, ctx: Context = reader()) =>
  tickets.call<PublicArticle>(readArticleInWidget, ctx, { params: { number: String(number) }, query: { organization: 'acme' } });
const categoryPage = (number: number, query = {}, ctx: Context = reader()) =>
  tickets.call<OutputOf<typeof readHelpCategory>>(readHelpCategory, ctx, { params: { number: String(number) }, query });
const search = async (q: string, ctx: Context = reader()) =>
  (await tickets.call<ArticleMatch[]>(searchArticles, ctx, { query: { q } })).data;
const use = (body: object, ctx: Context = reader()) => tickets.call(recordHelpUse, ctx, { body });
const rate = (number: number, body: object = {}, ctx: Context = reader()) =>
  tickets.call(rateArticle, ctx, { params: { number: String(number) }, body: { helpful: true, reader: 'reader-0123456789', ...body } });
const inOrganization = <T>(work: (tx: TicketsTx) => Promise<T>) => tickets.db.forTenant({ organization_id: organization.id }, work);
const uses = () => inOrganization((tx) => tx.selectFrom('article_uses').select(['views', 'suggestions_opened', 'solved']).execute());
const days = () => inOrganization((tx) => tx.selectFrom('help_days').selectAll().orderBy('day').execute());
const searches = () =>
  inOrganization((tx) => tx.selectFrom('help_searches').select(['query', 'times', 'without_result']).orderBy('query').execute());
const ratings = () => inOrganization((tx) => tx.selectFrom('article_ratings').select(['reader', 'helpful', 'remark', 'version']).execute());

describe('readers see an article', () => {
  it('as it was published, not its draft', async () => {
    const article = await anArticle({ summary: 'How to get money back', body: 'First' });
    await staff(updateArticle, article.id, { title: 'Unfinished', body: 'Secret' });
    const { status, data } = await read(article.number);
    expect([status, data]).toEqual([
      200,
      {
        number: article.number,
        title: 'Refund a payment',
        summary: 'How to get money back',
        language: 'en',
        body: 'First',
        category: null,
        pictures: [],
        first_published_at: article.published_at,
        published_at: article.published_at,
        related: [],
      },
    ]);
    expect((await readInWidget(article.number)).data).toEqual(data);
    expect(await search('secret')).toEqual([]);
    expect((await search('first')).map(({ number }) => number)).toEqual([article.number]);
  });

  it('in a new version as soon as it is published', async () => {
    const article = await anArticle({ body: 'Giraffe' });
    await publish(await staff(updateArticle, article.id, { title: 'Get a refund', body: 'Lion' }));
    expect((await read(article.number)).data).toMatchObject({ title: 'Get a refund', body: 'Lion' });
    expect([await search('giraffe'), (await search('lion')).map(({ title }) => title)]).toEqual([[], ['Get a refund']]);
  });

  it('with others of its category and language, the most viewed first', async () => {
    const [category_id, other] = [(await aCategory('Payments')).id, (await aCategory('Other')).id];
    const article = await anArticle({ category_id });
    const titles = ['B', 'A', 'C', 'D', 'E'];
    const numbers = [];
    for (const title of titles) numbers.push((await anArticle({ title, category_id })).number);
    await anArticle({ title: 'German', language: 'de', category_id });
    await anArticle({ title: 'Elsewhere', category_id: other });
    await anArticle({ title: 'Internal', category_id, visibility: 'internal' });
    await use({ type: 'view', number: numbers[4] });
    const { data } = await read(article.number);
    expect([data.category?.name, data.related.map(({ title }) => title)]).toEqual(['Payments', ['E', 'A', 'B', 'C']]);
  });
});

describe('what is not published for everybody', () => {
  const hidden: [string, () => Promise<Article>][] = [
    ['a draft', () => draft({ category_id: category.id })],
    ['an internal article', () => anArticle({ visibility: 'internal', category_id: category.id })],
    ['an article that was made internal', async () => staff(updateArticle, (await ofCategory()).id, { visibility: 'internal' })],
    ['an unpublished article', async () => staff(unpublishArticle, (await ofCategory()).id)],
    ['a deleted article', async () => { const article = await ofCategory(); await staff(deleteArticle, article.id); return article; }],
  ]; // prettier-ignore
  let category: ArticleCategory;
  const ofCategory = () => anArticle({ category_id: category.id });

  it.each(hidden)('%s appears in no public operation, not even for members and tokens', async (_, create) => {
    category = await aCategory('Payments');
    const { number } = await create();
    for (const ctx of [reader(), admin(), asToken(organization, 'articles:read', 'articles:write')]) {
      expect(await read(number, ctx)).toMatchObject({ status: 404, data: { code: 'article.not_found' } });
      expect((await readInWidget(number, ctx)).status).toBe(404);
      expect((await rate(number, {}, ctx)).status).toBe(404);
      expect(await home({}, ctx)).toEqual({ article_count: 0, categories: [], popular: [] });
      expect((await categoryPage(category.number, {}, ctx)).data.articles).toEqual([]);
      expect(await search('refund zebra', ctx)).toEqual([]);
      const query = { q: 'zebra', organization: 'acme' };
      expect((await tickets.call<ArticleMatch[]>(searchArticlesInWidget, ctx, { query })).data).toEqual([]);
      expect((await use({ type: 'view', number }, ctx)).status).toBe(202);
    }
    expect(await pages()).toEqual({ articles: [], categories: [] });
    expect([await uses(), await ratings()]).toEqual([[], []]);
  });

  it('includes the articles of other organizations', async () => {
    category = await aCategory('Payments');
    const { number } = await ofCategory();
    const other = await tickets.anOrganization();
    const ctx = asCustomer(other.id);
    expect([(await read(number, ctx)).status, (await readInWidget(number, ctx)).status, (await rate(number, {}, ctx)).status]).toEqual([404, 404, 404]); // prettier-ignore
    expect(await categoryPage(category.number, {}, ctx)).toMatchObject({ status: 404, data: { code: 'article_category.not_found' } });
    expect([(await home({}, ctx)).article_count, await search('zebra', ctx)]).toEqual([0, []]);
    await use({ type: 'view', number }, ctx);
    expect(await uses()).toEqual([]);
    expect((await search('zebra')).length).toBe(1);
  });
});

describe('the home of the help pages', () => {
  it('lists a viewed article no longer as soon as it is internal, although the most viewed ones are kept for a while', async () => {
    const [first, second] = [await anArticle({ title: 'First' }), await anArticle({ title: 'Second' })];
    for (const { number } of [first, first, second]) await use({ type: 'view', number });
    const popular = async () => (await home()).popular.map(({ title }) => title);
    expect(await popular()).toEqual(['First', 'Second']);
    await staff(updateArticle, first.id, { visibility: 'internal' });
    expect(await popular()).toEqual(['Second']);
  });

  it('lists categories in their order with their first articles, and the most viewed ones', async () => {
    const [payments, accounts] = [await aCategory('Payments'), await aCategory('Accounts')];
    await aCategory('Empty');
    for (const title of ['f', 'B', 'a', 'd', 'C', 'e']) await anArticle({ title, category_id: accounts.id });
    await anArticle({ title: 'Loose' });
    const viewed = await anArticle({ title: 'Pay', category_id: payments.id });
    await use({ type: 'view', number: viewed.number });
    const { article_count, categories, popular } = await home();
    expect(article_count).toBe(8);
    expect(categories.map(({ category, article_count: count, articles }) => [category?.name, count, articles.map(({ title }) => title)])).toEqual([
      ['Payments', 1, ['Pay']],
      ['Accounts', 6, ['a', 'B', 'C', 'd', 'e']],
      [undefined, 1, ['Loose']],
    ]); // prettier-ignore
    expect(popular).toEqual([{ number: viewed.number, title: 'Pay', summary: null, language: 'en' }]);
    expect((await categoryPage(accounts.number)).data.articles.map(({ title }) => title)).toEqual(['a', 'B', 'C', 'd', 'e', 'f']);
    expect(await pages()).toEqual({
      articles: expect.arrayContaining([{ number: viewed.number, title: 'Pay', published_at: viewed.published_at }]),
      categories: [payments, accounts].map(({ number, name }) => ({ number, name })),
    });
  });

  it('shows the language of the reader, and all languages if there is no article in it', async () => {
    const { id: category_id, number } = await aCategory('Payments');
    await anArticle({ title: 'Refund', category_id });
    await anArticle({ title: 'Erstattung', language: 'de', category_id });
    const titlesIn = async (query: object) => [
      (await home(query)).categories.flatMap(({ articles }) => articles.map(({ title }) => title)),
      (await categoryPage(number, query)).data.articles.map(({ title }) => title),
    ];
    expect(await titlesIn({ language: 'de' })).toEqual([['Erstattung'], ['Erstattung']]);
    expect(await titlesIn({ language: 'fr' })).toEqual([
      ['Erstattung', 'Refund'],
      ['Erstattung', 'Refund'],
    ]);
    expect(await titlesIn({})).toEqual([
      ['Erstattung', 'Refund'],
      ['Erstattung', 'Refund'],
    ]);
  });
});

describe('uses', () => {
  it('are counted per article, also in the widget', async () => {
    const { number } = await anArticle();
    for (const type of ['view', 'view', 'suggestion_opened', 'solved']) expect((await use({ type, number })).status).toBe(202);
    await tickets.call(recordHelpUseInWidget, reader(), { query: { organization: 'acme' }, body: { type: 'view', number } });
    expect(await uses()).toEqual([{ views: 3, suggestions_opened: 1, solved: 1 }]);
  });

  it('count all concurrent views', async () => {
    const { number } = await anArticle();
    await Promise.all(Array.from({ length: 20 }, () => use({ type: 'view', number })));
    expect(await uses()).toMatchObject([{ views: 20 }]);
  });

  it('do not wait while a counter is locked', async () => {
    const { number } = await anArticle();
    await use({ type: 'view', number });
    await inOrganization(async (tx) => {
      await tx.selectFrom('article_uses').select('views').forUpdate().execute();
      const start = performance.now();
      expect((await use({ type: 'view', number })).status).toBe(202);
      expect(performance.now() - start).toBeLessThan(2_000);
    });
    expect(await uses()).toMatchObject([{ views: 1 }]);
  });

  it('count searches without regard to case, and leave out personal data', async () => {
    for (const [query, results] of [['Refund ', 2], ['refund', 0], ['carla@example.com', 0], ['card 4111 1111 1111 1111', 0]] as const)
      expect((await use({ type: 'search', query, results })).status).toBe(202); // prettier-ignore
    expect(await searches()).toEqual([{ query: 'refund', times: 2, without_result: 1 }]);
  });

  it('store at most 1,000 different searches of a day', async () => {
    await use({ type: 'search', query: 'known', results: 1 });
    await inOrganization((tx) =>
      sql`insert into help_searches select organization_id, day, 'q' || n, 1, 0 from help_searches, generate_series(1, 999) n`.execute(tx),
    );
    await use({ type: 'search', query: 'new', results: 1 });
    await use({ type: 'search', query: 'known', results: 1 });
    const found = await searches();
    expect([found.length, found.find(({ query }) => query === 'known')?.times]).toEqual([1_000, 2]);
  });

  it.each([
    [{ type: 'view' }],
    [{ type: 'view', number: 0 }],
    [{ type: 'click', number: 1 }],
    [{ type: 'search', query: ' ', results: 0 }],
    [{ type: 'search', query: 'a', results: 11 }],
    [{ type: 'view', number: 1, reader: 'x' }],
  ])('are refused as %j', async (body) => expect((await use(body)).status).toBe(422));

  it('are deleted after 400 days, except the latest totals of an article', async () => {
    const { number } = await anArticle();
    await use({ type: 'view', number });
    await use({ type: 'search', query: 'refund', results: 1 });
    const worker = tickets.app.get(HelpWorker);
    await worker.prune();
    expect([(await uses()).length, (await searches()).length, (await days()).length]).toEqual([1, 1, 1]);
    await inOrganization(async (tx) => {
      for (const table of ['article_uses', 'help_searches', 'help_days'])
        await sql`update ${sql.table(table)} set day = current_date - 402`.execute(tx);
      await sql`insert into article_uses select organization_id, article_id, current_date - 403, 0, 0, 0 from article_uses`.execute(tx);
    });
    expect(await worker.findOld()).toHaveLength(1);
    await worker.prune();
    expect([await searches(), await days(), await worker.findOld()]).toEqual([[], [], []]);
    expect(await uses()).toEqual([{ views: 1, suggestions_opened: 0, solved: 0 }]);
  });
});

describe('a rating', () => {
  it('replaces the earlier one of the reader, and names the version', async () => {
    const article = await anArticle();
    expect((await rate(article.number, { helpful: false, remark: ' Too short ' })).status).toBe(200);
    expect(await ratings()).toEqual([{ reader: 'reader-0123456789', helpful: false, remark: 'Too short', version: 1 }]);
    await publish(await staff(updateArticle, article.id, { body: 'Longer' }));
    await rate(article.number);
    await rate(article.number, { reader: 'another-0123456789', helpful: false });
    expect(await ratings()).toEqual(
      expect.arrayContaining([
        { reader: 'reader-0123456789', helpful: true, remark: null, version: 2 },
        { reader: 'another-0123456789', helpful: false, remark: null, version: 2 },
      ]),
    );
  });

  it('is stored once for concurrent answers of one reader', async () => {
    const { number } = await anArticle();
    const answers = await Promise.all([true, false, true, false].map((helpful) => rate(number, { helpful })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await ratings()).toHaveLength(1);
  });

  it.each([
    [{ helpful: 'yes' }],
    [{ reader: 'short' }],
    [{ reader: 'x'.repeat(41) }],
    [{ reader: 'with spaces in between' }],
    [{ remark: 'x'.repeat(1_001) }],
    [{ stars: 5 }],
  ])('is refused with %j', async (body) => expect((await rate((await anArticle()).number, body)).status).toBe(422));
});

describe('the report', () => {
  const report = (query: Record<string, string>, ctx: Context = admin()) => tickets.call<HelpReport>(readHelpReport, ctx, { query });
  const fill = (article_id: string, rows: [day: string, views: number, suggestions_opened: number, solved: number][]) =>
    inOrganization(async (tx) => {
      for (const [day, views, suggestions_opened, solved] of rows) {
        await sql`insert into article_uses select ${organization.id}::uuid, ${article_id}::uuid, ${day}::date, coalesce(max(views), 0) + ${views},
          coalesce(max(suggestions_opened), 0) + ${suggestions_opened}, coalesce(max(solved), 0) + ${solved}
          from article_uses where article_id = ${article_id}::uuid`.execute(tx);
      }
    });
  const zero = { views: 0, suggestions_opened: 0, solved: 0, helpful: 0, not_helpful: 0, searches: 0, searches_without_result: 0 };

  it('has every day of the period, the most viewed articles and the failed searches', async () => {
    const article = await anArticle();
    const other = await anArticle({ title: 'Other' });
    await fill(article.id, [['2026-02-27', 9, 9, 9], ['2026-02-28', 3, 2, 1], ['2026-03-02', 4, 0, 0]]); // prettier-ignore
    await fill(other.id, [['2026-02-28', 10, 0, 0]]);
    await inOrganization(async (tx) => {
      await tx
        .insertInto('article_ratings')
        .values([
          { organization_id: organization.id, article_id: article.id, reader: 'a', helpful: true, remark: null, version: 1, rated_at: '2026-02-28T12:00:00.000Z', day: '2026-03-01' },
          { organization_id: organization.id, article_id: article.id, reader: 'b', helpful: false, remark: null, version: 1, rated_at: '2026-02-28T10:00:00.000Z', day: '2026-02-28' },
        ])
        .execute(); // prettier-ignore
      const day = { organization_id: organization.id, times: 5 };
      await tx
        .insertInto('help_searches')
        .values([
          { ...day, day: '2026-02-28', query: 'refund', without_result: 0 },
          { ...day, day: '2026-02-28', query: 'unicorn', without_result: 2 },
          { ...day, day: '2026-03-01', query: 'unicorn', without_result: 5 },
          { ...day, day: '2026-03-03', query: 'late', without_result: 5 },
        ])
        .execute();
      const counts = [
        { day: '2026-02-28', views: 13, suggestions_opened: 2, solved: 1, searches: 10, searches_without_result: 2 },
        { day: '2026-03-01', searches: 5, searches_without_result: 5 },
        { day: '2026-03-02', views: 4 },
        { day: '2026-03-03', views: 1 },
      ];
      for (const { day, ...count } of counts)
        await tx
          .insertInto('help_days')
          .values({ organization_id: organization.id, day, ...count })
          .onConflict((conflict) => conflict.columns(['organization_id', 'day']).doUpdateSet(count))
          .execute();
    });
    const { status, data } = await report({ from: '2026-02-28', to: '2026-03-02' });
    expect(status).toBe(200);
    expect(data.days).toEqual([
      { ...zero, day: '2026-02-28', views: 13, suggestions_opened: 2, solved: 1, not_helpful: 1, searches: 10, searches_without_result: 2 },
      { ...zero, day: '2026-03-01', helpful: 1, searches: 5, searches_without_result: 5 },
      { ...zero, day: '2026-03-02', views: 4 },
    ]);
    const { day: _, searches: __, searches_without_result: ___, ...none } = { ...zero, day: '' };
    expect(data.articles).toEqual([
      { ...none, article_id: other.id, number: other.number, title: 'Other', views: 10 },
      { article_id: article.id, number: article.number, title: article.title, views: 7, suggestions_opened: 2, solved: 1, helpful: 1, not_helpful: 1 },
    ]); // prettier-ignore
    expect(data.searches_without_result).toEqual([{ query: 'unicorn', times: 7, last_day: '2026-03-01' }]);
  });

  it('agrees with random uses and changing ratings on two days, also for a deleted article', async () => {
    const articles = [await anArticle({ title: 'A' }), await anArticle({ title: 'B' }), await anArticle({ title: 'C' })];
    const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
    const expected: Record<string, number> = {};
    const count = (day: string, number: number, column: string, by = 1) => {
      for (const key of [`${day} ${column}`, `${number} ${column}`]) expected[key] = (expected[key] ?? 0) + by;
    };
    const lastUse: Record<number, string> = {};
    const given: Record<string, [string, number, string]> = {};
    const period: string[] = [];
    // Midnight is at a full hour in both zones: a day must not end between two uses.
    const restOfHourMs = 3_600_000 - (Date.now() % 3_600_000);
    if (restOfHourMs < 30_000) await pause(restOfHourMs);
    // 25 hours apart. The third step returns to the first day.
    for (const time_zone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await tickets.changeSettings(organization, { time_zone });
      const day = new Date().toLocaleDateString('sv', { timeZone: time_zone });
      period.push(day);
      for (let n = 0; n < 30; n++) {
        const { number } = pick(articles);
        const type = pick(['view', 'suggestion_opened', 'solved', 'search', 'rating'] as const);
        if (type === 'rating') {
          const [reader, helpful] = [pick(['reader-0123456789-a', 'reader-0123456789-b']), pick([true, false])];
          const earlier = given[`${number} ${reader}`];
          if (earlier) count(...earlier, -1);
          await rate(number, { reader, helpful });
          count(...(given[`${number} ${reader}`] = [day, number, helpful ? 'helpful' : 'not_helpful']));
        } else if (type === 'search') {
          const results = pick([0, 3]);
          await use({ type, query: pick(['refund', 'me@example.com']), results });
          count(day, 0, 'searches');
          if (results === 0) count(day, 0, 'searches_without_result');
        } else {
          await use({ type, number });
          lastUse[number] = lastUse[number]! > day ? lastUse[number]! : day;
          count(lastUse[number], number, { view: 'views', suggestion_opened: 'suggestions_opened', solved: 'solved' }[type]);
        }
      }
    }
    await staff(deleteArticle, articles[0]!.id);
    for (const type of ['view', 'solved']) await use({ type, number: articles[0]!.number });
    const columns = Object.keys(zero) as (keyof typeof zero)[];
    const figures = async (from: string, to: string) => (await report({ from, to })).data;
    const { days: reported, articles: listed } = await figures(period[0]!, period[1]!);
    for (const column of columns)
      expect([column, ...reported.map((day) => day[column])]).toEqual([
        column,
        ...reported.map(({ day }) => expected[`${day} ${column}`] ?? 0),
      ]);
    for (const column of ['views', 'suggestions_opened', 'solved', 'helpful', 'not_helpful'] as const) {
      expect([column, ...listed.map((each) => each[column])]).toEqual([
        column,
        ...listed.map(({ number }) => expected[`${number} ${column}`] ?? 0),
      ]);
      for (const { day, [column]: ofDay } of reported) {
        const sum = (await figures(day, day)).articles.reduce((total, each) => total + each[column], 0);
        expect([day, column, sum]).toEqual([day, column, ofDay]);
      }
    }
    expect(listed.map(({ title }) => title).sort()).toEqual(['A', 'B', 'C']);
  }, 60_000);

  it('contains nothing of other organizations', async () => {
    await fill((await anArticle()).id, [['2026-02-28', 9, 9, 9]]);
    const other = await tickets.anOrganization();
    const { data } = await report({ from: '2026-02-28', to: '2026-02-28' }, asStaff(other, 'admin'));
    expect(data).toEqual({ days: [{ ...zero, day: '2026-02-28' }], articles: [], searches_without_result: [] });
  });

  it.each([
    [{ from: '2026-03-02', to: '2026-03-01' }],
    [{ from: '2025-01-01', to: '2026-03-01' }],
    [{ from: '2026-02-30', to: '2026-03-01' }],
    [{ from: '2026-03-01', to: '' }],
  ])('is refused for %j', async (query) => expect((await report(query)).status).toBe(422));

  it('is not for agents, customers, and tokens without the permission', async () => {
    const period = { from: '2026-03-01', to: '2026-03-01' };
    const { status, data } = await report(period, asToken(organization, 'articles:read'));
    expect([status, data.code]).toEqual([403, 'token.permission_missing']);
    expect([(await report(period, reader())).status, (await report(period, asStaff(organization, 'agent'))).status]).toEqual([401, 403]);
    expect((await report(period, asToken(organization, 'analytics:read'))).status).toBe(200);
  });
});

it('requires an organization, and refuses unusable numbers', async () => {
  for (const op of [readHelpCenter, listHelpPages]) expect((await tickets.call(op, asCustomer(null))).status).toBeGreaterThanOrEqual(400);
  for (const number of ['0', 'x', newId(), '1e10']) {
    const { status } = await tickets.call(readPublicArticle, reader(), { params: { number } });
    expect([number, status]).toEqual([number, 422]);
  }
  expect(await read(999)).toMatchObject({ status: 404, data: { code: 'article.not_found' } });
  expect((await categoryPage(999)).status).toBe(404);
  expect((await tickets.call(readHelpCenter, reader(), { query: { language: 'xx' } })).status).toBe(422);
});
