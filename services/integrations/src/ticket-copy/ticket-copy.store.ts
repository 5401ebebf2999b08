import { executePrepared, fixedQuery, newId } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsTx, LinkRow, TicketCopy } from '../schema';
import { nullsLast, rulesFirst } from '../integration/integration.store';
import { isLater } from './ticket-copy';
import { activeStates, insertLink, updateLinks } from '../engine/link-state';
import { dueNow } from '../engine/link-values';

/**
 * Whether the organization has a connection, even a broken one. The row is locked until the transaction ends, because removing the last
 * connection deletes the copies.
 */
export async function isConnected(tx: IntegrationsTx, organization_id: string): Promise<boolean> {
  return (await executePrepared(tx, anyConnection(tx, organization_id))).rows.length > 0;
}

const anyConnection = fixedQuery((tx: IntegrationsTx, organization_id: string) =>
  tx.selectFrom('connections').select('id').where('organization_id', '=', organization_id).limit(1).forKeyShare(),
);

export const findCopy = (tx: IntegrationsTx, ticket_id: string): Promise<TicketCopy | undefined> =>
  tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', ticket_id).executeTakeFirst();

/** Saves the copy unless a later one is stored. `before` is the previous copy; `now` is the later of the two. */
export async function saveCopy(
  tx: IntegrationsTx,
  copy: TicketCopy,
): Promise<{ isSaved: boolean; before: TicketCopy | undefined; now: TicketCopy }> {
  const before = await tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', copy.ticket_id).forUpdate().executeTakeFirst();
  if (before && !isLater(before, copy.sequence)) return { isSaved: false, before, now: before };
  const { organization_id: _organization, ticket_id: _ticket, ...values } = copy;
  const saved = await tx
    .insertInto('ticket_copies')
    .values(copy)
    // Another event of the ticket may have inserted the row since it was read.
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'ticket_id'])
        .doUpdateSet(values)
        .where(sql<SqlBool>`ticket_copies.sequence < excluded.sequence`),
    )
    .returningAll()
    .executeTakeFirst();
  return saved ? { isSaved: true, before, now: saved } : { isSaved: false, before, now: (await findCopy(tx, copy.ticket_id)) ?? copy };
}

export const findLinkOf = (
  tx: IntegrationsTx,
  ticket_id: string,
): Promise<Pick<LinkRow, 'state' | 'connection_id' | 'integration_id'> | undefined> =>
  tx.selectFrom('links').select(['state', 'connection_id', 'integration_id']).where('ticket_id', '=', ticket_id).executeTakeFirst();

/** Makes a link due with at least the urgency of a change. False if the link is not being synced. */
export async function markLinkDue(tx: IntegrationsTx, ticket_id: string): Promise<boolean> {
  const marked = await updateLinks(tx)
    .set(dueNow(1))
    .where('ticket_id', '=', ticket_id)
    .where('state', 'in', activeStates)
    .returning('ticket_id')
    .executeTakeFirst();
  return marked !== undefined;
}

/**
 * Integrations in the order that admins see: a new ticket goes to the first one whose rules match. Paused ones come after all active ones;
 * their tickets wait until they are resumed.
 */
export const findIntegrations = (
  tx: IntegrationsTx,
  organization_id: string,
): Promise<Pick<IntegrationRow, 'id' | 'connection_id' | 'rules' | 'created_at'>[]> =>
  tx
    .selectFrom('integrations')
    .select(['id', 'connection_id', 'rules', 'created_at'])
    .where('organization_id', '=', organization_id)
    // An integration that is temporarily unavailable keeps its position.
    .orderBy(sql`is_active or coalesce(pause_reason = 'unavailable', false)`, 'desc')
    .orderBy(rulesFirst)
    .orderBy('position', nullsLast)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** False if the ticket already has a link, even one that was removed: then no task is created automatically. */
export const insertNewLink = (
  tx: IntegrationsTx,
  link: { organization_id: string; ticket_id: string; integration_id: string; connection_id: string },
): Promise<boolean> =>
  insertLink(tx, 'creation_requested', {
    ...link,
    urgency: 2,
    next_sync_at: sql<string>`now()`,
    // A ticket from before a restore may have a task that the restored database does not know: it is searched for first.
    create_started_at: sql<string | null>`(select created_at from ticket_copies
      where ticket_id = ${link.ticket_id}::uuid and created_at < (select max(restored_at) from restores))`,
  });

/**
 * The connection that the ticket's comments are sent to, if any; comments of a stopped or failed link are stored until it is synced again.
 */
export const findCommentTarget = (tx: IntegrationsTx, ticket_id: string): Promise<Pick<LinkRow, 'connection_id'> | undefined> =>
  tx
    .selectFrom('links')
    .innerJoin('integrations', (join) =>
      join.onRef('integrations.organization_id', '=', 'links.organization_id').onRef('integrations.id', '=', 'links.integration_id'),
    )
    .select('links.connection_id')
    .where('links.ticket_id', '=', ticket_id)
    .where('links.state', 'in', [...activeStates, 'stopped', 'failed'])
    .where('integrations.comment_sync', 'in', ['both', 'to_task'])
    .executeTakeFirst();

/** Inserts each comment once, even if its event is delivered several times. */
export async function insertPendingComment(
  tx: IntegrationsTx,
  comment: { organization_id: string; ticket_id: string; comment_id: string; content: string; created_at: string },
): Promise<boolean> {
  const added = await tx
    .insertInto('comment_links')
    .values({ ...comment, id: newId(), state: 'pending' })
    .onConflict((conflict) => conflict.columns(['organization_id', 'comment_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function countCopies(tx: IntegrationsTx): Promise<number> {
  const { count } = await tx
    .selectFrom('ticket_copies')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function recordExportCompleted(tx: IntegrationsTx, connection_id: string): Promise<void> {
  await tx.updateTable('connections').set({ tickets_exported: true }).where('id', '=', connection_id).execute();
}
