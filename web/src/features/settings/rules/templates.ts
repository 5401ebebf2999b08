import type { Member } from '@tandem/contracts';
import { CalendarClock, Flame, Globe, Hourglass, Route, type LucideIcon } from 'lucide-react';
import { t } from '../../../lib/staff-texts';
import type { RuleFields } from './rule-form';

export const templateNames = ['outside_hours', 'keywords', 'close_unanswered', 'domain', 'escalate_urgent'] as const;
export type TemplateName = (typeof templateNames)[number];
export const isTemplateName = (name: string | null): name is TemplateName => templateNames.some((each) => each === name);

interface Template {
  icon: LucideIcon;
  title: string;
  description: string;
  /** One rule opens in the editor; several are created turned off, because each of them needs the others. */
  rules: (me: Pick<Member, 'user_id'>) => RuleFields[];
}

const defaults = { time: null, stops: false, runs: 'every_time' } as const;

export const templates: Record<TemplateName, Template> = {
  outside_hours: {
    icon: CalendarClock,
    title: t('settings.rules.template_outside_hours'),
    description: t('settings.rules.about_outside_hours'),
    rules: () => [
      {
        ...defaults,
        name: t('settings.rules.template_outside_hours'),
        triggers: ['ticket_created'],
        condition: { all: [{ field: 'in_business_hours', op: 'is', value: false }] },
        actions: [{ type: 'send_reply', content: t('settings.rules.text_outside_hours'), translations: {} }],
      },
    ],
  },
  keywords: {
    icon: Route,
    title: t('settings.rules.template_keywords'),
    description: t('settings.rules.about_keywords'),
    rules: ({ user_id }) => [
      {
        ...defaults,
        name: t('settings.rules.name_keywords'),
        triggers: ['ticket_created'],
        condition: {
          any: [
            { field: 'text', op: 'contains', value: 'refund' },
            { field: 'text', op: 'contains', value: 'money back' },
          ],
        },
        actions: [
          { type: 'assign', to: user_id },
          { type: 'add_tags', tags: ['refund'] },
        ],
      },
    ],
  },
  close_unanswered: {
    icon: Hourglass,
    title: t('settings.rules.template_close'),
    description: t('settings.rules.about_close'),
    rules: () => [
      {
        ...defaults,
        name: t('settings.rules.name_close_warning'),
        triggers: ['time_passed'],
        time: { since: 'staff_replied', hours: 5 * 24 },
        condition: { all: [{ field: 'status', op: 'is_any_of', value: ['waiting_for_customer'] }] },
        actions: [{ type: 'send_reply', content: t('settings.rules.text_close_warning'), translations: {} }],
      },
      {
        ...defaults,
        name: t('settings.rules.name_close'),
        triggers: ['time_passed'],
        time: { since: 'staff_replied', hours: 7 * 24 },
        condition: { all: [{ field: 'status', op: 'is_any_of', value: ['waiting_for_customer'] }] },
        actions: [{ type: 'set_status', status: 'closed' }],
      },
    ],
  },
  domain: {
    icon: Globe,
    title: t('settings.rules.template_domain'),
    description: t('settings.rules.about_domain'),
    rules: () => [
      {
        ...defaults,
        name: t('settings.rules.template_domain'),
        triggers: ['ticket_created'],
        condition: { all: [{ field: 'customer_domain', op: 'is', value: 'example.com' }] },
        actions: [
          { type: 'add_tags', tags: ['vip'] },
          { type: 'set_priority', priority: 'high' },
        ],
      },
    ],
  },
  escalate_urgent: {
    icon: Flame,
    title: t('settings.rules.template_escalate'),
    description: t('settings.rules.about_escalate'),
    rules: ({ user_id }) => [
      {
        ...defaults,
        name: t('settings.rules.template_escalate'),
        triggers: ['time_passed'],
        time: { since: 'created', hours: 1 },
        condition: {
          all: [
            { field: 'priority', op: 'is_any_of', value: ['urgent'] },
            { field: 'has_response', op: 'is', value: false },
          ],
        },
        actions: [
          { type: 'add_tags', tags: ['unanswered'] },
          { type: 'add_watchers', user_ids: [user_id] },
          { type: 'add_note', content: t('settings.rules.text_escalate') },
        ],
      },
    ],
  },
};
