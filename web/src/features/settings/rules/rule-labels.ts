import type { CustomFieldValue, Member, Rule, RuleAction, WebhookEndpoint } from '@tandem/contracts';
import {
  customFieldName,
  priorityLabels,
  statusLabels,
  type CustomFieldName,
  type RuleMoment,
  type RuleTrigger,
} from '@tandem/contracts/values';
import { definitionOf, fieldLabel, type Definitions } from '../../../app/conditions/condition-labels';
import type { ConditionNames } from '../../../app/conditions/condition-sentence';
import { fieldValueText } from '../../../app/custom-fields/field-text';
import { lazyFormat } from '../../../lib/lazy-format';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { endpointName } from '../webhooks/endpoint-labels';

/** What the ids and keys in rules refer to. */
export interface RuleNames {
  members: readonly Member[];
  fields: Definitions;
  /** Undefined for managers, who cannot read webhook endpoints. */
  webhooks: readonly WebhookEndpoint[] | undefined;
}

const both = lazyFormat(() => new Intl.ListFormat('en-US', { type: 'conjunction' }));
const either = lazyFormat(() => new Intl.ListFormat('en-US', { type: 'disjunction' }));

/** For the sentence: 'When a ticket is created'. */
const triggerPhrases: Record<RuleTrigger, string> = {
  ticket_created: t('settings.rules.a_ticket_is_created'),
  ticket_updated: t('settings.rules.a_ticket_is_updated'),
  customer_replied: t('settings.rules.the_customer_replies'),
  staff_replied: t('settings.rules.your_team_replies'),
  time_passed: t('settings.rules.time_has_passed'),
};

const sincePhrases: Record<RuleMoment, string> = {
  created: t('settings.rules.since_created'),
  updated: t('settings.rules.since_updated'),
  status_changed: t('settings.rules.since_status_changed'),
  customer_replied: t('settings.rules.since_customer_replied'),
  staff_replied: t('settings.rules.since_staff_replied'),
};

/** 36 hours, 5 days. */
export const durationOf = (hours: number): { count: number; unit: 'hours' | 'days' } =>
  hours % 24 === 0 ? { count: hours / 24, unit: 'days' } : { count: hours, unit: 'hours' };

function timeText({ hours, since }: NonNullable<Rule['time']>): string {
  const { count, unit } = durationOf(hours);
  return unit === 'days'
    ? t('settings.rules.days_since', { count, since: sincePhrases[since] })
    : t('settings.rules.hours_since', { count, since: sincePhrases[since] });
}

/** 'a ticket is created or the customer replies', '5 days have passed since your team last replied'. */
export function whenText({ triggers, time }: Pick<Rule, 'triggers' | 'time'>): string {
  if (time) return timeText(time);
  return either().format(triggers.map((trigger) => triggerPhrases[trigger]));
}

/** The name of a member, also of a former one. */
export const memberName = (id: string, { members }: RuleNames): string =>
  nameOf(
    members.find(({ user_id }) => user_id === id),
    t('settings.rules.a_former_member'),
  );
export const conditionNames = (names: RuleNames): ConditionNames => ({ member: (id) => memberName(id, names), fields: names.fields });
/** A value of a custom field, which may no longer exist. */
export const customValueText = (name: CustomFieldName, value: CustomFieldValue, { fields }: RuleNames): string =>
  fieldValueText(definitionOf(name, fields) ?? { type: 'text', options: [] }, value);
const listed = (values: readonly string[]): string => both().format(values);

function assignText(to: string | null, names: RuleNames): string {
  if (to === null) return t('settings.rules.do_unassign');
  return to === 'round_robin' ? t('settings.rules.do_assign_in_turn') : t('settings.rules.do_assign', { name: memberName(to, names) });
}

/** Values can be as long as an email; a sentence shows how they start. */
const shownLength = 80;
const shortened = (text: string): string => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);

function setFieldText({ key, value }: Extract<RuleAction, { type: 'set_field' }>, names: RuleNames): string {
  if (key === '') return t('settings.rules.do_set_any_field');
  const name = customFieldName(key);
  const field = fieldLabel(name, names.fields);
  if (value === null) return t('settings.rules.do_clear_field', { field });
  return t('settings.rules.do_set_field', { field, value: shortened(customValueText(name, value, names)) });
}

function sendToWebhookText(endpoint_id: string, { webhooks }: RuleNames): string {
  const endpoint = webhooks?.find(({ id }) => id === endpoint_id);
  return endpoint ? t('settings.rules.do_send_to_webhook', { name: endpointName(endpoint) }) : t('settings.rules.do_send_to_a_webhook');
}

/** 'assign it to Ada Okafor', 'add the tag refund'. */
export function actionText(action: RuleAction, names: RuleNames): string {
  switch (action.type) {
    case 'set_status':
      return t('settings.rules.do_set_status', { status: statusLabels[action.status] });
    case 'set_priority':
      return t('settings.rules.do_set_priority', { priority: priorityLabels[action.priority] });
    case 'assign':
      return assignText(action.to, names);
    case 'set_category':
      return action.category ? t('settings.rules.do_set_category', { category: action.category }) : t('settings.rules.do_remove_category');
    case 'set_field':
      return setFieldText(action, names);
    case 'add_tags':
      return t('settings.rules.do_add_tags', { count: action.tags.length, tags: listed(action.tags) });
    case 'remove_tags':
      return t('settings.rules.do_remove_tags', { count: action.tags.length, tags: listed(action.tags) });
    case 'add_watchers':
      return t('settings.rules.do_add_watchers', {
        count: action.user_ids.length,
        names: listed(action.user_ids.map((id) => memberName(id, names))),
      });
    case 'remove_watchers':
      return t('settings.rules.do_remove_watchers', { names: listed(action.user_ids.map((id) => memberName(id, names))) });
    case 'add_note':
      return t('settings.rules.do_add_note');
    case 'send_reply':
      return t('settings.rules.do_send_reply');
    case 'send_to_webhook':
      return sendToWebhookText(action.endpoint_id, names);
  }
}

/** 'assign it to Ada Okafor and add the tag refund, then stop'. */
export function thenText({ actions, stops }: Pick<Rule, 'actions' | 'stops'>, names: RuleNames): string {
  const texts = actions.map((action) => actionText(action, names));
  const counted = [...new Set(texts)].map((text) => {
    const count = texts.filter((each) => each === text).length;
    return count === 1 ? text : t('settings.rules.do_count_times', { action: text, count });
  });
  const actionList = listed(counted);
  return stops ? t('settings.rules.actions_then_stop', { actions: actionList }) : actionList;
}
