import type { Notification, Unread } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql, type Insertable } from 'kysely';
import type { NotificationsSchema } from '../schema';
import { retentionDays, unreadCap } from './notification';

type NotificationsTx = Tx<NotificationsSchema>;
export interface Person {
  organization_id: string;
  user_id: string;
}

/** False if this person already has a notification of this event. */
export async function insertNotification(
  tx: NotificationsTx,
  notification: Insertable<NotificationsSchema['notifications']>,
): Promise<boolean> {
  const added = await tx
    .insertInto('notifications')
    .values(notification)
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id', 'event_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

const columns = [
  'id',
  'kind',
  'ticket_id',
  'ticket_number',
  'subject',
  'actor_name',
  'created_at',
  'read_at',
] as const satisfies (keyof Notification)[];

/**
 * A person's notifications, for `paginate`. Filters by organization in addition to row-level security, here and below: a second policy lets
 * the system read the table, and with two policies joined by `or` PostgreSQL uses no index on the organization.
 */
export const notificationsOf = (tx: NotificationsTx, { organization_id, user_id }: Person) =>
  tx.selectFrom('notifications').select(columns).where('organization_id', '=', organization_id).where('user_id', '=', user_id);

/** Counts up to `unreadCap`. With more, it is undefined which ones are included. */
export async function countUnread(tx: NotificationsTx, { organization_id, user_id }: Person): Promise<Unread> {
  const unread = await tx
    .selectFrom('notifications')
    .select('ticket_id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .limit(unreadCap)
    .execute();
  return { unread: unread.length, ticket_ids: [...new Set(unread.flatMap(({ ticket_id }) => ticket_id ?? []))] };
}

/** Whether each of these ids is a notification of this person. */
export async function hasAll(tx: NotificationsTx, { organization_id, user_id }: Person, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const found = await tx
    .selectFrom('notifications')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('id', 'in', ids)
    .execute();
  return found.length === new Set(ids.map((id) => id.toLowerCase())).size;
}

/** `ids` and `ticket_id` narrow the update; without both, all are marked. Notifications that were already read keep their time. */
export async function markRead(
  tx: NotificationsTx,
  { organization_id, user_id }: Person,
  { ids, ticket_id }: { ids?: string[] | undefined; ticket_id?: string | undefined },
): Promise<void> {
  let update = tx
    .updateTable('notifications')
    .set({ read_at: sql<string>`now()` })
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null);
  if (ids) update = update.where((eb) => (ids.length > 0 ? eb('id', 'in', ids) : eb.val(false)));
  if (ticket_id !== undefined) update = update.where('ticket_id', '=', ticket_id);
  await update.execute();
}

const isExpired = sql<boolean>`created_at < now() - make_interval(days => ${sql.lit(retentionDays)})`;

export async function hasExpiredNotificationsAcrossOrganizations(tx: NotificationsTx): Promise<boolean> {
  return (await tx.selectFrom('notifications').select('id').where(isExpired).limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes at most `limit` notifications and returns how many were deleted. */
export async function deleteExpiredNotificationsAcrossOrganizations(tx: NotificationsTx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notifications where ctid = any(array(
      select ctid from notifications where ${isExpired} order by created_at limit ${limit}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
