import { activeImportStates, type Import, type ImportFile, type ImportProblem, type Page, type PageQuery } from '@tandem/contracts';
import { paginate } from '@tandem/db';
import { sql, type Selectable, type Updateable } from 'kysely';
import type { ImportFileRow, ImportRow, TicketsTx } from '../schema';
import type { ImportKey } from './record.store';

// Reads filter by organization in addition to row-level security, because sweeps may read this table too (attachment.store.ts).

export type StoredImport = Selectable<ImportRow>;
export type StoredImportFile = Selectable<ImportFileRow>;

const columns = [
  'organization_id', 'id', 'source', 'state', 'name', 'address', 'sealed_token', 'options', 'choices', 'teammates', 'statuses', 'priorities',
  'counts', 'problems', 'progress', 'job_id', 'check_id', 'position', 'failure', 'has_files', 'has_records', 'created_by', 'created_at',
  'updated_at', 'finished_at', 'undo_until', 'kept_count',
] as const satisfies readonly (keyof ImportRow)[]; // prettier-ignore
const fileColumns = [
  'organization_id', 'id', 'import_id', 'file_name', 'size', 'kind', 'upload_started_at', 'is_uploaded', 'columns', 'sample', 'mapping', 'created_at',
] as const satisfies readonly (keyof ImportFileRow)[]; // prettier-ignore

const importOf = (tx: TicketsTx, { organization_id, id }: ImportKey) =>
  tx.selectFrom('imports').select(columns).where('organization_id', '=', organization_id).where('id', '=', id);
export const findImport = (tx: TicketsTx, key: ImportKey): Promise<StoredImport | undefined> => importOf(tx, key).executeTakeFirst();
export const findImportForUpdate = (tx: TicketsTx, key: ImportKey): Promise<StoredImport | undefined> =>
  importOf(tx, key).forUpdate().executeTakeFirst();

export const findImports = (tx: TicketsTx, organization_id: string, page: PageQuery): Promise<Page<StoredImport>> =>
  paginate(tx, tx.selectFrom('imports').select(columns).where('organization_id', '=', organization_id), page);

export async function countUnstarted(tx: TicketsTx, organization_id: string): Promise<number> {
  const row = await tx
    .selectFrom('imports')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('state', 'in', ['preparing', 'ready'])
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function hasActiveImport(tx: TicketsTx, organization_id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('imports')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('state', 'in', activeImportStates)
    .executeTakeFirst();
  return row !== undefined;
}

/** Values that are stored as JSON, as the API has them. */
type Jsons = Pick<
  StoredImport,
  'options' | 'choices' | 'teammates' | 'statuses' | 'priorities' | 'counts' | 'problems' | 'progress' | 'position'
>;
export type ImportChange = Partial<Omit<StoredImport, keyof Jsons | 'organization_id' | 'id'> & Jsons>;
const jsonColumns = ['options', 'choices', 'teammates', 'statuses', 'priorities', 'counts', 'problems', 'progress', 'position'];

/** Lists and objects as JSON text; null stays null. */
const withJson = (change: object, names: readonly string[]) =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, names.includes(name) && value !== null ? JSON.stringify(value) : value]),
  );

export async function insertImport(tx: TicketsTx, row: StoredImport): Promise<void> {
  await tx
    .insertInto('imports')
    .values(withJson(row, jsonColumns) as never)
    .execute();
}

/** `updated_at` is set unless it is given. */
export async function saveImport(tx: TicketsTx, { organization_id, id }: ImportKey, change: ImportChange): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ updated_at: new Date().toISOString(), ...withJson(change, jsonColumns) } as Updateable<ImportRow>)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

// ---- files ----------------------------------------------------------------------------------------------------------

export const findImportFiles = (tx: TicketsTx, import_ids: readonly string[]): Promise<StoredImportFile[]> =>
  tx
    .selectFrom('import_files')
    .select(fileColumns)
    .where('import_id', '=', sql<string>`any(${import_ids}::uuid[])`)
    .orderBy('id')
    .execute();

export async function insertImportFile(tx: TicketsTx, row: StoredImportFile): Promise<void> {
  await tx
    .insertInto('import_files')
    .values(row as never)
    .execute();
}

export async function saveImportFile(
  tx: TicketsTx,
  id: string,
  change: Partial<Omit<StoredImportFile, 'id' | 'organization_id'>>,
): Promise<void> {
  await tx
    .updateTable('import_files')
    .set(withJson(change, ['columns', 'sample', 'mapping']) as Updateable<ImportFileRow>)
    .where('id', '=', id)
    .execute();
}

/** Claims the only upload of a file. Undefined if it was claimed before or there is no such file. */
export const claimUpload = (tx: TicketsTx, id: string, now: string): Promise<StoredImportFile | undefined> =>
  tx
    .updateTable('import_files')
    .set({ upload_started_at: now })
    .where('id', '=', id)
    .where('upload_started_at', 'is', null)
    .returning(fileColumns)
    .executeTakeFirst();

export async function deleteImportFiles(tx: TicketsTx, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('import_files')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

export const findFilesOfImports = (tx: TicketsTx, organization_id: string, limit: number): Promise<{ id: string }[]> =>
  tx.selectFrom('import_files').select('id').where('organization_id', '=', organization_id).limit(limit).execute();

// ---- problems, and sweeps -------------------------------------------------------------------------------------------

/** In the order of the source. */
export const findProblems = (
  tx: TicketsTx,
  { organization_id, id }: ImportKey,
  { code, ...page }: PageQuery & { code?: ImportProblem['code'] | undefined },
): Promise<Page<ImportProblem>> =>
  paginate(
    tx,
    tx
      .selectFrom('import_problems')
      .select(['code', 'kind', 'key', 'file', 'line', 'field', 'value', 'position', 'id'])
      .where('organization_id', '=', organization_id)
      .where('import_id', '=', id)
      .$if(code !== undefined, (all) => all.where('code', '=', code!)),
    { ...page, orderBy: ['position', 'id'], direction: 'asc' },
  );

export const findActiveImportsAcrossOrganizations = (tx: TicketsTx) =>
  tx
    .selectFrom('imports')
    .select(['organization_id', 'id', 'job_id'])
    .where('state', 'in', activeImportStates)
    .orderBy('created_at')
    .limit(500)
    .execute();

/**
 * Imports with data that is no longer needed: files of those that have ended, and staged records that no undo needs any more. An import that
 * was not started keeps both until `unusedSince`.
 */
export const findPrunableAcrossOrganizations = (tx: TicketsTx, unusedSince: string, now: string) =>
  tx
    .selectFrom('imports')
    .select(['organization_id', 'id', 'state', 'has_files', 'has_records', 'undo_until'])
    .where((eb) => eb.or([eb('has_files', '=', true), eb('has_records', '=', true)]))
    .where((eb) =>
      eb.or([
        eb.and([eb('state', 'in', ['preparing', 'ready']), eb('updated_at', '<', unusedSince)]),
        eb.and([eb('state', 'in', ['done', 'cancelled', 'failed', 'undone']), eb('has_files', '=', true)]),
        eb.and([
          eb('state', 'in', ['done', 'cancelled', 'failed', 'undone']),
          eb('has_records', '=', true),
          eb.or([eb('undo_until', 'is', null), eb('undo_until', '<', now)]),
        ]),
      ]),
    )
    .orderBy('updated_at')
    .limit(100)
    .execute();

export type PrunableImport = Awaited<ReturnType<typeof findPrunableAcrossOrganizations>>[number];

/** As the API shows it. */
export function importView(row: StoredImport, files: readonly StoredImportFile[]): Import {
  const {
    organization_id: _o,
    sealed_token: _t,
    choices: _c,
    job_id: _j,
    check_id: _k,
    position: _p,
    has_files: _f,
    has_records: _r,
    ...shown
  } = row;
  return { ...shown, files: files.filter(({ import_id }) => import_id === row.id).map(fileView) };
}
const fileView = ({ id, file_name, size, kind, is_uploaded, columns: names, sample, mapping }: StoredImportFile): ImportFile => ({
  id, file_name, size, kind, is_uploaded, columns: names, sample, mapping,
}); // prettier-ignore
