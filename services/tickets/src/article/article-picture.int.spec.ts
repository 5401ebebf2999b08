import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addArticlePicture,
  articleLimits,
  createArticle,
  deleteArticle,
  linkAttachment,
  publishArticle,
  readArticle,
  readArticlePicture,
  systemContext,
  unpublishArticle,
  updateArticle,
  type Article,
  type Attachment,
  type Context,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { signContext } from '@tandem/platform';
import { sql } from 'kysely';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { TicketsDeletion } from '../attachment/tickets-deletion';
import type { TicketsTx } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { ArticleWorker } from './article.worker';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
// Without jobs, so that only the tests run the sweep.
beforeAll(async () => void (tickets = await TicketsUnderTest.start({ RUN: 'http' })));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const agent = () => asStaff(organization);
const manager = () => asStaff(organization, 'manager');
const visitor = () => asCustomer(null);
const gif = `GIF89a${'x'.repeat(40)}`;
const aPicture = (file_name = 'cup.gif', ctx: Context = agent()) => tickets.aFile(ctx, gif, file_name);
const anArticle = async () =>
  (await tickets.call<Article>(createArticle, agent(), { body: { title: 'Cups', body: '![Cup](cup.gif)' } })).data;
const publish = ({ id }: Article) => tickets.call<Article>(publishArticle, manager(), { params: { id }, body: { version: 1 } });
const add = ({ id }: Pick<Article, 'id'>, attachment_id: string, ctx: Context = agent()) =>
  tickets.call<Attachment>(addArticlePicture, ctx, { params: { id }, body: { attachment_id } });
const anArticleWithPicture = async () => {
  const [article, file] = [await anArticle(), await aPicture()];
  expect((await add(article, file.id)).status).toBe(201);
  return { article, file };
};
const inOrganization = <T>(work: (tx: TicketsTx) => Promise<T>) => tickets.db.forTenant({ organization_id: organization.id }, work);
const storedFiles = () => readdir(join(tickets.filesDirectory, organization.id)).catch(() => []);
const storage = () => (tickets.app as unknown as { get(token: string): Storage }).get('STORAGE');
const read = (id: string, ctx: Context | undefined = visitor()) =>
  fetch(`${tickets.url}${readArticlePicture.path.replace(':id', id)}`, {
    headers: ctx ? { 'x-tandem-context': signContext(ctx, tickets.secret) } : {},
  });

describe('a picture', () => {
  it('is added with a name that no other picture of the article has, and is a file of the article only', async () => {
    const article = await anArticle();
    const files = [await aPicture(), await aPicture(), await aPicture('other.gif')];
    const added = [];
    for (const { id } of files) added.push((await add(article, id)).data);
    expect(added.map(({ id, file_name }) => [id, file_name])).toEqual([
      [files[0]!.id, 'cup.gif'],
      [files[1]!.id, 'cup-2.gif'],
      [files[2]!.id, 'other.gif'],
    ]);
    const { data } = await tickets.call<Article>(readArticle, agent(), { params: { id: article.id } });
    expect([data.pictures, data.version]).toEqual([added, 1]);
    expect(await inOrganization((tx) => tx.selectFrom('attachments').select('id').execute())).toEqual([]);
    expect(await add(article, files[0]!.id)).toMatchObject({ status: 422, data: { code: 'attachment.not_usable' } });
  });

  it('must be an unused picture of the same sender', async () => {
    const article = await anArticle();
    const text = await tickets.aFile(agent());
    expect(await add(article, text.id)).toMatchObject({ status: 422, data: { code: 'article.not_a_picture' } });
    const others = [newId(), (await aPicture('a.gif', manager())).id, (await aPicture('a.gif', asCustomer(organization.id))).id];
    for (const id of others) expect(await add(article, id)).toMatchObject({ status: 422, data: { code: 'attachment.not_usable' } });
    expect((await add(article, 'x')).status).toBe(422);
    // A refused file can still be attached to a comment.
    const left = await inOrganization((tx) => tx.selectFrom('attachments').select('id').where('id', '=', text.id).execute());
    expect(left).toHaveLength(1);
  });

  it('is refused for articles that do not exist, are deleted or belong to another organization, and for readers', async () => {
    const article = await anArticle();
    const missing = { status: 404, data: { code: 'article.not_found' } };
    expect(await add({ id: newId() }, newId())).toMatchObject(missing);
    expect(await add(article, newId(), asStaff(await tickets.anOrganization()))).toMatchObject(missing);
    expect((await add(article, newId(), asToken(organization, 'articles:read'))).status).toBe(403);
    expect((await add(article, newId(), asCustomer(organization.id))).status).toBe(401);
    await tickets.call(deleteArticle, manager(), { params: { id: article.id } });
    expect(await add(article, newId())).toMatchObject(missing);
  });

  it('is refused beyond the limit, also by two requests at the same time', async () => {
    const article = await anArticle();
    await inOrganization((tx) =>
      sql`insert into article_pictures (organization_id, id, article_id, file_name, size, content_type, created_at)
        select ${organization.id}, gen_random_uuid(), ${article.id}, n || '.png', 1, 'image/png', now()
        from generate_series(2, ${articleLimits.pictures}::int) n`.execute(tx),
    );
    const files = [await aPicture(), await aPicture()];
    const both = await Promise.all(files.map(({ id }) => add(article, id)));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)!.data.code).toBe('article.too_many_pictures');
  });

  it('is read by members with a link, published or not', async () => {
    const { file } = await anArticleWithPicture();
    const link = (ctx: Context) => tickets.call<{ url: string }>(linkAttachment, ctx, { params: { id: file.id } });
    const { data } = await link(manager());
    const headers = { 'x-tandem-context': signContext(agent(), tickets.secret) };
    const response = await fetch(`${tickets.url}${data.url.replace('/api/v1', '')}`, { headers });
    expect([response.status, await response.text()]).toEqual([200, gif]);
    const stranger = asStaff(await tickets.anOrganization());
    expect(await link(stranger)).toMatchObject({ status: 404, data: { code: 'attachment.not_found' } });
  });
});

describe('readers', () => {
  it('load the pictures of published public articles, on any site, for five minutes', async () => {
    const { article, file } = await anArticleWithPicture();
    await publish(article);
    const response = await read(file.id);
    expect([response.status, await response.text()]).toEqual([200, gif]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/gif',
      'content-length': String(gif.length),
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('do not load those of drafts, internal and deleted articles, other files, and without the gateway', async () => {
    const { article, file } = await anArticleWithPicture();
    const codeOf = async (id: string) => {
      const response = await read(id);
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    const missing = [404, 'attachment.not_found'];
    expect(await codeOf(file.id)).toEqual(missing);
    await publish(article);
    expect((await read(file.id)).status).toBe(200);
    const update = (body: object) => tickets.call(updateArticle, manager(), { params: { id: article.id }, body });
    await update({ visibility: 'internal' });
    expect(await codeOf(file.id)).toEqual(missing);
    await update({ visibility: 'public' });
    await tickets.call(unpublishArticle, manager(), { params: { id: article.id } });
    expect(await codeOf(file.id)).toEqual(missing);
    const second = await anArticleWithPicture();
    await publish(second.article);
    await tickets.call(deleteArticle, manager(), { params: { id: second.article.id } });
    for (const id of [second.file.id, (await aPicture()).id, newId(), 'x']) expect(await codeOf(id)).toEqual(missing);
    expect((await fetch(`${tickets.url}${readArticlePicture.path.replace(':id', file.id)}`)).status).toBe(401);
  });
});

/** Fails at the second file, like a process that is killed there. */
const dyingStorage = (): Storage => {
  let removed = 0;
  return Object.assign(Object.create(storage()) as Storage, {
    remove: async (key: string) => {
      if (++removed > 1) throw new Error('killed');
      await storage().remove(key);
    },
  });
};

describe('an article that can no longer be restored', () => {
  const mine = async () =>
    (await new ArticleWorker(tickets.db, storage()).findExpired())
      .filter(({ ctx }) => ctx.organization_id === organization.id)
      .map(({ data }) => data.article_id);
  const left = () => inOrganization((tx) => tx.selectFrom('articles').select('id').execute());

  it('is deleted with its files after 30 days, also if a process dies in between', async () => {
    const { article } = await anArticleWithPicture();
    await add(article, (await aPicture()).id);
    await publish(article);
    const kept = await anArticleWithPicture();
    for (const { id } of [article, kept.article]) await tickets.call(deleteArticle, manager(), { params: { id } });
    expect(await mine()).toEqual([]);
    await inOrganization((tx) => sql`update articles set deleted_at = now() - interval '31 days' where id = ${article.id}`.execute(tx));
    expect(await mine()).toEqual([article.id]);
    const ctx = systemContext(organization.id, newId());
    const purge = (worker: ArticleWorker, { id }: Article) => worker.purge(ctx, { article_id: id });
    await expect(purge(new ArticleWorker(tickets.db, dyingStorage()), article)).rejects.toThrow('killed');
    expect([await mine(), (await storedFiles()).length]).toEqual([[article.id], 2]);

    const worker = new ArticleWorker(tickets.db, storage());
    await purge(worker, article);
    await purge(worker, article);
    await purge(worker, kept.article);
    expect(await mine()).toEqual([]);
    expect([await left(), await storedFiles()]).toEqual([[{ id: kept.article.id }], [kept.file.id]]);
    for (const table of ['article_versions', 'article_draft_texts'] as const) {
      const rows = await inOrganization((tx) => tx.selectFrom(table).select('article_id').where('article_id', '=', article.id).execute());
      expect([table, rows]).toEqual([table, []]);
    }
  });
});

it('the deletion of an organization deletes its articles and the files of their pictures', async () => {
  const { article } = await anArticleWithPicture();
  await publish(article);
  await aPicture();
  const deletion = new TicketsDeletion(tickets.db, tickets.app.get(Jobs), storage()) as unknown as {
    run(ctx: Context, data: object, attempt: { last: boolean }): Promise<void>;
  };
  await tickets.db.asSystem('test', (tx) =>
    sql`insert into organization_deletions (organization_id, member_ids) values (${organization.id}, '{}')`.execute(tx),
  );
  await deletion.run(systemContext(organization.id, 'test'), {}, { last: false });
  expect(await storedFiles()).toEqual([]);
  for (const table of ['articles', 'article_pictures', 'article_versions', 'article_counters'] as const)
    expect([table, await inOrganization((tx) => tx.selectFrom(table).select('organization_id').execute())]).toEqual([table, []]);
});
