import { articleLimits, type ArticleRecord, type ArticleVersionRecord } from '@tandem/contracts';
import { sql } from 'kysely';
import { countArticles, findDefaultLanguage, insertArticle, lockArticles } from '../article/article.store';
import type { ArticleRow, TicketsTx } from '../schema';
import { keptNumber } from './article-number';
import { addCounts, recordId, type Counts } from './import';
import { saveImport, type StoredImport } from './import.store';
import { findRecords, insertProblems, nextRecords, saveChildren, saveOutcomes, storableProblems, type BatchRecord } from './record.store';
import type { BatchResult } from './ticket-batch';

/** Few, because an article can have a hundred versions. */
const batchSize = 10;

/** Articles of CSV files have no keys of their own, so that their title is part of their id. */
export const articleId = (row: StoredImport, key: string, { title }: Pick<ArticleRecord, 'title'>): string =>
  recordId(row, 'article', key, row.source === 'csv' ? title : null);

/** Creates the next articles with their versions. Nothing is announced: webhooks do not send imported articles. */
export async function importArticles(tx: TicketsTx, row: StoredImport, counts: Counts, limit: number): Promise<BatchResult> {
  const records = await nextRecords(tx, row, 'article', row.position!.after, Math.min(limit, batchSize));
  const last = records.at(-1);
  if (!last) return undefined;
  await lockArticles(tx, row.organization_id);
  let free = articleLimits.articles - (await countArticles(tx, row.organization_id));
  for (const record of records) {
    const article = record.data as unknown as ArticleRecord;
    const id = articleId(row, record.key, article);
    const exists = (await tx.selectFrom('articles').select('id').where('organization_id', '=', row.organization_id).where('id', '=', id).executeTakeFirst()) !== undefined; // prettier-ignore
    const state = exists ? 'existing' : free > 0 ? 'created' : 'failed';
    if (state === 'created') await createArticle(tx, row, id, record, article);
    if (state === 'created') free -= 1;
    if (state === 'failed') await addLimitProblem(tx, row, record);
    await saveOutcomes(tx, row, 'article', [{ key: record.key, state, record_id: state === 'failed' ? null : id }]);
    addCounts(counts, 'article', { [state]: 1 });
    addCounts(counts, 'article_version', { [state]: await saveChildren(tx, row, 'article_version', [record.key], state) });
  }
  return { last, numbers: 0 };
}

async function addLimitProblem(tx: TicketsTx, row: StoredImport, { kind, key, position, place }: BatchRecord): Promise<void> {
  if (storableProblems(row.problems) > 0)
    await insertProblems(tx, row, [{ code: 'record.limit', kind, key, position, field: null, value: null, ...place }]);
  row.problems['record.limit'] = (row.problems['record.limit'] ?? 0) + 1;
  await saveImport(tx, row, { problems: row.problems });
}

async function createArticle(tx: TicketsTx, row: StoredImport, id: string, { key }: BatchRecord, record: ArticleRecord): Promise<void> {
  const { organization_id } = row;
  const article: ArticleRow = {
    organization_id,
    id,
    number: await keptNumber(tx, organization_id, record.number),
    title: record.title,
    summary: record.summary,
    body: record.body,
    language: record.language ?? (await findDefaultLanguage(tx, organization_id)),
    category_id: await findCategory(tx, row, record.category),
    visibility: record.visibility,
    published_version: null,
    first_published_at: null,
    ticket_id: await findTicket(tx, row, record.ticket ?? null),
    updated_by: userOf(row, record.updated_by ?? null),
    created_at: record.created_at,
    updated_at: record.updated_at,
    deleted_at: null,
    version: 1,
  };
  await insertArticle(tx, article);
  const published_version = await insertVersions(tx, row, article, key, record);
  if (published_version === null) return;
  // After its versions: a trigger copies the published text for the search.
  const first_published_at = record.first_published_at ?? record.updated_at;
  await tx.updateTable('articles').set({ published_version, first_published_at }).where('organization_id', '=', organization_id).where('id', '=', id).execute(); // prettier-ignore
}

const userOf = (row: StoredImport, key: string | null): string | null =>
  row.teammates.find((teammate) => teammate.key === key)?.user_id ?? null;

/** Inserts the latest versions. Returns the one that readers see. */
async function insertVersions(
  tx: TicketsTx,
  row: StoredImport,
  article: ArticleRow,
  key: string,
  record: ArticleRecord,
): Promise<number | null> {
  const { organization_id, id: article_id, title, summary, body, language } = article;
  const found = await tx
    .selectFrom('import_records')
    .select('data')
    .where('import_id', '=', row.id)
    .where('kind', '=', 'article_version')
    .where('parent', '=', key)
    .where('state', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(articleLimits.versions)
    .execute();
  const given = found.map(({ data }) => data as unknown as ArticleVersionRecord);
  const versions = [...new Map(given.map((version) => [version.number, version])).values()].filter(({ number }) => number >= 1);
  const isPublished = record.state === 'published';
  const own = { number: 1, title, summary, body, language, published_at: record.updated_at, published_by: null };
  const all = versions.length === 0 && isPublished ? [own] : versions;
  for (const { number, published_at, published_by, ...texts } of all)
    await tx
      .insertInto('article_versions')
      .values({
        organization_id,
        article_id,
        number,
        title: texts.title,
        summary: texts.summary,
        body: texts.body,
        language: texts.language,
        published_at,
        published_by: userOf(row, published_by),
      }) // prettier-ignore
      .execute();
  if (!isPublished) return null;
  const numbers = all.map(({ number }) => number);
  return numbers.includes(record.published_version ?? -1) ? record.published_version! : Math.max(...numbers);
}

async function findCategory(tx: TicketsTx, row: StoredImport, key: string | null): Promise<string | null> {
  if (key === null) return null;
  const id = (await findRecords(tx, row, 'article_category', [key]))[0]?.record_id ?? null;
  if (id === null) return null;
  const { rows } = await sql<{ id: string }>`select id from article_categories where id = ${id} for key share`.execute(tx);
  return rows[0]?.id ?? null;
}

async function findTicket(tx: TicketsTx, row: StoredImport, key: string | null): Promise<string | null> {
  const record = key === null ? undefined : (await findRecords(tx, row, 'ticket', [key]))[0];
  if (!record) return null;
  const { rows } = await sql<{ id: string }>`select id from tickets where id = ${record.record_id} for key share`.execute(tx); // prettier-ignore
  return rows[0]?.id ?? null;
}
