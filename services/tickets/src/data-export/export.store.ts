import { exportLimits, type Export, type Page, type PageQuery } from '@tandem/contracts';
import { lockName, paginate } from '@tandem/db';
import { sql } from 'kysely';
import type { ExportRow, TicketsTx } from '../schema';
import type { ArchivePiece } from './export';

const shown = [
  'id',
  'state',
  'is_of_customer',
  'sealed_email',
  'has_files',
  'pieces',
  'lines_done',
  'lines_total',
  'created_by',
  'created_at',
  'finished_at',
  'expires_at',
] as const satisfies readonly (keyof ExportRow)[];

/** An export whose address is sealed. */
export type StoredExport = Omit<Export, 'customer_email'> & { sealed_email: string | null };
type ShownRow = Omit<StoredExport, 'size' | 'progress'> & { pieces: ArchivePiece[]; lines_done: number; lines_total: number | null };

const exportOf = ({ pieces, lines_done, lines_total, ...row }: ShownRow): StoredExport => ({
  ...row,
  size: row.state === 'done' ? pieces.reduce((sum, { size }) => sum + size, 0) : null,
  progress: row.state === 'running' && lines_total !== null ? { done: lines_done, total: Math.max(lines_done, lines_total) } : null,
});

// The table is readable for the system as well, so queries filter by organization: otherwise the planner uses no index.
const visible = (tx: TicketsTx, organization_id: string) =>
  tx.selectFrom('exports').select(shown).where('organization_id', '=', organization_id).where('is_deleted', '=', false);

export async function findExports(tx: TicketsTx, organization_id: string, query: PageQuery): Promise<Page<StoredExport>> {
  const { items, pagination } = await paginate(tx, visible(tx, organization_id), query);
  return { items: items.map(exportOf), pagination };
}

export async function findExport(tx: TicketsTx, organization_id: string, id: string): Promise<StoredExport | undefined> {
  const row = await visible(tx, organization_id).where('id', '=', id).executeTakeFirst();
  return row && exportOf(row);
}

/** The exports of the last day, also deleted ones, and whether one is running. Concurrent calls wait for each other. */
export async function countExportsForUpdate(tx: TicketsTx, organization_id: string): Promise<{ count: number; is_running: boolean }> {
  await lockName(tx, `exports ${organization_id}`);
  const { rows } = await sql<{ count: number; is_running: boolean }>`
    select count(*) filter (where created_at > now() - interval '1 day')::int as count,
      coalesce(bool_or(state = 'running' and not is_deleted), false) as is_running
    from exports where organization_id = ${organization_id}::uuid`.execute(tx);
  return rows[0]!;
}

export async function insertExport(
  tx: TicketsTx,
  row: Pick<ExportRow, 'organization_id' | 'id' | 'has_files' | 'missing_parts' | 'created_by' | 'created_at' | 'sealed_email'> & {
    is_of_customer: boolean;
  },
): Promise<void> {
  await tx.insertInto('exports').values(row).execute();
}

const running = [
  'id',
  'is_of_customer',
  'sealed_email',
  'has_files',
  'missing_parts',
  'pieces',
  'created_by',
  'created_at',
] as const satisfies readonly (keyof ExportRow)[];

/** Locks a running export that is not deleted. */
export const findRunningForUpdate = (tx: TicketsTx, organization_id: string, id: string) =>
  tx
    .selectFrom('exports')
    .select(running)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('is_deleted', '=', false)
    .forUpdate()
    .executeTakeFirst();

const ofRun = (tx: TicketsTx, id: string, run_id: string) =>
  tx
    .updateTable('exports')
    .where('id', '=', id)
    .where('run_id', '=', run_id)
    .where('state', '=', 'running')
    .where('is_deleted', '=', false);

/** False if the run must stop: another one has started, or the export was deleted. */
const isUpdated = async (query: ReturnType<typeof ofRun>): Promise<boolean> =>
  (await query.returning('id').executeTakeFirst()) !== undefined;

export async function startRun(tx: TicketsTx, id: string, run_id: string, lines_total: number): Promise<void> {
  await tx.updateTable('exports').set({ run_id, lines_total, lines_done: 0, pieces: '[]' }).where('id', '=', id).execute();
}

export const saveProgress = (tx: TicketsTx, id: string, run_id: string, lines_done: number): Promise<boolean> =>
  isUpdated(ofRun(tx, id, run_id).set({ lines_done }));

export const savePieces = (tx: TicketsTx, id: string, run_id: string, pieces: readonly ArchivePiece[]): Promise<boolean> =>
  isUpdated(ofRun(tx, id, run_id).set({ pieces: JSON.stringify(pieces) }));

export const finishRun = (
  tx: TicketsTx,
  id: string,
  run_id: string,
  times: { finished_at: string; expires_at: string },
): Promise<boolean> => isUpdated(ofRun(tx, id, run_id).set({ state: 'done', run_id: null, ...times }));

/** The caller has locked the export. Its pieces are removed by `pruneExports`. */
export async function failExport(tx: TicketsTx, id: string): Promise<void> {
  await tx
    .updateTable('exports')
    .set({ state: 'failed', run_id: null, sealed_email: null, finished_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** False if there is no such export. */
export async function markDeleted(
  tx: TicketsTx,
  organization_id: string,
  id: string,
): Promise<{ has_files: boolean; is_of_customer: boolean } | undefined> {
  return tx
    .updateTable('exports')
    .set({ is_deleted: true })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('is_deleted', '=', false)
    .returning(['has_files', 'is_of_customer'])
    .executeTakeFirst();
}

// ---- what an archive consists of --------------------------------------------------------------------------------

/** The pieces of an archive that can be downloaded. */
export async function findArchive(tx: TicketsTx, organization_id: string, id: string) {
  return tx
    .selectFrom('exports')
    .select(['pieces', 'finished_at', 'is_of_customer'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('state', '=', 'done')
    .where('is_deleted', '=', false)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();
}

/** The exports of an organization that have pieces. */
export const findArchivesOfOrganization = (tx: TicketsTx, organization_id: string, limit: number) =>
  tx
    .selectFrom('exports')
    .select(['id', 'pieces'])
    .where('organization_id', '=', organization_id)
    .where(sql<boolean>`pieces <> '[]'`)
    .limit(limit)
    .execute();

/** Called once the bytes of the pieces are removed. */
export async function forgetPieces(tx: TicketsTx, organization_id: string, id: string): Promise<void> {
  await tx.updateTable('exports').set({ pieces: '[]' }).where('organization_id', '=', organization_id).where('id', '=', id).execute();
}

/** Called once the bytes of the pieces are removed: an export that has ended stays in the list, one that was deleted stays for the limit per day. */
export async function endArchive(tx: TicketsTx, organization_id: string, id: string): Promise<void> {
  await tx
    .updateTable('exports')
    .set({ pieces: '[]', run_id: null, sealed_email: null, state: sql`case when state = 'failed' then 'failed' else 'expired' end` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteOldExports(tx: TicketsTx, organization_id: string): Promise<void> {
  await tx
    .deleteFrom('exports')
    .where('organization_id', '=', organization_id)
    .where('is_deleted', '=', true)
    .where('state', 'in', ['expired', 'failed'])
    .where('created_at', '<', sql<string>`now() - interval '1 day'`)
    .execute();
}

// ---- sweeps -----------------------------------------------------------------------------------------------------

/** Exports of which all parts have arrived. */
export const findWritableAcrossOrganizations = (tx: TicketsTx) =>
  tx
    .selectFrom('exports')
    .select(['organization_id', 'id'])
    .where('state', '=', 'running')
    .where('is_deleted', '=', false)
    .where(sql<boolean>`missing_parts = '{}'`)
    .orderBy('created_at')
    .limit(100)
    .execute();

/** Exports whose archive must be removed: it has expired, was deleted, or an interrupted run has left pieces of it. */
export const findEndedAcrossOrganizations = (tx: TicketsTx, limit: number) =>
  tx
    .selectFrom('exports')
    .select(['organization_id', 'id', 'pieces', 'is_deleted'])
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'done'), eb('expires_at', 'is not', null), eb('expires_at', '<', sql<string>`now()`)]),
        eb.and([eb('is_deleted', '=', true), eb('state', 'in', ['running', 'done'])]),
        eb.and([eb('state', '=', 'failed'), sql<boolean>`pieces <> '[]'`]),
        eb.and([eb('is_deleted', '=', true), eb('created_at', '<', sql<string>`now() - interval '1 day'`)]),
      ]),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute();

/** Running exports whose parts have not arrived in time. */
export const findLateAcrossOrganizations = (tx: TicketsTx, limit: number) =>
  tx
    .selectFrom('exports')
    .select(['organization_id', 'id'])
    .where('state', '=', 'running')
    .where('is_deleted', '=', false)
    .where(sql<boolean>`missing_parts <> '{}'`)
    .where('created_at', '<', sql<string>`now() - make_interval(mins => ${exportLimits.partMinutes})`)
    .orderBy('created_at')
    .limit(limit)
    .execute();
