import * as z from 'zod';
import { event, job, operation } from './define';
import { PageQuery } from './pagination';
import { Id, Timestamp } from './scalars';
import { notificationKinds } from './values/notifications';

const owner = 'notifications';

/** A notification for one staff member, mostly about a ticket. */
export const Notification = z.object({
  id: Id,
  kind: z.enum(notificationKinds),
  /** Null if it is not about a ticket. */
  ticket_id: Id.nullable(),
  ticket_number: z.string().nullable(),
  /** The ticket's subject; for `task_sync_failed`, `custom_domain_lapsed`, `sender_domain_lapsed`, `mail_server_failing`, `webhook_failing`, `rule_failing` and `export_ready` a sentence about what happened and what to do. */
  subject: z.string(),
  /** The name of the staff member who caused it, or the customer's name or address. */
  actor_name: z.string().nullable(),
  created_at: Timestamp,
  read_at: Timestamp.nullable(),
});
export type Notification = z.infer<typeof Notification>;

/** Where a topic's notifications appear. */
export const NotificationChannels = z.strictObject({ in_app: z.boolean(), mail: z.boolean() });
export const NotificationPreferences = z.strictObject({
  assigned: NotificationChannels,
  mention: NotificationChannels,
  customer_replied: NotificationChannels,
  sla: NotificationChannels,
  /** Not in preferences that are older than this topic. */
  snooze: NotificationChannels.default({ in_app: true, mail: true }),
  /** Not in preferences that are older than this topic. */
  delivery_failed: NotificationChannels.default({ in_app: true, mail: true }),
  /** For admins only. Not in preferences that are older than this topic. */
  task_sync: NotificationChannels.default({ in_app: true, mail: true }),
  /** For admins only. Not in preferences that are older than this topic. */
  custom_domain: NotificationChannels.default({ in_app: true, mail: true }),
  /** For admins only. Not in preferences that are older than this topic. */
  webhooks: NotificationChannels.default({ in_app: true, mail: true }),
  /** For admins only. Not in preferences that are older than this topic. */
  rules: NotificationChannels.default({ in_app: true, mail: true }),
  /** For admins only. Not in preferences that are older than this topic. */
  exports: NotificationChannels.default({ in_app: true, mail: true }),
});
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;
/** The default: all topics, in the app and by email. */
export const defaultPreferences: NotificationPreferences = {
  assigned: { in_app: true, mail: true },
  mention: { in_app: true, mail: true },
  customer_replied: { in_app: true, mail: true },
  sla: { in_app: true, mail: true },
  snooze: { in_app: true, mail: true },
  delivery_failed: { in_app: true, mail: true },
  task_sync: { in_app: true, mail: true },
  custom_domain: { in_app: true, mail: true },
  webhooks: { in_app: true, mail: true },
  rules: { in_app: true, mail: true },
  exports: { in_app: true, mail: true },
};

/** For the bell; `ticket_ids` are the tickets of the unread notifications, so that opening another ticket causes no call. */
const Unread = z.object({ unread: z.number().int(), ticket_ids: z.array(Id) });
export type Unread = z.infer<typeof Unread>;

export const listNotifications = operation({
  name: 'notifications.list',
  summary: 'List the caller’s notifications, newest first.',
  owner,
  method: 'GET',
  path: '/notifications',
  allow: 'ticket.read',
  input: { query: PageQuery.strict() },
  output: Notification,
  paginated: true,
});
export const countUnreadNotifications = operation({
  name: 'notifications.countUnread',
  summary: 'Count the caller’s unread notifications, up to 100, with the IDs of their tickets.',
  owner,
  method: 'GET',
  path: '/notifications/unread',
  allow: 'ticket.read',
  limit: 'unread',
  output: Unread,
});
export const readNotifications = operation({
  name: 'notifications.markRead',
  summary: 'Mark notifications as read by ID, by ticket (or both), or all. An unknown ID changes nothing and returns 404.',
  owner,
  method: 'POST',
  path: '/notifications/read',
  allow: 'ticket.read',
  limit: 'unread',
  input: { body: z.strictObject({ ids: z.array(Id).max(100).optional(), ticket_id: Id.optional() }) },
  output: Unread,
  problems: ['notification.not_found', 'ticket.not_found'],
});
export const readNotificationPreferences = operation({
  name: 'notifications.readPreferences',
  summary: 'Read the caller’s notification preferences.',
  owner,
  method: 'GET',
  path: '/notification-preferences',
  allow: 'ticket.read',
  output: NotificationPreferences,
});
export const saveNotificationPreferences = operation({
  name: 'notifications.savePreferences',
  summary: 'Change the caller’s notification preferences.',
  owner,
  method: 'PUT',
  path: '/notification-preferences',
  allow: 'ticket.read',
  input: { body: NotificationPreferences },
  output: NotificationPreferences,
});

/** A member has a new notification; its subject is the member. The member's browsers update their count. */
export const notificationCreated = event('notification.created', owner, z.object({ user_id: Id }), { live: true });

/** Deletes notifications after their retention time; the job finds them in the table. */
export const pruneNotifications = job({
  type: 'prune_notifications',
  owner,
  queue: 'notifications',
  data: z.object({}),
  attempts: 3,
  backoffMs: [10_000, 60_000],
  tenant: false,
});
