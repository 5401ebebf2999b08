import type { Notification } from '@tandem/contracts';
import {
  AlarmClock,
  AlarmClockOff,
  AtSign,
  BellRing,
  Flame,
  FolderDown,
  Globe,
  MailX,
  MessageSquareReply,
  Unplug,
  UserRoundCheck,
  Webhook,
  Waypoints,
  type LucideIcon,
} from 'lucide-react';
import { t } from '../../lib/staff-texts';

type NoticeData = Pick<Notification, 'kind' | 'ticket_number' | 'actor_name'>;

const sentences: Record<Notification['kind'], (number: string, actor: string | null) => string> = {
  assigned: (number, actor) =>
    actor ? t('notifications.actor_assigned_ticket_to_you', { actor, number }) : t('notifications.ticket_was_assigned_to_you', { number }),
  mention: (number, actor) => t('notifications.actor_mentioned_you_in_number', { actor: actor ?? t('notifications.teammate'), number }),
  customer_replied: (number, actor) => t('notifications.actor_replied_to_number', { actor: actor ?? t('notifications.customer'), number }),
  sla_warning: (number) => t('notifications.number_is_due_soon', { number }),
  sla_breached: (number) => t('notifications.ticket_missed_due_time', { number }),
  escalated: (number) => t('notifications.number_has_been_escalated', { number }),
  snooze_ended: (number) => t('notifications.number_is_back_from_snooze', { number }),
  delivery_failed: (number) => t('notifications.email_couldnt_be_delivered', { number }),
  mail_server_failing: () => t('notifications.your_smtp_server_needs_attention'),
  sender_domain_lapsed: () => t('notifications.your_sender_domain_needs_attention'),
  custom_domain_lapsed: () => t('notifications.your_custom_domain_needs_attention'),
  task_sync_failed: () => t('notifications.integration_needs_attention'),
  webhook_failing: () => t('notifications.webhook_endpoint_needs_attention'),
  rule_failing: () => t('notifications.rule_needs_attention'),
  export_ready: () => t('notifications.export_is_ready'),
};
export const sentenceOf = ({ kind, ticket_number, actor_name }: NoticeData): string =>
  sentences[kind](ticket_number ?? 'a ticket', actor_name);

export const iconOf: Record<Notification['kind'], { icon: LucideIcon; tone: string }> = {
  assigned: { icon: UserRoundCheck, tone: 'text-blue-text' },
  mention: { icon: AtSign, tone: 'text-violet-text' },
  customer_replied: { icon: MessageSquareReply, tone: 'text-green-text' },
  sla_warning: { icon: AlarmClock, tone: 'text-amber-text' },
  sla_breached: { icon: AlarmClockOff, tone: 'text-red-text' },
  escalated: { icon: Flame, tone: 'text-red-text' },
  snooze_ended: { icon: BellRing, tone: 'text-blue-text' },
  delivery_failed: { icon: MailX, tone: 'text-red-text' },
  mail_server_failing: { icon: MailX, tone: 'text-red-text' },
  sender_domain_lapsed: { icon: MailX, tone: 'text-red-text' },
  custom_domain_lapsed: { icon: Globe, tone: 'text-red-text' },
  task_sync_failed: { icon: Unplug, tone: 'text-red-text' },
  webhook_failing: { icon: Webhook, tone: 'text-red-text' },
  rule_failing: { icon: Waypoints, tone: 'text-red-text' },
  export_ready: { icon: FolderDown, tone: 'text-green-text' },
};

const settingsPages: Partial<Record<Notification['kind'], string>> = {
  mail_server_failing: '/settings?tab=email',
  sender_domain_lapsed: '/settings?tab=email',
  custom_domain_lapsed: '/settings?tab=branding',
  webhook_failing: '/settings?tab=webhooks',
  rule_failing: '/settings?tab=rules',
  export_ready: '/settings?tab=export',
};

/** The page that a notification links to: its ticket, or the settings where admins can fix the problem. */
export function pageOf({ kind, ticket_id }: Pick<Notification, 'kind' | 'ticket_id'>): string {
  if (ticket_id !== null) return `/tickets/${ticket_id}`;
  return settingsPages[kind] ?? '/integration';
}
