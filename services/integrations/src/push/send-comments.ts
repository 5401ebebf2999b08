import type { CommentSync } from '@tandem/contracts';
import { sql } from 'kysely';
import type { SyncContext } from '../engine/sync-context';
import type { LinkBundle } from '../engine/sync-link.store';
import { logSync } from '../engine/sync-log.store';
import { commentMarker, hasMarker } from '../merge/comment-text';
import { clocksDifferMs, earlier } from '../provider/read';
import { ToolError } from '../provider/task-tool';
import type { CommentLinkRow, IntegrationsTx } from '../schema';
import { ticketUrl } from './draft';
import { assertNotInFlight, mayBeInFlight, searchTime } from './in-flight';

const syncsToTask = (comment_sync: CommentSync): boolean => comment_sync === 'both' || comment_sync === 'to_task';

/** Posts pending comments to the task, the oldest first, each exactly once, even if the response to an earlier attempt was lost. */
export async function sendComments(sync: SyncContext, bundle: LinkBundle): Promise<void> {
  const { db, ctx } = sync;
  const pending = await db.forTenant(ctx, (tx) => findPending(tx, bundle.link.ticket_id));
  for (const comment of pending) {
    // A null `comment_id` is our own "linked to ticket" comment: it is always posted, even if comment sync is off.
    if (comment.comment_id !== null && !syncsToTask(bundle.integration.comment_sync))
      await db.forTenant(ctx, (tx) => deletePending(tx, comment.id));
    else await send(sync, bundle, comment);
  }
}

async function send(
  { db, ctx, tool, call, config }: SyncContext,
  { link, integration, copy, sharing }: LinkBundle,
  comment: CommentLinkRow,
): Promise<void> {
  // Several tickets comment on a shared task, so each comment starts with its ticket's number.
  const contentOf = ({ content, comment_id }: CommentLinkRow): string =>
    sharing === 'none' || comment_id === null ? (content ?? '') : `${copy.ticket_number} · ${content ?? ''}`;
  const marker = commentMarker(copy.ticket_number, comment.comment_id ?? comment.id);
  if (comment.send_started_at !== null) {
    assertNotInFlight(comment.retry_search_at);
    const there = await tool.listComments(call, link.task_id!, earlier(comment.send_started_at, clocksDifferMs), []);
    const found = there.find(({ text }) => hasMarker(text, marker));
    if (found) return db.forTenant(ctx, (tx) => markSent(tx, comment, found.id));
  } else if (!(await db.forTenant(ctx, (tx) => recordStart(tx, comment.id)))) return;
  try {
    const { id } = await tool.addComment(call, link.task_id!, contentOf(comment), {
      line: marker,
      whole: ticketUrl(config.PUBLIC_URL, link.ticket_id),
    });
    await db.forTenant(ctx, (tx) => markSent(tx, comment, id));
  } catch (error) {
    // It is not known whether the request took effect: the comment is searched for before it is posted again.
    if (mayBeInFlight(error)) await db.forTenant(ctx, (tx) => recordInFlight(tx, comment.id, config.TASK_TOOL_TIMEOUT_MS));
    if (!(error instanceof ToolError) || error.problem === 'unreachable') throw error;
    await db.forTenant(ctx, (tx) =>
      error.problem === 'refused' ? fail(tx, { integration, copy }, comment, error) : clearStart(tx, comment.id),
    );
    if (error.problem !== 'refused') throw error;
  }
}

const findPending = (tx: IntegrationsTx, ticket_id: string): Promise<CommentLinkRow[]> =>
  tx
    .selectFrom('comment_links')
    .selectAll()
    .where('ticket_id', '=', ticket_id)
    .where('state', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id')
    .limit(50)
    .execute();

async function recordStart(tx: IntegrationsTx, id: string): Promise<boolean> {
  const started = await tx
    .updateTable('comment_links')
    .set({ send_started_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('send_started_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return started !== undefined;
}

/** A webhook that arrived before the response may have created another row for this comment: delete that one. */
async function markSent(tx: IntegrationsTx, comment: CommentLinkRow, external_id: string): Promise<void> {
  await tx
    .deleteFrom('comment_links')
    .where('ticket_id', '=', comment.ticket_id)
    .where('external_id', '=', external_id)
    .where('id', '<>', comment.id)
    .execute();
  await tx.updateTable('comment_links').set({ state: 'sent', external_id, content: null }).where('id', '=', comment.id).execute();
}

async function fail(
  tx: IntegrationsTx,
  { integration, copy }: Pick<LinkBundle, 'integration' | 'copy'>,
  comment: CommentLinkRow,
  error: ToolError,
) {
  await tx.updateTable('comment_links').set({ state: 'failed', content: null }).where('id', '=', comment.id).execute();
  await logSync(tx, integration, {
    level: 'warning',
    ticket: copy,
    direction: 'to_task',
    message: `The task did not accept a comment: ${error.message}`,
  });
}

async function recordInFlight(tx: IntegrationsTx, id: string, timeoutMs: number): Promise<void> {
  await tx
    .updateTable('comment_links')
    .set({ retry_search_at: searchTime(timeoutMs) })
    .where('id', '=', id)
    .execute();
}

async function clearStart(tx: IntegrationsTx, id: string): Promise<void> {
  await tx.updateTable('comment_links').set({ send_started_at: null }).where('id', '=', id).execute();
}
const deletePending = (tx: IntegrationsTx, id: string) =>
  tx.deleteFrom('comment_links').where('id', '=', id).where('state', '=', 'pending').execute();
