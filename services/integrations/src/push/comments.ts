import { taskCommentReceived, ticketLimits, type CommentSync, type Context } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { clocksDifferMs, cut } from '../provider/read';
import { ToolError, type ExternalComment } from '../provider/task-tool';
import type { CommentLinkRow, IntegrationsTx, LinkRow } from '../schema';
import { anyComment } from '../pull/webhook';
import type { SyncContext } from '../engine/sync-context';
import { backOffMs } from '../engine/back-off';
import { commentMarker, hasMarker, isOurs } from '../merge/comment-text';
import { ticketUrl } from './draft';
import { findFollowersForUpdate, findOwnComments } from '../engine/sharing.store';
import { logSync } from '../engine/sync-log.store';
import { mayBeInFlight, assertNotInFlight, searchTime } from './in-flight';
import { loadLink, loadLinkForUpdate, postponeLink, type LinkBundle } from '../engine/sync-link.store';

const syncsToTask = (comment_sync: CommentSync): boolean => comment_sync === 'both' || comment_sync === 'to_task';
const syncsToTicket = (comment_sync: CommentSync): boolean => comment_sync === 'both' || comment_sync === 'to_ticket';

/** How often a comment that a webhook reported is searched: the tool's API may lag behind its webhooks. */
const maxTries = 3;
const earlier = (at: string, ms: number): string => new Date(Date.parse(at) - ms).toISOString();

/** Posts pending comments to the task, the oldest first, each exactly once, even if the response to an earlier attempt was lost. */
export async function sendComments(sync: SyncContext, ticket_id: string): Promise<void> {
  const { db, ctx } = sync;
  const work = await db.forTenant(ctx, (tx) => loadLink(tx, ticket_id));
  if (!work?.link.task_id) return;
  const pending = await db.forTenant(ctx, (tx) => findPending(tx, ticket_id));
  for (const comment of pending) {
    // A null `comment_id` is our own "linked to ticket" comment: it is always posted, even if comment sync is off.
    if (comment.comment_id !== null && !syncsToTask(work.integration.comment_sync))
      await db.forTenant(ctx, (tx) => deletePending(tx, comment.id));
    else await send(sync, work, comment);
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
    // It is not known whether the request took effect: the comment is searched before it is posted again.
    if (mayBeInFlight(error)) await db.forTenant(ctx, (tx) => recordInFlight(tx, comment.id, config.TASK_TOOL_TIMEOUT_MS));
    if (!(error instanceof ToolError) || error.problem === 'unreachable') throw error;
    await db.forTenant(ctx, (tx) =>
      error.problem === 'refused' ? fail(tx, { integration, copy }, comment, error) : clearStart(tx, comment.id),
    );
    if (error.problem !== 'refused') throw error;
  }
}

/** Reads comments that webhooks reported and that are not known yet: those that we did not post become internal notes, each once. */
export async function receiveComments(sync: SyncContext, ticket_id: string): Promise<void> {
  const { db, ctx, tool, call } = sync;
  const found = await db.forTenant(ctx, async (tx) => {
    const work = await loadLink(tx, ticket_id);
    const reported = work?.link.pending_comment_ids ?? [];
    const unknown = reported.length > 0 && syncsToTicket(work!.integration.comment_sync) ? await findUnknown(tx, work!, reported) : [];
    if (work && reported.length > 0 && unknown.length === 0) await acknowledgeComments(tx, ticket_id, reported);
    return { work, reported, unknown, since: work && unknown.length > 0 ? await findReadStart(tx, work, unknown) : '' };
  });
  if (!found.work?.link.task_id || found.unknown.length === 0) return;
  // A webhook that did not name its comment may be about any of them.
  const sought = found.unknown.includes(anyComment) ? undefined : found.unknown;
  const comments = await tool.listComments(call, found.work.link.task_id, found.since, sought);
  await db.forTenant(ctx, async (tx) => {
    // The primary link is locked before the others, as everywhere: two transactions cannot wait for each other.
    const work = await loadLinkForUpdate(tx, ticket_id);
    if (work?.link.task_id !== found.work?.link.task_id || !work) return;
    const links = work.sharing === 'primary' ? [work.link, ...(await findFollowersForUpdate(tx, work.link))] : [work.link];
    const own =
      links.length > 1
        ? await findOwnComments(
            tx,
            work.link,
            comments.map(({ id }) => id),
          )
        : new Set<string>();
    for (const comment of comments.toReversed()) for (const link of links) await receive(tx, ctx, sync, link, comment, own.has(comment.id));
    const missing = found.unknown.filter((id) => id !== anyComment && !comments.some((comment) => comment.id === id));
    await (missing.length === 0 ? acknowledgeComments(tx, ticket_id, found.reported) : retryMissing(tx, work, found.reported, missing));
  });
}

/**
 * Only the comments that were found are acknowledged. The missing ones are given up after some attempts, because they may have been
 * deleted.
 */
async function retryMissing(
  tx: IntegrationsTx,
  { link, integration, copy }: LinkBundle,
  reported: string[],
  missing: string[],
): Promise<void> {
  const tries = link.comment_attempts + 1;
  if (tries < maxTries) {
    const found = reported.filter((id) => !missing.includes(id));
    await acknowledgeComments(tx, link.ticket_id, found, tries);
    return postponeLink(tx, link, { ms: backOffMs(tries) }, link.problem);
  }
  await acknowledgeComments(tx, link.ticket_id, reported);
  const message = 'A comment of the task reported by a webhook could not be found: it may have been deleted';
  await logSync(tx, integration, { level: 'warning', ticket: copy, direction: 'to_ticket', message });
}

async function receive(
  tx: IntegrationsTx,
  ctx: Context,
  { tool, connection }: SyncContext,
  link: LinkRow,
  comment: ExternalComment,
  isSent: boolean,
): Promise<void> {
  const { organization_id, ticket_id } = link;
  const isOwn = isSent || (isOurs(comment.text) && (connection.account_id === '' || comment.author.id === connection.account_id));
  const row = { organization_id, id: newId(), ticket_id, external_id: comment.id, created_at: comment.at };
  const added = await tx
    .insertInto('comment_links')
    .values({ ...row, state: isOwn ? 'sent' : 'received' })
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id', 'external_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  // Comments from before the link are not copied to the ticket, even when they are edited now.
  const isOlder = comment.at < earlier(link.created_at, clocksDifferMs);
  if (!added || isOwn || isOlder || comment.text.trim() === '') return;
  await emit(tx, ctx, taskCommentReceived, ticket_id, {
    ticket_id,
    tool_name: tool.name,
    external_id: comment.id,
    author_name: comment.author.name,
    content: cut(comment.text, ticketLimits.comment),
    written_at: comment.at,
  });
}

// ---- rows ------------------------------------------------------------------------------------------------------

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
  const begun = await tx
    .updateTable('comment_links')
    .set({ send_started_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('send_started_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return begun !== undefined;
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
    ...{ level: 'warning', ticket: copy, direction: 'to_task', message: `A comment was not taken by the task: ${error.message}` },
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

async function findUnknown(tx: IntegrationsTx, { link, sharing }: LinkBundle, external_ids: string[]): Promise<string[]> {
  const own = sharing === 'primary' ? await findOwnComments(tx, link, external_ids) : new Set<string>();
  const known = await tx
    .selectFrom('comment_links')
    .select('external_id')
    .where('ticket_id', '=', link.ticket_id)
    .where('external_id', 'in', external_ids)
    .execute();
  return external_ids.filter((id) => !own.has(id) && !known.some(({ external_id }) => external_id === id));
}

/**
 * The time from which comments are read: an hour before the last known one, so that a comment whose webhook was lost is included. If a
 * webhook did not name its comment, from the start of the link, because later comments may already be known.
 */
async function findReadStart(tx: IntegrationsTx, { link }: LinkBundle, unknown: string[]): Promise<string> {
  const last = await tx
    .selectFrom('comment_links')
    .select(sql<string | null>`max(created_at)`.as('at'))
    .where('ticket_id', '=', link.ticket_id)
    .where('external_id', 'is not', null)
    .executeTakeFirst();
  const beginning = earlier(link.created_at, clocksDifferMs);
  if (unknown.includes(anyComment)) return beginning;
  const shortly = earlier(last?.at ?? link.created_at, 60 * 60_000);
  return shortly > beginning ? shortly : beginning;
}

/** Acknowledges the comments that were read; one reported in the meantime stays pending. */
const acknowledgeComments = (tx: IntegrationsTx, ticket_id: string, reported: string[], comment_attempts = 0) =>
  tx
    .updateTable('links')
    .set({
      comment_attempts,
      pending_comment_ids: sql<string[]>`array(select id from unnest(pending_comment_ids) as id where id <> all(${reported}::text[]))`,
    })
    .where('ticket_id', '=', ticket_id)
    .execute();
