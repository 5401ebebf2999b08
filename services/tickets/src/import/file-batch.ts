import { Readable } from 'node:stream';
import { AppError, attachmentRules, isInline, type ArticleRecord, type FileRecord, type ImportProblemCode } from '@tandem/contracts';
import { safeFetch, UnsafeAddress } from '@tandem/platform';
import { findPictures, insertPicture } from '../article/article-picture.store';
import { uniqueFileName } from '../article/article';
import { safeFileName } from '../attachment/attachment';
import { ContentCheck } from '../attachment/content-check';
import { storageKey } from '../attachment/file.controller';
import type { TicketsTx } from '../schema';
import { articleId } from './article-batch';
import { addCounts, recordId, type Counts } from './import';
import { withInput, type ImportTools } from './import-check';
import { ImportFailed, type ImportInput } from './import-reader';
import { progressOf } from './import-state';
import { findImportForUpdate, saveImport, type StoredImport } from './import.store';
import { findRecords, insertProblems, nextRecords, saveOutcomes, storableProblems, type BatchRecord } from './record.store';

/** Files are read into memory, each of up to 20 MB. */
const concurrency = 3;
const batchSize = 30;
const maxRedirects = 3;
const downloadMs = 60_000;

type Problem = Extract<ImportProblemCode, `file.${string}`>;
/** Thrown for a file that is left out. */
class FileLeftOut extends Error {
  constructor(readonly code: Problem) {
    super(code);
  }
}

interface Target {
  ticket_id: string | null;
  comment_id: string | null;
  article_id: string | null;
}

/** Stores the files of what was created, each in its own transaction. One that cannot be stored is a problem, not a failure. */
export async function importFiles(tools: ImportTools, started: StoredImport): Promise<void> {
  if (!started.options.files) return;
  const first = await tools.db.forTenant(started, (tx) => nextRecords(tx, started, 'file', null, 1));
  if (first.length === 0) return;
  await withInput(
    tools,
    started,
    () => undefined,
    async (input) => {
      for (;;) {
        const files = await tools.db.forTenant(started, (tx) => nextRecords(tx, started, 'file', null, batchSize));
        if (files.length === 0) return;
        for (let from = 0; from < files.length; from += concurrency) {
          tools.signal.throwIfAborted();
          await Promise.all(files.slice(from, from + concurrency).map((file) => importFile(tools, started, input, file)));
        }
      }
    },
  );
}

async function importFile(tools: ImportTools, row: StoredImport, input: ImportInput, record: BatchRecord): Promise<void> {
  const file = record.data as unknown as FileRecord;
  const target = await tools.db.forTenant(row, (tx) => findTarget(tx, row, file));
  if (!target) return saveFile(tools, row, record, { state: 'failed', code: 'file.missing' });
  const id = recordId(row, 'file', record.key, target.comment_id ?? target.ticket_id ?? target.article_id);
  if (await tools.db.forTenant(row, (tx) => hasFile(tx, row, id))) return saveFile(tools, row, record, { state: 'existing', id });
  try {
    const file_name = nameOf(file);
    const bytes = await readBytes(tools, row, input, file);
    const content_type = await typeOf(bytes);
    if (target.article_id !== null && !isInline(content_type)) throw new FileLeftOut('file.refused');
    const key = storageKey(row.organization_id, id);
    // Also the part that an interrupted run has left.
    await tools.storage.remove(key);
    await tools.storage.put(key, Readable.from([bytes], { objectMode: false }), bytes.length, tools.signal);
    const stored = { id, file_name, size: bytes.length, content_type, created_at: file.created_at };
    await saveFile(tools, row, record, { state: 'created', id }, (tx) => insertFile(tx, row, stored, target));
  } catch (error) {
    if (error instanceof FileLeftOut) await saveFile(tools, row, record, { state: 'failed', code: error.code });
    else throw error;
  }
}

/** The record that the file belongs to, if it exists. */
async function findTarget(tx: TicketsTx, row: StoredImport, file: FileRecord): Promise<Target | undefined> {
  const none = { ticket_id: null, comment_id: null, article_id: null };
  if (file.article !== null) {
    const [article] = await findRecords(tx, row, 'article', [file.article]);
    return article && { ...none, article_id: articleId(row, article.key, article.data as unknown as ArticleRecord) };
  }
  const [comment] = file.comment === null ? [] : await findRecords(tx, row, 'comment', [file.comment]);
  const key = comment?.parent ?? file.ticket;
  const [ticket] = key === null ? [] : await findRecords(tx, row, 'ticket', [key]);
  if (!ticket || (file.comment !== null && !comment)) return undefined;
  const ticket_id = ticket.record_id!;
  return { ...none, ticket_id, comment_id: comment ? recordId(row, 'comment', comment.key, ticket_id) : null };
}

async function hasFile(tx: TicketsTx, { organization_id }: StoredImport, id: string): Promise<boolean> {
  for (const table of ['attachments', 'article_pictures'] as const)
    if (await tx.selectFrom(table).select('id').where('organization_id', '=', organization_id).where('id', '=', id).executeTakeFirst()) return true; // prettier-ignore
  return false;
}

function nameOf({ file_name }: FileRecord): string {
  const max = attachmentRules.maxNameLength;
  const ending = /\.[^./\\]{1,10}$/.exec(file_name)?.[0] ?? '';
  try {
    return safeFileName(file_name.length <= max ? file_name : `${file_name.slice(0, max - ending.length).toWellFormed()}${ending}`);
  } catch (error) {
    if (error instanceof AppError) throw new FileLeftOut('file.refused');
    throw error;
  }
}

async function typeOf(bytes: Buffer): Promise<string> {
  const content = new ContentCheck(bytes.length);
  const checked = content.through(Readable.from([bytes], { objectMode: false }), new AbortController().signal, () => undefined);
  for await (const _ of checked);
  return content.type();
}

async function readBytes({ signal, allowPrivate }: ImportTools, row: StoredImport, input: ImportInput, file: FileRecord): Promise<Buffer> {
  const { maxBytes } = attachmentRules;
  if ((file.size ?? 0) > maxBytes) throw new FileLeftOut('file.too_large');
  const { importReaders } = await import('./readers');
  const reader = importReaders[row.source];
  if (file.entry !== null) {
    const entry = await reader?.openEntry?.(input, file.entry);
    if (!entry) throw new FileLeftOut('file.missing');
    return collect(entry, maxBytes);
  }
  if (file.url === null) throw new FileLeftOut('file.missing');
  if (!reader?.openUrl) return download(file.url, allowPrivate, maxBytes);
  const opened = await reader.openUrl(input, file.url, maxBytes);
  if (typeof opened === 'string') throw new FileLeftOut(opened);
  signal.throwIfAborted();
  return collect(opened, maxBytes);
}

async function collect(source: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new FileLeftOut('file.too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof FileLeftOut || error instanceof ImportFailed) throw error;
    throw new FileLeftOut('file.unreachable');
  }
  if (size === 0) throw new FileLeftOut('file.missing');
  return Buffer.concat(chunks);
}

/** Follows a few redirects, because help desks keep files elsewhere; each address is checked. */
async function download(address: string, isOpen: boolean, maxBytes: number): Promise<Buffer> {
  const rules = { allowHttp: isOpen, allowPrivate: isOpen, timeoutMs: downloadMs, maxBytes };
  try {
    for (let [url, redirects] = [address, 0]; redirects <= maxRedirects; redirects += 1) {
      const { status, headers, body, truncated } = await safeFetch(url, rules);
      if (truncated) throw new FileLeftOut('file.too_large');
      if (status === 200 && body.length > 0) return body;
      if (status < 300 || status >= 400 || headers.location === undefined) break;
      url = new URL(headers.location, url).href;
    }
  } catch (error) {
    if (error instanceof FileLeftOut) throw error;
    if (!(error instanceof UnsafeAddress) && error instanceof AppError) throw error;
  }
  throw new FileLeftOut('file.unreachable');
}

type Stored = { id: string; file_name: string; size: number; content_type: string; created_at: string };

/** False if the ticket or article was deleted in the meantime. */
async function insertFile(
  tx: TicketsTx,
  { organization_id }: StoredImport,
  file: Stored,
  { ticket_id, comment_id, article_id }: Target,
): Promise<boolean> {
  if (article_id !== null) {
    const article = await tx.selectFrom('articles').select('id').where('organization_id', '=', organization_id).where('id', '=', article_id).forUpdate().executeTakeFirst(); // prettier-ignore
    if (!article) return false;
    const taken = (await findPictures(tx, organization_id, article_id)).map(({ file_name }) => file_name);
    await insertPicture(tx, { ...file, file_name: uniqueFileName(file.file_name, taken), organization_id, article_id });
    return true;
  }
  const ticket = await tx.selectFrom('tickets').select('id').where('id', '=', ticket_id!).forKeyShare().executeTakeFirst();
  const comment = comment_id === null || (await tx.selectFrom('comments').select('id').where('id', '=', comment_id).forKeyShare().executeTakeFirst()); // prettier-ignore
  if (!ticket || !comment) return false;
  const of = { organization_id, ticket_id, comment_id, user_id: null, from_customer: false, upload_started_at: file.created_at };
  await tx.insertInto('attachments').values({ ...file, ...of }).execute(); // prettier-ignore
  return true;
}

type Result = { state: 'created' | 'existing'; id: string } | { state: 'failed'; code: Problem };

/** Saves what became of a file, with its row. */
async function saveFile(
  { db, storage }: ImportTools,
  { organization_id, id: import_id }: StoredImport,
  record: BatchRecord,
  wanted: Result,
  insert?: (tx: TicketsTx) => Promise<boolean>,
): Promise<void> {
  const isStored = await db.forTenant({ organization_id }, async (tx) => {
    const row = await findImportForUpdate(tx, { organization_id, id: import_id });
    if (row?.state !== 'importing') return false;
    const result: Result = insert && !(await insert(tx)) ? { state: 'failed', code: 'file.missing' } : wanted;
    const counts: Counts = structuredClone(row.counts);
    addCounts(counts, 'file', { [result.state]: 1 });
    const problems = { ...row.problems };
    if (result.state === 'failed') {
      const { key, position, place } = record;
      const problem = { code: result.code, kind: 'file' as const, key, position, field: null, value: null, ...place };
      if (storableProblems(problems) > 0) await insertProblems(tx, row, [problem]);
      problems[result.code] = (problems[result.code] ?? 0) + 1;
    }
    await saveOutcomes(tx, row, 'file', [
      { key: record.key, state: result.state, record_id: result.state === 'failed' ? null : result.id },
    ]);
    await saveImport(tx, row, { counts, problems, progress: progressOf(counts) });
    return result.state !== 'failed';
  });
  if (insert && !isStored && wanted.state === 'created') await storage.remove(storageKey(organization_id, wanted.id));
}
