import { sql } from 'kysely';
import type { IntegrationsTx, LinkRow } from '../schema';
import { maxListedTickets, type Sharing } from '../merge/sharing';
import { endedStates, updateLinks } from './link-state';
import { dueNow, taskUnread } from './link-values';

type OfTask = Pick<LinkRow, 'organization_id' | 'connection_id' | 'task_id'>;

const linksOfTask = (tx: IntegrationsTx, { organization_id, connection_id, task_id }: OfTask) =>
  tx
    .selectFrom('links')
    .where('links.organization_id', '=', organization_id)
    .where('links.connection_id', '=', connection_id)
    .where('links.task_id', '=', task_id)
    .where('links.state', 'not in', endedStates);

/** The link that reads the task and syncs every field with its ticket. */
export const findPrimary = (tx: IntegrationsTx, of: OfTask): Promise<LinkRow | undefined> =>
  linksOfTask(tx, of).selectAll().where('is_primary', '=', true).executeTakeFirst();

/** Locked in one order, so that two processes do not deadlock. */
export const findFollowersForUpdate = (tx: IntegrationsTx, of: OfTask): Promise<LinkRow[]> =>
  linksOfTask(tx, of).selectAll().where('is_primary', '=', false).orderBy('ticket_id').forUpdate().execute();

/**
 * Every link of a task with its ticket's number, the primary one first. Several links are always locked in this order, to avoid deadlocks.
 */
export const findLinksOfTaskForUpdate = (tx: IntegrationsTx, of: OfTask): Promise<(LinkRow & { ticket_number: string | null })[]> =>
  linksOfTask(tx, of)
    .leftJoin('ticket_copies as copy', (join) =>
      join.onRef('copy.organization_id', '=', 'links.organization_id').onRef('copy.ticket_id', '=', 'links.ticket_id'),
    )
    .selectAll('links')
    .select('copy.ticket_number')
    .orderBy('links.is_primary', 'desc')
    .orderBy('links.ticket_id')
    .forUpdate('links')
    .execute();

export async function countTicketsOfTask(tx: IntegrationsTx, of: OfTask): Promise<number> {
  const { count } = await linksOfTask(tx, of)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of tickets for each of these tasks that has any. */
export async function countTicketsOfTasks(
  tx: IntegrationsTx,
  connection: { organization_id: string; id: string },
  task_ids: string[],
): Promise<Map<string, number>> {
  if (task_ids.length === 0) return new Map();
  const counts = await tx
    .selectFrom('links')
    .select('task_id')
    .select(sql<number>`count(*)::int`.as('tickets'))
    .where('organization_id', '=', connection.organization_id)
    .where('connection_id', '=', connection.id)
    .where('task_id', 'in', task_ids)
    .where('state', 'not in', endedStates)
    .groupBy('task_id')
    .execute();
  return new Map(counts.map(({ task_id, tickets }) => [task_id!, tickets]));
}

/** The other tickets of a task, the first linked first, and how many customers wait for it. */
export async function findSharing(tx: IntegrationsTx, link: OfTask & Pick<LinkRow, 'ticket_id' | 'is_primary'>): Promise<Sharing> {
  const shared = linksOfTask(tx, link).innerJoin('ticket_copies as copy', (join) =>
    join.onRef('copy.organization_id', '=', 'links.organization_id').onRef('copy.ticket_id', '=', 'links.ticket_id'),
  );
  const { tickets, customers } = await shared
    .select(sql<number>`count(*)::int`.as('tickets'))
    .select(sql<number>`count(distinct lower(copy.customer_email))::int`.as('customers'))
    .executeTakeFirstOrThrow();
  const others = await shared
    .select(['copy.ticket_id as id', 'copy.ticket_number', 'copy.subject', 'links.is_primary'])
    .where('links.ticket_id', '<>', link.ticket_id)
    .orderBy('links.is_primary', 'desc')
    .orderBy('links.created_at')
    .orderBy('links.ticket_id')
    .limit(maxListedTickets)
    .execute();
  return { is_primary: link.is_primary, tickets: Math.max(1, tickets), customers: Math.max(1, customers), others };
}

/**
 * Makes the other tickets of a task due, to be compared with the snapshot that its primary link has just read; this makes no call.
 * `task_notified_at` keeps them due until they have read it: a comparison that started earlier has not.
 */
export async function markFollowersDue(tx: IntegrationsTx, { organization_id, connection_id, task_id }: OfTask): Promise<void> {
  await updateLinks(tx)
    .set({ ...dueNow(1), task_notified_at: sql<string>`greatest(clock_timestamp(), task_read_at + interval '1 millisecond')` })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .where('task_id', '=', task_id)
    .where('is_primary', '=', false)
    .where('state', '=', 'linked')
    .execute();
}

/**
 * Marks the lines in the description to be rewritten. Each request has its own id, so that a list read before it does not count as current.
 */
const rewrite = sql<string>`'rewrite ' || gen_random_uuid()`;
/** Whether the task lists the tickets that share it; a condition for finishing a link. */
export const isListCurrent = sql<boolean>`links.listed_tickets not like 'rewrite %'`;

/**
 * Makes the primary link due: with `list` to rewrite the task's list of tickets, with `read` to read the task regardless of webhooks, ahead
 * of everything else.
 */
export async function markPrimaryDue(
  tx: IntegrationsTx,
  { organization_id, connection_id, task_id }: OfTask,
  to: 'list' | 'read',
): Promise<void> {
  await updateLinks(tx)
    .set({
      ...dueNow(1),
      ...(to === 'list' && { listed_tickets: rewrite }),
      ...(to === 'read' && { urgency: 0 as const, ...taskUnread }),
    })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .where('task_id', '=', task_id)
    .where('is_primary', '=', true)
    .where('state', '=', 'linked')
    .execute();
}

/**
 * Makes the link that was created first the primary one of a task that has none. It takes over the previous primary link's state of the
 * task and its comments, and rewrites the lines in the description that name its ticket.
 */
export async function promoteNext(tx: IntegrationsTx, of: OfTask, before?: LinkRow): Promise<void> {
  if (of.task_id === null || (await findPrimary(tx, of))) return;
  const next = await linksOfTask(tx, of)
    .select(['organization_id', 'ticket_id'])
    .where('state', '=', 'linked')
    .orderBy('created_at')
    .orderBy('ticket_id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (!next) return;
  const known = before && {
    task_read_at: before.task_read_at,
    task_notified_at: before.task_notified_at,
    scanned_at: before.scanned_at,
    pending_comment_ids: before.pending_comment_ids,
    comments_read_until: before.comments_read_until,
    ...(before.task && { task: JSON.stringify(before.task) }),
  };
  await updateLinks(tx)
    .set({ ...known, ...dueNow(1), is_primary: true, listed_tickets: rewrite })
    .where('organization_id', '=', next.organization_id)
    .where('ticket_id', '=', next.ticket_id)
    .execute();
}

/** A primary link whose sync ends hands its role to the next link. */
export async function handOverPrimary(tx: IntegrationsTx, link: LinkRow): Promise<void> {
  if (!link.is_primary || link.task_id === null) return;
  const followers = await findFollowersForUpdate(tx, link);
  if (!followers.some(({ state }) => state === 'linked')) return;
  await clearPrimary(tx, link);
  await promoteNext(tx, link, link);
}

/** Only the primary link writes the list of tickets, so a link that ends as primary has none left to write. */
export async function clearPrimary(tx: IntegrationsTx, { organization_id, ticket_id }: LinkRow): Promise<void> {
  await updateLinks(tx)
    .set({ is_primary: false, listed_tickets: '' })
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .execute();
}

/** Saves which tickets the description's lines name now, unless a new list was requested since the link was read. */
export async function saveListed(
  tx: IntegrationsTx,
  { organization_id, ticket_id, listed_tickets }: Pick<LinkRow, 'organization_id' | 'ticket_id' | 'listed_tickets'>,
  listed: string,
): Promise<void> {
  await updateLinks(tx)
    .set({ listed_tickets: listed })
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('listed_tickets', '=', listed_tickets)
    .execute();
}

/** Comments that Tandem posted on the task for any of its tickets: none of them may become a note. */
export async function findOwnComments(tx: IntegrationsTx, of: OfTask, external_ids: string[]): Promise<Set<string>> {
  if (external_ids.length === 0) return new Set();
  const own = await linksOfTask(tx, of)
    .innerJoin('comment_links as comment', (join) =>
      join.onRef('comment.organization_id', '=', 'links.organization_id').onRef('comment.ticket_id', '=', 'links.ticket_id'),
    )
    .select('comment.external_id')
    .where('comment.state', '=', 'sent')
    .where('comment.external_id', 'in', external_ids)
    .execute();
  return new Set(own.map(({ external_id }) => external_id!));
}
