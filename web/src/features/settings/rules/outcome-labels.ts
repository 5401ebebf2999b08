import type { CustomFieldValue, Rule, RuleRun } from '@tandem/contracts';
import {
  isCustomFieldName,
  languageNames,
  priorityLabels,
  statusLabels,
  type RuleDisabledReason,
  type RuleEffect,
  type RuleProblem,
  type RuleTrigger,
} from '@tandem/contracts/values';
import { fieldLabel } from '../../../app/conditions/condition-labels';
import { t } from '../../../lib/staff-texts';
import { customValueText, memberName, type RuleNames } from './rule-labels';

type Outcome = Pick<RuleRun, 'changes' | 'effects'>;

const fieldNames: Record<string, string> = {
  status: t('settings.rules.status'),
  priority: t('settings.rules.priority'),
  assigned_to: t('settings.rules.assignee'),
  category: t('settings.rules.category'),
};

const effectLabels: Record<RuleEffect, { done: string; planned: string }> = {
  send_reply: { done: t('settings.rules.reply_sent'), planned: t('settings.rules.sends_reply') },
  add_note: { done: t('settings.rules.note_added'), planned: t('settings.rules.adds_note') },
  send_to_webhook: { done: t('settings.rules.sent_to_webhook'), planned: t('settings.rules.sends_to_webhook') },
};

export const problemLabels: Record<RuleProblem, string> = {
  cut_off: t('settings.rules.problem_cut_off'),
  no_assignee: t('settings.rules.problem_no_assignee'),
  no_automatic_reply: t('settings.rules.problem_no_automatic_reply'),
};

export const triggerLabels: Record<RuleTrigger, string> = {
  ticket_created: t('settings.rules.ticket_created'),
  ticket_updated: t('settings.rules.ticket_updated'),
  customer_replied: t('settings.rules.customer_replied'),
  staff_replied: t('settings.rules.staff_replied'),
  time_passed: t('settings.rules.time_passed'),
};

const disabledTexts: Record<RuleDisabledReason, (detail: string) => string> = {
  member_inactive: (detail) => t('settings.rules.off_member_inactive', { detail }),
  webhook_deleted: (detail) =>
    detail === '' ? t('settings.rules.off_webhook_missing') : t('settings.rules.off_webhook_deleted', { detail }),
  invalid: (detail) => t('settings.rules.off_invalid', { detail }),
};
/** Why the rule was turned off, and what to do. */
export const disabledText = ({ code, detail }: NonNullable<Rule['disabled_reason']>): string => disabledTexts[code](detail);

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

function valueText(field: string, value: unknown, names: RuleNames): string {
  if (value === null || value === undefined || value === '')
    return field === 'assigned_to' ? t('settings.rules.unassigned') : t('settings.rules.nothing');
  if (field === 'status') return statusLabels[value as keyof typeof statusLabels];
  if (field === 'priority') return priorityLabels[value as keyof typeof priorityLabels];
  if (field === 'assigned_to' && typeof value === 'string') return memberName(value, names);
  if (field === 'language') return languageNames[value as keyof typeof languageNames];
  if (isCustomFieldName(field)) return customValueText(field, value as CustomFieldValue, names);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listTexts(field: 'tags' | 'watchers', { from, to }: Outcome['changes'][string], names: RuleNames): string[] {
  const text = (value: string) => (field === 'watchers' ? memberName(value, names) : value);
  const added = listOf(to).filter((value) => !listOf(from).includes(value));
  const removed = listOf(from).filter((value) => !listOf(to).includes(value));
  const texts =
    field === 'tags'
      ? { add: (name: string) => t('settings.rules.plus_tag', { name }), remove: (name: string) => t('settings.rules.minus_tag', { name }) }
      : {
          add: (name: string) => t('settings.rules.plus_watcher', { name }),
          remove: (name: string) => t('settings.rules.minus_watcher', { name }),
        };
  return [...added.map((value) => texts.add(text(value))), ...removed.map((value) => texts.remove(text(value)))];
}

/** What a rule did, or in a test would do, to a ticket: 'Status: Open → Closed', '+ refund', 'Reply sent'. */
export function outcomeTexts({ changes, effects }: Outcome, names: RuleNames, tense: 'done' | 'planned' = 'done'): string[] {
  const changed = Object.entries(changes).flatMap(([field, change]) =>
    field === 'tags' || field === 'watchers'
      ? listTexts(field, change, names)
      : t('settings.rules.field_changed', {
          field: isCustomFieldName(field) ? fieldLabel(field, names.fields) : (fieldNames[field] ?? field.replaceAll('_', ' ')),
          from: valueText(field, change.from, names),
          to: valueText(field, change.to, names),
        }),
  );
  const done = [...new Set(effects)].map((effect) => {
    const text = effectLabels[effect][tense];
    const count = effects.filter((each) => each === effect).length;
    return count === 1 ? text : t('settings.rules.text_times', { text, count });
  });
  return [...changed, ...done];
}
