import { ticketsDeleted, type TenantContext } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { storageKey } from '../attachment/file.controller';
import type { TicketsSchema, TicketsTx } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { deleteFileRows, deleteTicketsWithRows, findFilesOfTickets, type DeletedTickets } from './delete-tickets.store';

/** Files that are removed before their rows in one step. */
const fileBatch = 100;
/** Tickets of one call: the maximum of an event. */
export const maxDeletedTickets = 500;

export interface DeletionOptions {
  /** Whether analytics keeps counts and times of resolved and closed tickets. */
  keep_figures?: boolean;
  /** The erasure that deletes them. */
  erasure_id?: string | null;
  /** Does more in the transaction that deletes the tickets. */
  within?: (tx: TicketsTx, deleted: DeletedTickets) => Promise<void>;
}

/**
 * Deletes tickets with everything that belongs to them, and announces it to the other services. The bytes of files are removed before their
 * rows, which are the only reference to them. It can be repeated after an interruption.
 *
 * @param ticket_ids at most 500
 */
export async function deleteTickets(
  { db, storage }: { db: Database<TicketsSchema>; storage: Storage },
  ctx: TenantContext,
  ticket_ids: readonly string[],
  { keep_figures = false, erasure_id = null, within }: DeletionOptions = {},
): Promise<DeletedTickets> {
  const { organization_id } = ctx;
  const files = await removeFiles({ db, storage }, ctx, (tx) => findFilesOfTickets(tx, organization_id, ticket_ids, fileBatch));
  return db.forTenant(ctx, async (tx) => {
    const deleted = { ...(await deleteTicketsWithRows(tx, organization_id, ticket_ids)), files };
    if (deleted.ticket_ids.length > 0) {
      await emit(tx, ctx, ticketsDeleted, ctx.organization_id, {
        ticket_ids: deleted.ticket_ids,
        keep_figures,
        is_anonymized: false,
        erasure_id,
      });
    }
    await within?.(tx, deleted);
    return deleted;
  });
}

/**
 * Removes the files that `find` returns, until it returns none, and returns their number. A file that is added to a ticket in the meantime is
 * detached with the ticket, and removed by the sweep.
 */
export async function removeFiles(
  { db, storage }: { db: Database<TicketsSchema>; storage: Storage },
  ctx: TenantContext,
  find: (tx: TicketsTx) => Promise<string[]>,
): Promise<number> {
  for (let removed = 0; ;) {
    const ids = await db.forTenant(ctx, find);
    if (ids.length === 0) return removed;
    for (const id of ids) await storage.remove(storageKey(ctx.organization_id, id));
    await db.forTenant(ctx, (tx) => deleteFileRows(tx, ids));
    removed += ids.length;
  }
}
