import type { Notification } from '@tandem/contracts';
import {
  AlarmClock,
  AlarmClockOff,
  AtSign,
  BellRing,
  Flame,
  Globe,
  MailX,
  MessageSquareReply,
  Unplug,
  UserRoundCheck,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

type NoticeData = Pick<Notification, 'kind' | 'ticket_number' | 'actor_name'>;

const sentences: Record<Notification['kind'], (number: string, actor: string | null) => string> = {
  assigned: (number, actor) => (actor ? `${actor} assigned ${number} to you` : `${number} was assigned to you`),
  mention: (number, actor) => `${actor ?? 'A teammate'} mentioned you in ${number}`,
  customer_replied: (number, actor) => `${actor ?? 'The customer'} replied to ${number}`,
  sla_warning: (number) => `${number} is due soon`,
  sla_breached: (number) => `${number} has missed its due time`,
  escalated: (number) => `${number} has been escalated`,
  snooze_ended: (number) => `${number} is back from snooze`,
  delivery_failed: (number) => `An email for ${number} couldn’t be delivered`,
  mail_server_failing: () => 'Your SMTP server needs attention',
  sender_domain_lapsed: () => 'Your sender domain needs attention',
  custom_domain_lapsed: () => 'Your custom domain needs attention',
  task_sync_failed: () => 'The integration needs attention',
  webhook_failing: () => 'A webhook endpoint needs attention',
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
};

const settingsPages: Partial<Record<Notification['kind'], string>> = {
  mail_server_failing: '/settings?tab=email',
  sender_domain_lapsed: '/settings?tab=email',
  custom_domain_lapsed: '/settings?tab=branding',
  webhook_failing: '/settings?tab=webhooks',
};

/** The page that a notification links to: its ticket, or the settings where admins can fix the problem. */
export function pageOf({ kind, ticket_id }: Pick<Notification, 'kind' | 'ticket_id'>): string {
  if (ticket_id !== null) return `/tickets/${ticket_id}`;
  return settingsPages[kind] ?? '/integration';
}
