import { systemContext } from '@tandem/contracts';
import type { ToolCall } from '../provider/task-tool';
import type { IntegrationRow } from '../schema';
import { toolOf } from '../sync/caller';
import type { Reconciling } from './look-after';
import { pagesOf } from './read-list';
import { readSinceTold } from './reconcile';
import { findUnseenLinks } from './reconcile.store';
import { takeSnapshots } from './take-snapshots';

/** So many single reads are worth a page of the list. */
const few = 3;

/**
 * Reads the tasks of an integration of which webhooks told changes that nobody has seen: many with one call, where there are many. For `few` it does
 * nothing, and what the list does not show (deleted, moved) stays told: both are read one by one. Never more calls than that would be.
 */
export async function readMany(around: Pick<Reconciling, 'db' | 'log'>, integration: IntegrationRow, call: ToolCall): Promise<void> {
  const ctx = systemContext(integration.organization_id, `read-many-${integration.id}`);
  const unseen = await around.db.forTenant(ctx, (tx) => findUnseenLinks(tx, integration));
  if (unseen.length <= few) return;
  const tool = toolOf(integration.provider);
  const missing = new Set(unseen.map(({ task_id }) => task_id));
  let pages = 0;
  const since = readSinceTold(unseen.map(({ task_told_at }) => task_told_at));
  for await (const page of pagesOf(tool, call, integration.list_id, since)) {
    await takeSnapshots(around, ctx, integration, page);
    for (const { id } of page) missing.delete(id);
    pages += 1;
    if (missing.size <= few || pages > missing.size) return;
  }
}
