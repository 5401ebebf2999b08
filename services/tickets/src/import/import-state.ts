import { importChanged, importLimits, ticketsImported, type DataOf, type Import, type TenantContext } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { hasCreated, type Counts } from './import';
import type { ImportChange, StoredImport } from './import.store';

/** What the row of an import becomes when it ends. It can be undone for a day if it has created something. */
export function endOfImport(state: Import['state'], { counts }: Pick<StoredImport, 'counts'>): ImportChange {
  const now = new Date();
  const undo_until = hasCreated(counts) ? new Date(now.getTime() + importLimits.undoHours * 3_600_000).toISOString() : null;
  return { state, finished_at: now.toISOString(), undo_until, progress: null, sealed_token: null, job_id: null, check_id: null };
}

/** For the audit log, and for open lists once tickets have been created. */
export async function announceImport(
  tx: TicketsTx,
  ctx: TenantContext,
  row: Pick<StoredImport, 'id' | 'source' | 'name' | 'counts'>,
  what: DataOf<typeof importChanged>['what'],
): Promise<void> {
  const { source, name, counts } = row;
  await emit(tx, ctx, importChanged, row.id, { what, source, name, tickets: counts.ticket?.created ?? 0 });
  if (what !== 'created' && what !== 'started' && hasCreated(counts)) await emit(tx, ctx, ticketsImported, row.id, { import_id: row.id });
}

export const jobIdOf = ({ id, job_id }: Pick<StoredImport, 'id' | 'job_id'>): string => `${id}_${job_id}`;

export function progressOf(counts: Counts): { done: number; total: number } {
  const sum = (of: (count: NonNullable<Counts[keyof Counts]>) => number) =>
    Object.values(counts).reduce((all, count) => all + of(count), 0);
  return { done: sum(({ created, existing, failed }) => created + existing + failed), total: sum(({ found }) => found) };
}
