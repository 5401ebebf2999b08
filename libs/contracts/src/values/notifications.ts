/** What staff can be told about. */
export const notificationKinds = ['assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What a person chooses, each in the app and by mail: warnings, breaches and escalations are one choice. */
export const notificationTopics = ['assigned', 'mention', 'customer_replied', 'sla'] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

export const topicOf: Record<NotificationKind, NotificationTopic> = {
  assigned: 'assigned',
  mention: 'mention',
  customer_replied: 'customer_replied',
  sla_warning: 'sla',
  sla_breached: 'sla',
  escalated: 'sla',
};

export const topicLabels: Record<NotificationTopic, string> = {
  assigned: 'A ticket is assigned to me',
  mention: 'A colleague mentions me',
  customer_replied: 'A customer replies on my ticket',
  sla: 'A due time is near or missed',
};
