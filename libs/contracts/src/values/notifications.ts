/** Kinds of notifications for staff. */
export const notificationKinds = [
  'assigned',
  'mention',
  'customer_replied',
  'sla_warning',
  'sla_breached',
  'escalated',
  'snooze_ended',
  'delivery_failed',
  'task_sync_failed',
  'custom_domain_lapsed',
  'sender_domain_lapsed',
  'mail_server_failing',
  'webhook_failing',
  'rule_failing',
  'export_ready',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The user's choices, each for the app and for email; SLA warnings, breaches and escalations share one. */
export const notificationTopics = [
  'assigned',
  'mention',
  'customer_replied',
  'sla',
  'snooze',
  'delivery_failed',
  'task_sync',
  'custom_domain',
  'webhooks',
  'rules',
  'exports',
] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

export const topicOf: Record<NotificationKind, NotificationTopic> = {
  assigned: 'assigned',
  mention: 'mention',
  customer_replied: 'customer_replied',
  sla_warning: 'sla',
  sla_breached: 'sla',
  escalated: 'sla',
  snooze_ended: 'snooze',
  delivery_failed: 'delivery_failed',
  task_sync_failed: 'task_sync',
  custom_domain_lapsed: 'custom_domain',
  sender_domain_lapsed: 'custom_domain',
  mail_server_failing: 'custom_domain',
  webhook_failing: 'webhooks',
  rule_failing: 'rules',
  export_ready: 'exports',
};

/** Topics for admins only. */
export const adminTopics: readonly NotificationTopic[] = ['task_sync', 'custom_domain', 'webhooks', 'rules', 'exports'];

export const topicLabels: Record<NotificationTopic, string> = {
  assigned: 'A ticket is assigned to me',
  mention: 'A teammate mentions me',
  customer_replied: 'A customer replies to my ticket',
  sla: 'A due time is near or missed',
  snooze: 'My snoozed ticket is back',
  delivery_failed: 'An email to my customer bounces',
  task_sync: 'The integration needs attention',
  custom_domain: 'The custom domain, sender domain or SMTP server needs attention',
  webhooks: 'A webhook endpoint needs attention',
  rules: 'A rule needs attention',
  exports: 'My export is ready',
};
