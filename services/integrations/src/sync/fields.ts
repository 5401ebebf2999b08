import {
  defaultDirections,
  syncFields,
  ticketLimits,
  type SyncDirection,
  type SyncField,
  type TicketStatus,
} from '@tandem/contracts/values';
import { fits, isShortened } from '../provider/fit';
import { cut } from '../provider/read';
import type { ExternalUser, TaskSnapshot, TaskTool } from '../provider/task-tool';
import type { IntegrationRow, TicketCopy } from '../schema';
import type { FieldState, Shadow, Value } from './merge';
import { directionWhenShared, type SharingRole } from './sharing';
import { isFinishedStatus, statusForTask, statusForTicket } from './status';

/** What the sync of one ticket with its task has before it. */
export interface Pair {
  tool: TaskTool;
  integration: IntegrationRow;
  copy: TicketCopy;
  task: TaskSnapshot;
  shadow: Shadow;
  /** Who can be assigned at the tool; undefined: nobody asked yet. */
  members?: ExternalUser[] | undefined;
  /** Whether the task has other tickets; undefined as `none`. */
  sharing?: SharingRole;
}

const textOf = (text: string | null): string | null => text?.replace(/\r\n?/g, '\n').trim() || null;
const sorted = (values: string[]): string[] => [...new Set(values)].sort();
export const addressOf = ({ id, email }: ExternalUser): string => email?.toLowerCase() ?? `id:${id}`;

/** Every field of a ticket, made comparable. */
export const ticketView = (copy: TicketCopy): Record<SyncField, Value> => ({
  status: copy.status,
  priority: copy.priority,
  title: copy.subject.trim(),
  description: textOf(copy.description),
  tags: sorted(copy.tags),
  assignee: copy.assignee_email?.toLowerCase() ?? null,
  customer_email: copy.customer_email.toLowerCase(),
  due_at: copy.due_at,
});

/** Every field of a task, made comparable. The customer's address is not read back: it holds what was sent. */
export const taskView = (task: TaskSnapshot, shadow: Shadow): Record<SyncField, Value> => ({
  status: task.status.name,
  priority: task.priority,
  title: task.title.trim(),
  description: textOf(task.description),
  tags: sorted(task.tags),
  assignee: sorted(task.assignees.map(addressOf)),
  customer_email: shadow.customer_email?.task ?? null,
  due_at: task.due_at,
});

/** The custom field that takes the customer's address; undefined: it stands in the description that the task is made with. */
export function emailField({ tool, integration }: Pick<Pair, 'tool' | 'integration'>): string | undefined {
  if (!tool.capabilities.custom_fields || integration.custom_fields_refused) return undefined;
  return integration.field_mappings.customer_email?.field_id ?? undefined;
}

/** Which way a field goes between an integration's tickets and tasks; what the tool cannot hold goes nowhere. */
export function directionOf(
  { tool, integration, sharing }: Pick<Pair, 'tool' | 'integration' | 'sharing'>,
  field: SyncField,
): SyncDirection {
  if (!tool.capabilities.fields.includes(field)) return 'off';
  return directionWhenShared(integration.field_mappings[field]?.direction ?? defaultDirections[field], field, sharing ?? 'none');
}

/** Every field as `decide()` wants it. */
export function fieldStates(pair: Pair): Record<SyncField, FieldState> {
  const [ticket, task] = [ticketView(pair.copy), taskView(pair.task, pair.shadow)];
  const states = syncFields.map((field): [SyncField, FieldState] => [
    field,
    {
      direction: isHeldInPart(pair, field) ? outward(directionOf(pair, field)) : directionOf(pair, field),
      ticket: ticket[field],
      task: task[field],
      toTask: (value) => toTask(pair, field, value),
      toTicket: (value) => toTicket(pair, field, value),
    },
  ]);
  return Object.fromEntries(states) as Record<SyncField, FieldState>;
}

const outward = (direction: SyncDirection): SyncDirection => (direction === 'both' || direction === 'to_task' ? 'to_task' : 'off');

/** Our own lines stand in a description too, with names and addresses of any length. */
const roomForOwnLines = 8_000;

/** Whether the task holds only the beginning of a text: what its people make of that must not replace the whole text in the ticket. */
function isHeldInPart({ tool, copy, task }: Pair, field: SyncField): boolean {
  const { title, description } = tool.limits;
  if (field === 'title') return !fits(copy.subject, title);
  if (field !== 'description' || description === null) return false;
  const room = { ...description, most: description.most - roomForOwnLines };
  return isShortened(task.description) || !fits(tool.written(copy.description ?? '') + (task.below ?? ''), room);
}

/** A ticket's value in the words of the task; undefined where it has none. */
export function toTask(pair: Pair, field: SyncField, value: Value): Value | undefined {
  if (field === 'status') return statusForTask(pair, value as TicketStatus);
  if (field === 'assignee') return assigneesForTask(pair, value as string | null);
  if (field === 'tags') return tagsForTask(pair, value as string[]);
  // A line of the description is not worth writing the whole anew over what the task's people made of it.
  if (field === 'customer_email' && emailField(pair) === undefined) return undefined;
  return value;
}

/** A task's value in the words of the ticket; undefined where there are none, and the ticket keeps its own. */
function toTicket(pair: Pair, field: SyncField, value: Value): Value | undefined {
  if (field === 'status') return statusForTicket(pair, value as string);
  // A task without a priority says nothing of it: nothing is invented (`external-interfaces.md` 1.4).
  if (field === 'priority') return value === null ? undefined : value;
  if (field === 'title') return cut(value as string, ticketLimits.subject).trim() || undefined;
  if (field === 'description') return value === null ? null : cut(value as string, ticketLimits.description);
  if (field === 'tags') return sorted(inSpellingOf(pair.copy.tags, value as string[])).slice(0, ticketLimits.tags);
  if (field === 'assignee') return assigneeForTicket(value as string[]);
  return undefined;
}

/** A ticket has one assignee, a task may have several: who else is on the task stays there. Undefined for somebody whom the tool does not know. */
function assigneesForTask({ task, shadow, members }: Pair, email: string | null): string[] | undefined {
  const present = task.assignees.map(addressOf);
  // Who was assigned to the ticket when the task last followed it: the tool may not know a later assignee.
  const previous = shadow.assignee?.followed === undefined ? shadow.assignee?.ticket : shadow.assignee.followed;
  const others = present.filter((address) => address !== previous);
  if (email === null) return sorted(others);
  const isThere = present.includes(email) || (members ?? []).some((member) => addressOf(member) === email);
  return isThere ? sorted([...others, email]) : undefined;
}

/** Of several nobody can say which one it is. */
function assigneeForTicket(addresses: string[]): string | null | undefined {
  const [only, ...others] = addresses;
  if (only === undefined) return null;
  return others.length > 0 || only.startsWith('id:') ? undefined : only;
}

/** Where tags go one way only, those that the task's people added themselves stay. */
function tagsForTask(pair: Pair, tags: string[]): string[] {
  const wanted = inSpellingOf(pair.task.tags, tags);
  if (directionOf(pair, 'tags') === 'both') return sorted(wanted);
  const before = new Set(((pair.shadow.tags?.ticket ?? []) as string[]).map(folded));
  return sorted([...pair.task.tags.filter((tag) => !before.has(folded(tag))), ...wanted]);
}

const folded = (tag: string): string => tag.toLowerCase();
/** Tools fold the case of tags: what is the same tag is written as the other side has it. */
function inSpellingOf(present: string[], tags: string[]): string[] {
  const spelled = new Map(present.map((tag) => [folded(tag), tag]));
  return tags.map((tag) => spelled.get(folded(tag)) ?? tag);
}

/** Whether somebody who is not on the task is to be assigned: only then is it worth asking who can be. */
export function needsMembers(pair: Pair): boolean {
  const { copy, task, shadow } = pair;
  const direction = directionOf(pair, 'assignee');
  const wanted = ticketView(copy).assignee;
  if (direction === 'off' || direction === 'to_ticket' || wanted === null || wanted === shadow.assignee?.ticket) return false;
  return !task.assignees.some((assignee) => addressOf(assignee) === wanted);
}

/** A value without a word that nobody needs to hear of: no priority, a finished task that only waits to be told, several assignees. */
export function isSilent(pair: Pair, field: SyncField, way: 'to_task' | 'to_ticket'): boolean {
  if (way === 'to_task') return false;
  if (field === 'status') return isFinishedStatus(pair.task.status) || (pair.sharing ?? 'none') !== 'none';
  return field === 'priority' || field === 'assignee';
}
