import { newId } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsTx, LinkRow, TicketCopy } from '../schema';
import { nullsLast, rulesFirst } from '../integration/integration.store';
import { isLater } from './ticket-copy';

/** Whether the organization has a connection, be it broken. It stays until the transaction ends: with the last one the copies go. */
export async function isConnected(tx: IntegrationsTx, organization_id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('connections')
    .select('id')
    .where('organization_id', '=', organization_id)
    .limit(1)
    .forKeyShare()
    .executeTakeFirst();
  return found !== undefined;
}

export const findCopy = (tx: IntegrationsTx, ticket_id: string): Promise<TicketCopy | undefined> =>
  tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', ticket_id).executeTakeFirst();

/** Keeps the copy unless a later one is here. `before`: as it was; `now`: as it is, whichever of the two won. */
export async function keepCopy(
  tx: IntegrationsTx,
  copy: TicketCopy,
): Promise<{ isKept: boolean; before: TicketCopy | undefined; now: TicketCopy }> {
  const before = await tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', copy.ticket_id).forUpdate().executeTakeFirst();
  if (before && !isLater(before, copy.sequence)) return { isKept: false, before, now: before };
  const { organization_id: _organization, ticket_id: _ticket, ...values } = copy;
  const kept = await tx
    .insertInto('ticket_copies')
    .values(copy)
    // Between the look and this another event of the ticket may have made the row.
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'ticket_id'])
        .doUpdateSet(values)
        .where(sql<SqlBool>`ticket_copies.sequence < excluded.sequence`),
    )
    .returningAll()
    .executeTakeFirst();
  return kept ? { isKept: true, before, now: kept } : { isKept: false, before, now: (await findCopy(tx, copy.ticket_id)) ?? copy };
}

export const findLinkOf = (
  tx: IntegrationsTx,
  ticket_id: string,
): Promise<Pick<LinkRow, 'state' | 'connection_id' | 'integration_id'> | undefined> =>
  tx.selectFrom('links').select(['state', 'connection_id', 'integration_id']).where('ticket_id', '=', ticket_id).executeTakeFirst();

/** Links whose ticket and task are to agree; the others wait for a person, or are over. */
export const livingStates = ['creating', 'adopting', 'linked'] as const;

/** There is something to do for a link, as urgent as a change at least. False where nothing is done for it. */
export async function markLink(tx: IntegrationsTx, ticket_id: string): Promise<boolean> {
  const marked = await tx
    .updateTable('links')
    .set({
      work_at: sql<string>`least(work_at, now())`,
      urgency: sql<1>`case when work_at is null then 1 else least(urgency, 1) end`,
    })
    .where('ticket_id', '=', ticket_id)
    .where('state', 'in', livingStates)
    .returning('ticket_id')
    .executeTakeFirst();
  return marked !== undefined;
}

/**
 * Those that create tasks, in the order that admins see: a new ticket goes to the first one that takes it. Paused ones come after all that are active:
 * what they take waits until they go on.
 */
export const findIntegrations = (
  tx: IntegrationsTx,
  organization_id: string,
): Promise<Pick<IntegrationRow, 'id' | 'connection_id' | 'rules' | 'created_at'>[]> =>
  tx
    .selectFrom('integrations')
    .select(['id', 'connection_id', 'rules', 'created_at'])
    .where('organization_id', '=', organization_id)
    // One that is unavailable for a moment keeps its place.
    .orderBy(sql`is_active or coalesce(pause_reason = 'unavailable', false)`, 'desc')
    .orderBy(rulesFirst)
    .orderBy('position', nullsLast)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** False when the ticket has a link already, even one that was parted: then nobody wants a task by itself. */
export async function insertNewLink(
  tx: IntegrationsTx,
  link: { organization_id: string; ticket_id: string; integration_id: string; connection_id: string },
): Promise<boolean> {
  const added = await tx
    .insertInto('links')
    .values({ ...link, state: 'creating', urgency: 2, work_at: sql<string>`now()` })
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doNothing())
    .returning('ticket_id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Whether comments of the ticket go to a task, and to which connection's; those of a sync that stands still are kept until it goes on. */
export const findCommentTarget = (tx: IntegrationsTx, ticket_id: string): Promise<Pick<LinkRow, 'connection_id'> | undefined> =>
  tx
    .selectFrom('links')
    .innerJoin('integrations', (join) =>
      join.onRef('integrations.organization_id', '=', 'links.organization_id').onRef('integrations.id', '=', 'links.integration_id'),
    )
    .select('links.connection_id')
    .where('links.ticket_id', '=', ticket_id)
    .where('links.state', 'in', [...livingStates, 'stopped', 'failed'])
    .where('integrations.comment_sync', 'in', ['both', 'to_task'])
    .executeTakeFirst();

/** Each comment once, however often it is told. */
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

export async function noteTicketsTold(tx: IntegrationsTx, connection_id: string): Promise<void> {
  await tx.updateTable('connections').set({ tickets_told: true }).where('id', '=', connection_id).execute();
}
