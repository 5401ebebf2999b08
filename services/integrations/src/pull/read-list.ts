import type { Context } from '@tandem/contracts';
import type { TaskSnapshot, TaskTool, ToolCall } from '../provider/task-tool';
import type { IntegrationRow } from '../schema';
import { later } from './webhook';
import type { ReconcileDeps } from './reconcile-deps';
import { resumeFrom, readSince } from './reconcile';
import { markTasksUnread, startScan, countLinks, findUnscanned, recordScanned, saveIntegration } from './reconcile.store';
import { applyPage } from './apply-page';

export interface Reading extends Pick<ReconcileDeps, 'db' | 'log'> {
  ctx: Context;
  tool: TaskTool;
  integration: IntegrationRow;
  call: ToolCall;
}

/** Tasks of a list that changed after `since`, the oldest change first; one page is in memory at a time. */
export async function* pagesOf(tool: TaskTool, call: ToolCall, list_id: string, since: string | null): AsyncGenerator<TaskSnapshot[]> {
  let cursor: string | undefined;
  do {
    const page = await tool.listChanged(call, list_id, since, cursor);
    yield page.tasks;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

const latestOf = (page: TaskSnapshot[], before: string | null): string | null =>
  page.reduce((until: string | null, { updated_at }) => later(until, updated_at), before);

/** Reads the changes since the last time. The progress is saved after each page, because the rate limit may interrupt the run. */
export async function readChanges(reading: Reading): Promise<void> {
  const { db, ctx, tool, integration, call } = reading;
  let list_read_until = integration.list_read_until;
  for await (const page of pagesOf(tool, call, integration.list_id, readSince(integration))) {
    if (page.length === 0) continue;
    await applyPage(reading, ctx, integration, page, { findsLostComments: true });
    list_read_until = latestOf(page, list_read_until);
    await db.forTenant(ctx, (tx) => saveIntegration(tx, integration, { list_read_until }));
  }
}

/**
 * Reads the whole list. Tasks that it does not contain are requested one by one, because only that proves that they were deleted and not
 * moved. If the list is so long that single requests are cheaper, the tasks not found so far are requested instead.
 */
export async function fullScan(reading: Reading): Promise<void> {
  const { db, ctx, tool, integration, call } = reading;
  const { since, from } = await db.forTenant(ctx, (tx) => startScan(tx, integration));
  let left = await db.forTenant(ctx, (tx) => countLinks(tx, integration));
  let scanned_until = from;
  if (left > 0)
    for await (const page of pagesOf(tool, call, integration.list_id, from && resumeFrom(from))) {
      if (page.length === 0) continue;
      await applyPage(reading, ctx, integration, page);
      scanned_until = latestOf(page, scanned_until);
      const task_ids = page.map(({ id }) => id);
      await db.forTenant(ctx, (tx) => recordScanned(tx, integration, task_ids, scanned_until));
      left -= tool.list_page_calls;
      if (left <= 0) break;
    }
  await db.forTenant(ctx, async (tx) => {
    const task_ids = await findUnscanned(tx, integration, since);
    if (task_ids.length > 0) await markTasksUnread(tx, integration, { task_ids });
    await saveIntegration(tx, integration, { scanned_at: since, scan_started_at: null, scanned_until: null });
  });
}
