import type { Activity, CustomField, CustomFieldValue } from '@tandem/contracts';
import { importSourceNames, isCustomFieldName, keyOfName, languageNames, priorityLabels, statusLabels } from '@tandem/contracts/values';
import { fieldValueText } from '../../../app/custom-fields/field-text';
import { formatDate } from '../../../lib/dates';
import { nameOf, ruleLabel, tokenLabel } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';

type Change = Activity['changes'][string];
interface Named {
  user_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string;
}

const fieldNames: Record<string, string> = {
  status: t('tickets.panel.field_status'),
  priority: t('tickets.panel.field_priority'),
  assigned_to: t('tickets.panel.field_assignee'),
  subject: t('tickets.panel.field_subject'),
  description: t('tickets.panel.field_description'),
  category: t('tickets.panel.field_category'),
  tags: t('tickets.panel.field_tags'),
  customer_name: t('tickets.panel.field_customer_name'),
  customer_email: t('tickets.panel.field_customer_email'),
  language: t('tickets.panel.field_language'),
};

const actors: Record<Activity['actor_type'], string> = {
  user: t('tickets.panel.former_member'),
  token: t('tickets.panel.api'),
  customer: t('tickets.panel.the_customer'),
  'task-tool': t('tickets.panel.task_tool'),
  system: t('tickets.panel.tandem'),
};

/** The name of the person, API token, rule or system that made the change. */
export function actorOf({ author, actor_type, token, rule }: Activity): string {
  if (rule) return ruleLabel(rule);
  return token ? tokenLabel(token) : nameOf(author, actors[actor_type]);
}

function valueText(field: string, value: unknown, people: readonly Named[]): string {
  if (value === null || value === undefined || value === '')
    return field === 'assigned_to' ? t('tickets.panel.unassigned') : t('tickets.panel.nothing');
  if (field === 'status') return statusLabels[value as keyof typeof statusLabels];
  if (field === 'priority') return priorityLabels[value as keyof typeof priorityLabels];
  if (field === 'language') return languageNames[value as keyof typeof languageNames];
  if (field === 'assigned_to')
    return nameOf(
      people.find(({ user_id }) => user_id === value),
      t('tickets.panel.a_former_member'),
    );
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

function ccText({ from, to }: Change): string {
  const added = listOf(to).filter((address) => !listOf(from).includes(address));
  const removed = listOf(from).filter((address) => !listOf(to).includes(address));
  if (added.length > 0 && removed.length > 0)
    return t('tickets.panel.cc_added_and_removed', { added: added.join(', '), removed: removed.join(', ') });
  if (added.length > 0) return t('tickets.panel.cc_added', { added: added.join(', ') });
  return removed.length > 0 ? t('tickets.panel.cc_removed', { removed: removed.join(', ') }) : t('tickets.panel.cc_reordered');
}

function tagsText({ from, to }: Change): string {
  const added = listOf(to).filter((tag) => !listOf(from).includes(tag));
  const removed = listOf(from).filter((tag) => !listOf(to).includes(tag));
  if (added.length > 0 && removed.length > 0)
    return t('tickets.panel.tags_added_and_removed', {
      added: added.join(', '),
      count: added.length,
      removed: removed.join(', '),
      removed_count: removed.length,
    });
  if (added.length > 0) return t('tickets.panel.tags_added', { added: added.join(', '), count: added.length });
  return removed.length > 0
    ? t('tickets.panel.tags_removed', { removed: removed.join(', '), count: removed.length })
    : t('tickets.panel.tags_reordered');
}

/** What the ids and keys in changes stand for. */
export interface LabelContext {
  people: readonly Named[];
  /** The organization's custom fields. A deleted one is shown by its key. */
  fields: readonly CustomField[];
}

function customFieldText(key: string, { from, to }: Change, fields: readonly CustomField[]): string {
  const field = fields.find((each) => each.key === key);
  const name = field?.label ?? key;
  const text = (value: unknown) => fieldValueText(field ?? { type: 'text', options: [] }, value as CustomFieldValue);
  if (to === null || to === undefined) return t('tickets.panel.cleared_field', { name });
  if (field?.type === 'long_text') return t('tickets.panel.changed_long_field', { name });
  if (from === null || from === undefined) return t('tickets.panel.set_field', { name, to: text(to) });
  return t('tickets.panel.changed_field', { name, from: text(from), to: text(to) });
}

/** The name of a field whose old and new values are not stored, because the ticket was anonymized. */
function removedName(field: string, fields: readonly CustomField[]): string {
  const key = isCustomFieldName(field) ? keyOfName(field) : field;
  return fields.find((each) => each.key === key)?.label ?? fieldNames[field] ?? key.replaceAll('_', ' ');
}

function changeText(field: string, change: Change, { people, fields }: LabelContext, actorId: string | null): string {
  if (field === 'description') return t('tickets.panel.changed_description');
  if (change.from === null && change.to === null) return t('tickets.panel.changed_long_field', { name: removedName(field, fields) });
  if (isCustomFieldName(field)) return customFieldText(keyOfName(field), change, fields);
  if (field === 'tags') return tagsText(change);
  if (field === 'cc') return ccText(change);
  if (field === 'sent_to_webhook') return t('tickets.panel.sent_to_webhook');
  if (field === 'task') return linkText(change.to);
  if (field === 'task_finished_at') return change.to === null ? t('tickets.panel.not_ready_to_tell') : t('tickets.panel.finished_task');
  if (field === 'assigned_to' && change.to === null)
    return t('tickets.panel.unassigned_name', { name: valueText(field, change.from, people) });
  if (field === 'assigned_to' && change.to === actorId) return t('tickets.panel.took_ticket');
  if (field === 'assigned_to' && change.from === null)
    return t('tickets.panel.assigned_name', { name: valueText(field, change.to, people) });
  if (field === 'merged_into' && change.to === null) return t('tickets.panel.undid_merge', { number: numberIn(change.from) });
  if (field === 'merged') return t('tickets.panel.moved_out', { number: numberIn(change.from) });
  if (field === 'merged_into' || field === 'merged_into_id') return t('tickets.panel.merged_this', { number: numberIn(change.to) });
  const name = fieldNames[field] ?? field.replaceAll('_', ' ');
  return t('tickets.panel.changed_field', { name, from: valueText(field, change.from, people), to: valueText(field, change.to, people) });
}

/** The ticket number in a timeline value. */
function numberIn(value: unknown): string {
  const number = typeof value === 'object' && value !== null && 'ticket_number' in value ? value.ticket_number : undefined;
  return typeof number === 'string' ? number : t('tickets.panel.another_ticket');
}

/** With the task's id in the tool, as it appears in the tool's URLs. */
function linkText(to: unknown): string {
  if (to === null) return t('tickets.panel.unlinked_task');
  return typeof to === 'object' && 'task_id' in to && typeof to.task_id === 'string'
    ? t('tickets.panel.linked_task', { id: to.task_id })
    : t('tickets.panel.linked_a_task');
}

const isResponse = (changes: Activity['changes']) => changes.clock?.to === 'response';

const isNotPlanned = (field: string, { task_outcome }: Activity['changes']): boolean =>
  field === 'task_finished_at' && task_outcome?.to === 'not_planned';

/** Shorter than `activityLabels`, for the conversation: 'set In Progress', 'set High priority'. */
export function eventLabels(activity: Activity, context: LabelContext): string[] {
  const { people } = context;
  const { status, priority, ...changes } = activity.kind === 'changed' ? activity.changes : ({} as Activity['changes']);
  const short = [
    ...(status ? [t('tickets.panel.set_status', { status: valueText('status', status.to, people) })] : []),
    ...(priority ? [t('tickets.panel.set_priority', { priority: valueText('priority', priority.to, people) })] : []),
  ];
  return short.length === 0 ? activityLabels(activity, context) : [...short, ...activityLabels({ ...activity, changes }, context)];
}

const snoozedText = (until: unknown): string =>
  typeof until === 'string' ? t('tickets.panel.snoozed_until', { date: formatDate(until) }) : t('tickets.panel.snoozed_until_reply');

/** With the name of the help desk that a ticket comes from, and its number there. */
function importedText(from: unknown): string {
  const { source, number } = (from ?? {}) as { source?: keyof typeof importSourceNames; number?: string | null };
  const name = (source && importSourceNames[source]) ?? t('tickets.panel.another_help_desk');
  return number ? t('tickets.panel.imported_number', { name, number }) : t('tickets.panel.imported_ticket', { name });
}

/** The activity as phrases that follow the actor's name: 'changed status from Open to Resolved'. */
export function activityLabels({ kind, changes, user_id, actor_type }: Activity, context: LabelContext): string[] {
  switch (kind) {
    case 'created':
      return [t('tickets.panel.created_ticket')];
    case 'merged':
      return [t('tickets.panel.merged_other', { number: numberIn(changes.merged?.to) })];
    case 'reply_drafted':
      return [t('tickets.panel.drafted_reply', { name: valueText('assigned_to', changes.drafted_for?.to, context.people) })];
    case 'sla_warning':
      return [isResponse(changes) ? t('tickets.panel.warned_response') : t('tickets.panel.warned_resolution')];
    case 'sla_breached':
      return [isResponse(changes) ? t('tickets.panel.noted_response') : t('tickets.panel.noted_resolution')];
    case 'escalated':
      return [t('tickets.panel.escalated_ticket')];
    case 'snoozed':
      return [snoozedText(changes.snoozed_until?.to)];
    case 'woken':
      return [actor_type === 'customer' ? t('tickets.panel.replied_ended_snooze') : t('tickets.panel.ended_snooze')];
    case 'rules_paused':
      return [t('tickets.panel.paused_rules', { date: formatDate(String(changes.rules_paused_until?.to)) })];
    case 'imported':
      return [importedText(changes.imported_from?.to)];
    case 'changed':
      return Object.entries(changes)
        .filter(([field]) => field !== 'task_outcome')
        .map(([field, change]) =>
          isNotPlanned(field, changes) ? t('tickets.panel.closed_not_planned') : changeText(field, change, context, user_id),
        );
  }
}
