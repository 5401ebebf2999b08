import { importLimits } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { storageKey } from '../attachment/file.controller';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { findImportFiles, findImportForUpdate, saveImport, saveImportFile, type PrunableImport } from './import.store';
import { deleteStaged } from './record.store';

const dayMs = 86_400_000;
const deleteBatch = 10_000;
export const unusedSince = (now: Date): string => new Date(now.getTime() - importLimits.keepDays * dayMs).toISOString();

/**
 * Deletes the files of an import that has ended, and its staged records once it cannot be undone. An import that was not started ends here.
 * Bytes are deleted before their rows say so, so that an interrupted run is repeated.
 */
export async function pruneImport(db: Database<TicketsSchema>, storage: Storage, row: PrunableImport): Promise<void> {
  if (row.state === 'preparing' || row.state === 'ready') {
    const isEnded = await db.forTenant(row, async (tx) => {
      const current = await findImportForUpdate(tx, row);
      if (!current || (current.state !== 'preparing' && current.state !== 'ready') || current.updated_at >= unusedSince(new Date()))
        return false;
      await saveImport(tx, row, { state: 'cancelled', finished_at: new Date().toISOString(), sealed_token: null });
      return true;
    });
    if (!isEnded) return;
  }
  if (row.has_files) {
    const files = await db.forTenant(row, (tx) => findImportFiles(tx, [row.id]));
    for (const { id } of files) {
      await storage.remove(storageKey(row.organization_id, id));
      await db.forTenant(row, (tx) => saveImportFile(tx, id, { is_uploaded: false, sample: null }));
    }
    await db.forTenant(row, (tx) => saveImport(tx, row, { has_files: false }));
  }
  const isUndoable = row.undo_until !== null && row.undo_until > new Date().toISOString();
  if (!row.has_records || isUndoable) return;
  for (const table of ['import_records', 'import_problems'] as const)
    while ((await db.forTenant(row, (tx) => deleteStaged(tx, row, table, deleteBatch))) === deleteBatch);
  await db.forTenant(row, (tx) => saveImport(tx, row, { has_records: false }));
}
