import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { DigestItem, EmailData, EmailKind, NotificationsSchema } from '../schema';
import { maxDigestItems, mailsBeforeDigest, staffMailWindowSeconds } from './notification';

type NotificationsTx = Tx<NotificationsSchema>;
interface Addressee {
  organization_id: string;
  user_id: string;
  email: string;
}

const staffKinds: EmailKind[] = [
  'staff_assigned',
  'staff_mention',
  'staff_customer_replied',
  'staff_sla',
  'staff_snooze_ended',
  'staff_delivery_failed',
];
const windowBegin = sql<string>`now() - make_interval(secs => ${sql.lit(staffMailWindowSeconds)})`;

const recentMails = (tx: NotificationsTx, { organization_id, email }: Addressee) =>
  tx
    .selectFrom('emails')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('to_address', '=', email)
    .where('created_at', '>', windowBegin);

/** Stops counting at `mailsBeforeDigest`. */
export const countRecentStaffMails = async (tx: NotificationsTx, to: Addressee): Promise<number> =>
  (await recentMails(tx, to).where('kind', 'in', staffKinds).limit(mailsBeforeDigest).execute()).length;

export const hasRecentMail = async (tx: NotificationsTx, to: Addressee, ticket_id: string): Promise<boolean> =>
  (await recentMails(tx, to).where('kind', '=', 'staff_customer_replied').where('ticket_id', '=', ticket_id).limit(1).execute()).length > 0;

/** Ignores the notification of the current event. */
export async function hasUnreadNotice(tx: NotificationsTx, { organization_id, user_id }: Addressee, ticket_id: string, event_id: string) {
  const unread = await tx
    .selectFrom('notifications')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('ticket_id', '=', ticket_id)
    .where('kind', '=', 'customer_replied')
    .where('read_at', 'is', null)
    .where('event_id', '<>', event_id)
    .limit(1)
    .executeTakeFirst();
  return unread !== undefined;
}

/**
 * Adds the item to a digest that is not due yet; false if there is none. The row lock excludes a digest that is being sent, which is no
 * longer pending.
 */
export async function addToDigest(tx: NotificationsTx, { organization_id, email }: Addressee, item: DigestItem): Promise<boolean> {
  const waiting = await tx
    .selectFrom('emails')
    .select(['id', 'data'])
    .where('organization_id', '=', organization_id)
    .where('to_address', '=', email)
    .where('kind', '=', 'staff_digest')
    .where('state', '=', 'pending')
    .where('due_at', '>', sql<string>`now()`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (!waiting) return false;
  const { items, more } = waiting.data as EmailData['staff_digest'];
  if (items.some(({ event_id }) => event_id === item.event_id)) return true;
  const grown = items.length < maxDigestItems ? { items: [...items, item], more } : { items, more: more + 1 };
  await tx
    .updateTable('emails')
    .set({ data: JSON.stringify(grown) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', waiting.id)
    .execute();
  return true;
}
