import type { Activity } from '@tandem/contracts';
import { languageNames, priorityLabels, statusLabels } from '@tandem/contracts/values';
import { formatDate } from '../../../lib/dates';
import { nameOf, tokenLabel } from '../../../lib/names';

type Change = Activity['changes'][string];
interface Named {
  user_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string;
}

const fieldNames: Record<string, string> = {
  status: 'status',
  priority: 'priority',
  assigned_to: 'assignee',
  subject: 'subject',
  description: 'description',
  category: 'category',
  tags: 'tags',
  customer_name: 'customer name',
  customer_email: 'customer email',
  language: 'language',
};

const actors: Record<Activity['actor_type'], string> = {
  user: 'A former member',
  token: 'The API',
  customer: 'The customer',
  'task-tool': 'The task tool',
  system: 'Tandem',
};

/** The name of the person, API token or system that made the change. */
export const actorOf = ({ author, actor_type, token }: Activity): string =>
  token ? tokenLabel(token) : nameOf(author, actors[actor_type]);

function valueText(field: string, value: unknown, people: readonly Named[]): string {
  if (value === null || value === undefined || value === '') return field === 'assigned_to' ? 'Unassigned' : 'nothing';
  if (field === 'status') return statusLabels[value as keyof typeof statusLabels];
  if (field === 'priority') return priorityLabels[value as keyof typeof priorityLabels];
  if (field === 'language') return languageNames[value as keyof typeof languageNames];
  if (field === 'assigned_to')
    return nameOf(
      people.find(({ user_id }) => user_id === value),
      'a former member',
    );
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

function ccText({ from, to }: Change): string {
  const added = listOf(to).filter((address) => !listOf(from).includes(address));
  const removed = listOf(from).filter((address) => !listOf(to).includes(address));
  const parts = [
    ...(added.length > 0 ? [`added ${added.join(', ')} to Cc`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')} from Cc`] : []),
  ];
  return parts.join(' and ') || 'changed the order of Cc';
}

function tagsText({ from, to }: Change): string {
  const added = listOf(to).filter((tag) => !listOf(from).includes(tag));
  const removed = listOf(from).filter((tag) => !listOf(to).includes(tag));
  const parts = [
    ...(added.length > 0 ? [`added the tags ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed the tags ${removed.join(', ')}`] : []),
  ];
  return parts.join(' and ') || 'changed the order of the tags';
}

function changeText(field: string, change: Change, people: readonly Named[], actorId: string | null): string {
  if (field === 'tags') return tagsText(change);
  if (field === 'cc') return ccText(change);
  if (field === 'description') return 'changed the description';
  if (field === 'task') return change.to === null ? 'unlinked the task' : `linked ${taskIn(change.to)}`;
  if (field === 'task_finished_at')
    return change.to === null ? 'removed the ticket from “Ready to tell the customer”' : 'finished the task';
  if (field === 'assigned_to' && change.to === null) return `unassigned ${valueText(field, change.from, people)}`;
  if (field === 'assigned_to' && change.to === actorId) return 'took this ticket';
  if (field === 'assigned_to' && change.from === null) return `assigned ${valueText(field, change.to, people)}`;
  if (field === 'merged_into' && change.to === null) return `undid the merge into ${numberIn(change.from)}`;
  if (field === 'merged') return `moved ${numberIn(change.from)} out of this ticket again`;
  if (field === 'merged_into' || field === 'merged_into_id') return `merged this into ${numberIn(change.to)}`;
  const name = fieldNames[field] ?? field.replaceAll('_', ' ');
  return `changed ${name} from ${valueText(field, change.from, people)} to ${valueText(field, change.to, people)}`;
}

/** The ticket number in a timeline value. */
function numberIn(value: unknown): string {
  const number = typeof value === 'object' && value !== null && 'ticket_number' in value ? value.ticket_number : undefined;
  return typeof number === 'string' ? number : 'another ticket';
}

/** The task's id in the tool, as it appears in the tool's URLs. */
const taskIn = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'task_id' in value && typeof value.task_id === 'string'
    ? `task ${value.task_id}`
    : 'a task';

const clockName = (changes: Activity['changes']) => (changes.clock?.to === 'response' ? 'first response' : 'resolution');

const isNotPlanned = (field: string, { task_outcome }: Activity['changes']): boolean =>
  field === 'task_finished_at' && task_outcome?.to === 'not_planned';

/** Shorter than `activityLabels`, for the conversation: 'set In Progress', 'set High priority'. */
export function eventLabels(activity: Activity, people: readonly Named[]): string[] {
  const { status, priority, ...changes } = activity.kind === 'changed' ? activity.changes : ({} as Activity['changes']);
  const short = [
    ...(status ? [`set ${valueText('status', status.to, people)}`] : []),
    ...(priority ? [`set ${valueText('priority', priority.to, people)} priority`] : []),
  ];
  return short.length === 0 ? activityLabels(activity, people) : [...short, ...activityLabels({ ...activity, changes }, people)];
}

const snoozedText = (until: unknown): string =>
  typeof until === 'string' ? `snoozed the ticket until ${formatDate(until)}` : 'snoozed the ticket until the customer replies';

/** The activity as phrases that follow the actor's name: 'changed status from Open to Resolved'. */
export function activityLabels({ kind, changes, user_id, actor_type }: Activity, people: readonly Named[]): string[] {
  switch (kind) {
    case 'created':
      return ['created the ticket'];
    case 'merged':
      return [`merged ${numberIn(changes.merged?.to)} into this ticket`];
    case 'reply_drafted':
      return [`drafted a reply for ${valueText('assigned_to', changes.drafted_for?.to, people)}`];
    case 'sla_warning':
      return [`warned that the ${clockName(changes)} is due soon`];
    case 'sla_breached':
      return [`noted that the ${clockName(changes)} is overdue`];
    case 'escalated':
      return ['escalated the ticket'];
    case 'snoozed':
      return [snoozedText(changes.snoozed_until?.to)];
    case 'woken':
      return [actor_type === 'customer' ? 'replied, which ended the snooze' : 'ended the snooze'];
    case 'changed':
      return Object.entries(changes)
        .filter(([field]) => field !== 'task_outcome')
        .map(([field, change]) =>
          isNotPlanned(field, changes) ? 'closed the task as not planned' : changeText(field, change, people, user_id),
        );
  }
}
