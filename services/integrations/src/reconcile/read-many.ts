import { systemContext } from '@tandem/contracts';
import type { ToolCall } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsTx } from '../schema';
import { toolOf } from '../sync/caller';
import type { Reconciling } from './look-after';
import { pagesOf } from './read-list';
import { readSinceTold } from './reconcile';
import { findUnseenLinks } from './reconcile.store';
import { takeSnapshots } from './take-snapshots';

/** Up to this number of tasks, single reads are preferred to a page of the list. */
const few = 3;
export type Unseen = Awaited<ReturnType<typeof findUnseenLinks>>;

/** Linked tasks with changes that webhooks reported and that have not been read, if they are worth a batch; undefined for up to `few`. */
export async function findMany(tx: IntegrationsTx, integration: IntegrationRow): Promise<Unseen | undefined> {
  const unseen = await findUnseenLinks(tx, integration);
  return unseen.length > few ? unseen : undefined;
}

/**
 * Reads many tasks with one call per page. Tasks that the list does not show (deleted, moved) stay unread and are read one by one, as a few
 * remaining ones are. It never makes more calls than single reads would. `mayGoOn` is checked before each further page: the next run starts
 * with the tasks that are still unread.
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
