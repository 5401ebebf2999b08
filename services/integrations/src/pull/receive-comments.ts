import { taskCommentReceived, ticketLimits, type CommentSync } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { backOffMs } from '../engine/back-off';
import { updateLinks } from '../engine/link-state';
import { anyComment } from '../engine/link-values';
import { findFollowersForUpdate, findOwnComments } from '../engine/sharing.store';
import type { SyncContext } from '../engine/sync-context';
import { loadLinkForUpdate, postponeLink, type LinkBundle } from '../engine/sync-link.store';
import { logSync } from '../engine/sync-log.store';
import { isOurs } from '../merge/comment-text';
import { clocksDifferMs, cut, earlier } from '../provider/read';
import type { ExternalComment } from '../provider/task-tool';
import type { IntegrationsTx, LinkRow } from '../schema';

const syncsToTicket = (comment_sync: CommentSync): boolean => comment_sync === 'both' || comment_sync === 'to_ticket';

/** How often a comment that a webhook reported is searched for: the tool's API may lag behind its webhooks. */
const maxTries = 3;

/** Reads comments that webhooks reported and that are not known yet: those that we did not post become internal notes, each once. */
export async function receiveComments(sync: SyncContext, bundle: LinkBundle): Promise<void> {
  const { db, ctx, tool, call } = sync;
  const { ticket_id, task_id, pending_comment_ids: reported } = bundle.link;
  if (task_id === null || reported.length === 0) return;
  const { unknown, since } = await db.forTenant(ctx, (tx) => findUnread(tx, bundle, reported));
  if (unknown.length === 0) return;
  // A webhook that did not name its comment may be about any of them.
  const sought = unknown.includes(anyComment) ? undefined : unknown;
  const comments = await tool.listComments(call, task_id, since, sought);
  const missing = unknown.filter((id) => id !== anyComment && !comments.some((comment) => comment.id === id));
  await db.forTenant(ctx, async (tx) => {
    // The primary link is locked before the others, as everywhere: two transactions cannot wait for each other.
    const locked = await loadLinkForUpdate(tx, ticket_id);
    if (locked?.link.task_id !== task_id) return;
    await receiveAll(tx, sync, locked, comments);
    await (missing.length === 0 ? acknowledgeComments(tx, ticket_id, reported) : retryMissing(tx, locked, reported, missing));
  });
}

/** The reported comments that are not known yet, and the time from which to read. If all are known, they are acknowledged. */
async function findUnread(tx: IntegrationsTx, bundle: LinkBundle, reported: string[]): Promise<{ unknown: string[]; since: string }> {
  const unknown = syncsToTicket(bundle.integration.comment_sync) ? await findUnknown(tx, bundle, reported) : [];
  if (unknown.length > 0) return { unknown, since: await findReadStart(tx, bundle, unknown) };
  await acknowledgeComments(tx, bundle.link.ticket_id, reported);
  return { unknown, since: '' };
}

/** Copies comments of the task to each of its tickets, the oldest first. */
async function receiveAll(
  tx: IntegrationsTx,
  sync: SyncContext,
  { link, sharing }: LinkBundle,
  comments: ExternalComment[],
): Promise<void> {
  const followers = sharing === 'primary' ? await findFollowersForUpdate(tx, link) : [];
  const ids = comments.map(({ id }) => id);
  const sent = followers.length > 0 ? await findOwnComments(tx, link, ids) : new Set<string>();
  for (const comment of comments.toReversed())
    for (const each of [link, ...followers]) await receive(tx, sync, each, comment, sent.has(comment.id));
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
  const message = 'A comment that a webhook reported was not found on the task. It may have been deleted.';
  await logSync(tx, integration, { level: 'warning', ticket: copy, direction: 'to_ticket', message });
}

async function receive(
  tx: IntegrationsTx,
  { ctx, tool, connection }: SyncContext,
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
  updateLinks(tx)
    .set({
      comment_attempts,
      pending_comment_ids: sql<string[]>`array(select id from unnest(pending_comment_ids) as id where id <> all(${reported}::text[]))`,
    })
    .where('ticket_id', '=', ticket_id)
    .execute();
