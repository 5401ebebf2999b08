import { systemContext } from '@tandem/contracts';
import type { ToolCall } from '../provider/task-tool';
import type { IntegrationRow, IntegrationsTx } from '../schema';
import { toolOf } from '../sync/caller';
import type { Reconciling } from './look-after';
import { pagesOf } from './read-list';
import { readSinceTold } from './reconcile';
import { findUnseenLinks } from './reconcile.store';
import { takeSnapshots } from './take-snapshots';

/**
 * Maximum number of single reads for each call that a page of the list takes. More than one, because a page takes longer and may not show the
 * changed tasks.
 */
const readsPerPageCall = 3;
const fewReads = ({ provider }: IntegrationRow): number => readsPerPageCall * toolOf(provider).list_page_calls;
export type Unseen = Awaited<ReturnType<typeof findUnseenLinks>>;

/**
 * Linked tasks with changes that webhooks reported and that have not been read, except `unlisted` ones, if there are enough to read pages of
 * the list; undefined otherwise.
 */
export async function findMany(
  tx: IntegrationsTx,
  integration: IntegrationRow,
  unlisted: ReadonlySet<string>,
): Promise<Unseen | undefined> {
  const unseen = (await findUnseenLinks(tx, integration)).filter(({ task_id }) => !unlisted.has(task_id));
  return unseen.length > fewReads(integration) ? unseen : undefined;
}

/**
 * Reads many tasks by pages of their list. A further page is read only if the pages so far took no more calls than reading their tasks one by
 * one, so at most one page is wasted. Returns the tasks that no page showed (deleted, moved, or only a few left): they are read one by one.
 * `mayGoOn` is checked before each further page: the next run starts with the tasks that are still unread.
 */
export async function readMany(
  around: Pick<Reconciling, 'db' | 'log'>,
  integration: IntegrationRow,
  { unseen, call, mayGoOn }: { unseen: Unseen; call: ToolCall; mayGoOn: () => boolean },
): Promise<Set<string>> {
  const ctx = systemContext(integration.organization_id, `read-many-${integration.id}`);
  const tool = toolOf(integration.provider);
  const missing = new Set(unseen.map(({ task_id }) => task_id));
  let calls = 0;
  const since = readSinceTold(unseen.map(({ task_told_at }) => task_told_at));
  for await (const page of pagesOf(tool, call, integration.list_id, since)) {
    await takeSnapshots(around, ctx, integration, page);
    for (const { id } of page) missing.delete(id);
    calls += tool.list_page_calls;
    const isWorthwhile = calls <= unseen.length - missing.size;
    if (missing.size <= fewReads(integration) || !isWorthwhile || !mayGoOn()) break;
  }
  return missing;
}
