import { ToolError } from '../provider/task-tool';
import type { SyncContext } from '../engine/sync-context';
import { descriptionOf, ticketUrl } from './draft';
import { listedTickets, sharingLines } from '../merge/sharing';
import { findSharing, saveListed } from '../engine/sharing.store';
import { logSync } from '../engine/sync-log.store';
import { applySnapshot } from '../pull/apply-snapshot';
import type { LinkBundle } from '../engine/sync-link.store';

/**
 * Writes the tickets of a shared task, and the number of waiting customers, into Tandem's own lines of its description. Only those lines
 * change: edits of the text above and below them stay. Returns the updated link.
 */
export async function listTickets(sync: SyncContext, bundle: LinkBundle): Promise<LinkBundle> {
  const { db, ctx, tool, call, config } = sync;
  const { link, integration, copy } = bundle;
  if (!link.is_primary || (bundle.sharing === 'none' && link.listed_tickets === '')) return bundle;
  const sharing = await db.forTenant(ctx, (tx) => findSharing(tx, link));
  const listed = listedTickets(sharing);
  if (listed === link.listed_tickets) return bundle;
  const linesWith = (maxListed: number) => {
    const more = sharingLines(sharing, (id) => ticketUrl(config.PUBLIC_URL, id), maxListed);
    return descriptionOf({ tool, integration, copy }, null, config.PUBLIC_URL, more).lines;
  };
  // A long description may have room for fewer tickets; the others are only counted.
  const shorter = sharing.others.map((_, i) => linesWith(sharing.others.length - 1 - i));
  try {
    const task = await tool.writeLines(call, link.task_id!, linesWith(sharing.others.length), shorter);
    return await db.forTenant(ctx, async (tx) => {
      await saveListed(tx, link, listed);
      return (await applySnapshot(tx, ctx, link.ticket_id, task)) ?? bundle;
    });
  } catch (error) {
    if (!(error instanceof ToolError) || error.problem !== 'refused') throw error;
    // The lines are written again when the tickets change; the rest of the sync continues.
    await db.forTenant(ctx, async (tx) => {
      await saveListed(tx, link, listed);
      const message = `The task did not accept the list of its tickets: ${error.message}`;
      await logSync(tx, integration, { level: 'warning', ticket: copy, direction: 'to_task', message });
    });
    return bundle;
  }
}
