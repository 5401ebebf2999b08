import { systemContext } from '@tandem/contracts';
import type { ToolCall } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsTx } from '../schema';
import { toolOf } from '../sync/caller';
import type { Reconciling } from './look-after';
import { pagesOf } from './read-list';
import { readSinceTold } from './reconcile';
import { findUnseenLinks } from './reconcile.store';
import { takeSnapshots } from './take-snapshots';

/** So many single reads are worth a page of the list. */
const few = 3;
export type Unseen = Awaited<ReturnType<typeof findUnseenLinks>>;

/** Tasks of which webhooks told changes that nobody has seen, where they are so many that they are better read with the list; undefined for `few`. */
export async function findMany(tx: IntegrationsTx, integration: IntegrationRow): Promise<Unseen | undefined> {
  const unseen = await findUnseenLinks(tx, integration);
  return unseen.length > few ? unseen : undefined;
}

/**
 * Reads many tasks with one call. What the list does not show (deleted, moved) stays told, and is read one by one, as a few are. Never more calls than
 * that would be. `mayGoOn` is asked before each further page: whoever comes next begins with what is not seen yet.
 */
export async function readMany(
  around: Pick<Reconciling, 'db' | 'log'>,
  integration: IntegrationRow,
  { unseen, call, mayGoOn }: { unseen: Unseen; call: ToolCall; mayGoOn: () => boolean },
): Promise<void> {
  const ctx = systemContext(integration.organization_id, `read-many-${integration.id}`);
  const missing = new Set(unseen.map(({ task_id }) => task_id));
  let pages = 0;
  const since = readSinceTold(unseen.map(({ task_told_at }) => task_told_at));
  for await (const page of pagesOf(toolOf(integration.provider), call, integration.list_id, since)) {
    await takeSnapshots(around, ctx, integration, page);
    for (const { id } of page) missing.delete(id);
    pages += 1;
    if (missing.size <= few || pages > missing.size || !mayGoOn()) return;
  }
}
