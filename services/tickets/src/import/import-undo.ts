import { customFieldChanged, ticketsDeleted, type TenantContext } from '@tandem/contracts';
import { emit, hasOutboxCapacity } from '@tandem/messaging';
import { sql } from 'kysely';
import { deletePictures, findPictures } from '../article/article-picture.store';
import { deleteArticleRow } from '../article/article.store';
import { storageKey } from '../attachment/file.controller';
import { findCustomField } from '../custom-field/custom-field.store';
import type { ImportPosition, TicketsTx } from '../schema';
import { addUnusedNumbers } from '../ticket-deletion/delete-tickets.store';
import type { ImportTools } from './import-check';
import { announceImport } from './import-state';
import { findImportForUpdate, saveImport, type StoredImport } from './import.store';
import { nextRecords, saveUndone, type BatchRecord } from './record.store';
import { fingerprint, settingTables, type SettingKind } from './settings-batch';

/** The reverse of the order in which records are created. */
const steps = ['ticket', 'article', 'rule', 'view', 'canned_reply', 'article_category', 'sla_policy', 'custom_field'] as const;
type Step = (typeof steps)[number];
export const firstUndoPosition: ImportPosition = { step: steps[0], after: null, next_number: 0 };

const batchSize = 200;
const maxUnpublished = 20;

/** Deletes what an import created and what was not changed since, in batches that can be repeated. */
export async function undoRecords(tools: ImportTools, ctx: TenantContext, started: StoredImport): Promise<void> {
  while (!tools.signal.aborted && (await hasOutboxCapacity(tools.db, maxUnpublished))) {
    const articles = await tools.db.forTenant(ctx, (tx) => undoBatch(tx, ctx, started));
    if (articles === undefined) return;
    for (const id of articles) await purgeArticle(tools, started, id);
  }
}

/** Undefined at the end; otherwise the articles whose files are to be deleted. */
async function undoBatch(tx: TicketsTx, ctx: TenantContext, { organization_id, id }: StoredImport): Promise<string[] | undefined> {
  const row = await findImportForUpdate(tx, { organization_id, id });
  if (row?.state !== 'undoing') return undefined;
  const step = row.position!.step as Step | 'finish';
  if (step === 'finish') {
    const now = new Date().toISOString();
    await saveImport(tx, row, { state: 'undone', finished_at: now, undo_until: null, progress: null, job_id: null });
    await announceImport(tx, ctx, row, 'undone');
    return undefined;
  }
  const records = await nextRecords(tx, row, step, null, batchSize, 'created');
  const done = (row.progress?.done ?? 0) + records.length;
  const progress = { done, total: steps.reduce((sum, kind) => sum + (row.counts[kind]?.created ?? 0), 0) };
  if (records.length === 0) {
    const next = steps[steps.indexOf(step) + 1] ?? 'finish';
    await saveImport(tx, row, { position: { step: next, after: null, next_number: 0 }, progress });
    return [];
  }
  const deleted = await undoKind(tx, ctx, row, step, records);
  const isDeleted = ({ record_id }: BatchRecord) => deleted.has(record_id!);
  const kept = records.filter((record) => !isDeleted(record));
  await saveUndone(tx, row, step, records.filter(isDeleted).map(({ key }) => key), 'undone'); // prettier-ignore
  await saveUndone(tx, row, step, kept.map(({ key }) => key), 'kept'); // prettier-ignore
  const kept_count = (row.kept_count ?? 0) + (step === 'ticket' ? kept.length : 0);
  await saveImport(tx, row, { progress, kept_count });
  return step === 'article' ? [...deleted] : [];
}

async function undoKind(
  tx: TicketsTx,
  ctx: TenantContext,
  row: StoredImport,
  step: Step,
  records: readonly BatchRecord[],
): Promise<Set<string>> {
  const ids = records.map(({ record_id }) => record_id!);
  if (step === 'ticket') return new Set(await deleteTickets(tx, ctx, row, ids));
  if (step === 'article') return new Set(await hideArticles(tx, row, ids));
  return new Set(await deleteSettings(tx, ctx, row, step, ids));
}

/**
 * Deletes tickets that are as they were imported: without changes, new comments, files, surveys, drafts and tasks, and not continuing one that was
 * changed. Their files become unused, and a sweep deletes them. Returns the ids.
 */
async function deleteTickets(
  tx: TicketsTx,
  ctx: TenantContext,
  { organization_id }: StoredImport,
  ids: readonly string[],
): Promise<string[]> {
  const { rows: locked } = await sql<{ id: string }>`select id from tickets where id = any(${ids}::uuid[]) order by id for update`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string }>`
    select t.id from tickets t where t.id = any(${locked.map(({ id }) => id)}::uuid[]) and t.version = 1 and t.task is null
      and (select count(*) from comments c where c.organization_id = t.organization_id and c.ticket_id = t.id) = t.comment_count
      and not exists (select from drafts d where d.organization_id = t.organization_id and d.ticket_id = t.id)
      and not exists (select from surveys s where s.organization_id = t.organization_id and s.ticket_id = t.id and s.created_at > t.imported_at)
      and not exists (select from tickets m where m.organization_id = t.organization_id and m.merged_into_id = t.id
        and (m.version > 1 or m.imported_at is null))`.execute(tx);
  const unchanged = rows.map(({ id }) => id);
  if (unchanged.length > 0) {
    await sql`update tickets set merged_into_id = null where organization_id = ${organization_id} and merged_into_id = any(${unchanged}::uuid[])`.execute(tx); // prettier-ignore
    // The number of open tickets of each member follows changes only.
    await sql`update tickets set assigned_to = null where id = any(${unchanged}::uuid[]) and assigned_to is not null`.execute(tx);
    await sql`delete from tickets where id = any(${unchanged}::uuid[])`.execute(tx);
    await emit(tx, ctx, ticketsDeleted, organization_id, {
      ticket_ids: unchanged,
      keep_figures: false,
      is_anonymized: false,
      erasure_id: null,
    });
    await addUnusedNumbers(tx, organization_id, unchanged.length);
  }
  // Tickets that no longer exist count as deleted.
  return [...unchanged, ...ids.filter((id) => !locked.some((ticket) => ticket.id === id))];
}

/** Hides articles that were not changed since, so that readers and members no longer see them. Returns the ids; their pictures are deleted first. */
async function hideArticles(tx: TicketsTx, { organization_id }: StoredImport, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update articles set deleted_at = '1970-01-01', version = version + 1
    where organization_id = ${organization_id} and id = any(${ids}::uuid[]) and version = 1 and deleted_at is null returning id`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** The bytes before the rows. If the process dies in between, the sweep of deleted articles continues. */
async function purgeArticle({ db, storage }: ImportTools, { organization_id }: StoredImport, id: string): Promise<void> {
  const pictures = await db.forTenant({ organization_id }, (tx) => findPictures(tx, organization_id, id));
  for (const picture of pictures) await storage.remove(storageKey(organization_id, picture.id));
  await db.forTenant({ organization_id }, async (tx) => {
    await deletePictures(tx, pictures.map((picture) => picture.id)); // prettier-ignore
    await deleteArticleRow(tx, organization_id, id);
  });
}

/** Deletes settings that are as they were imported and not used: categories with articles and fields with values stay. */
async function deleteSettings(
  tx: TicketsTx,
  ctx: TenantContext,
  row: StoredImport,
  kind: SettingKind,
  ids: readonly string[],
): Promise<string[]> {
  const table = sql.table(settingTables[kind]);
  const isUnused =
    kind === 'article_category'
      ? sql`not exists (select from articles a where a.organization_id = s.organization_id and a.category_id = s.id)`
      : kind === 'custom_field'
        ? sql`not exists (select from ticket_field_values v where v.organization_id = s.organization_id and v.key = s.key)`
        : sql`true`;
  const fields = kind === 'custom_field' ? await Promise.all(ids.map((id) => findCustomField(tx, id))) : [];
  const { rows } = await sql<{ id: string }>`delete from ${table} s using import_records r where s.id = any(${ids}::uuid[])
    and r.import_id = ${row.id} and r.kind = ${kind} and r.record_id = s.id and r.fingerprint = ${fingerprint} and ${isUnused}
    returning s.id`.execute(tx);
  const deleted = rows.map(({ id }) => id);
  if (kind === 'article_category' || kind === 'custom_field' || kind === 'rule')
    await sql`update ${table} s set position = n.position from (select id, row_number() over (order by position) as position from ${table}
      where ${kind === 'custom_field' ? sql`deleted_at is null` : sql`true`}) n where s.id = n.id and s.position <> n.position`.execute(tx);
  for (const field of fields)
    if (field && deleted.includes(field.id)) await emit(tx, ctx, customFieldChanged, field.id, { what: 'deleted', field, changes: {} });
  return deleted;
}
