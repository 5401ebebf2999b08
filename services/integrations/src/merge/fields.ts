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
import type { CustomFieldDefinition, IntegrationRow, TicketCopy } from '../schema';
import type { FieldState, Shadow, Value } from './merge';
import { directionWhenShared, type SharingRole } from './sharing';
import { isFinishedStatus, statusForTask, statusForTicket } from './status';

/** Both sides of one link, and what the comparison needs to know about them. */
export interface Pair {
  tool: TaskTool;
  integration: IntegrationRow;
  copy: TicketCopy;
  task: TaskSnapshot;
  shadow: Shadow;
  /** Users who can be assigned at the tool; undefined if they have not been requested yet. */
  members?: ExternalUser[] | undefined;
  /** The link's role if the task has several tickets; undefined is the same as `none`. */
  sharing?: SharingRole;
  /** The organization's custom fields; undefined is the same as none. */
  definitions?: CustomFieldDefinition[];
}

const textOf = (text: string | null): string | null => text?.replace(/\r\n?/g, '\n').trim() || null;
const sorted = (values: string[]): string[] => [...new Set(values)].sort();
export const userKey = ({ id, email }: ExternalUser): string => email?.toLowerCase() ?? `id:${id}`;

/** Every field of a ticket, normalized for comparison. */
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

/** Every field of a task, normalized for comparison. The customer's address is not read back: the last value sent is used. */
export const taskView = (task: TaskSnapshot, shadow: Shadow): Record<SyncField, Value> => ({
  status: task.status.name,
  priority: task.priority,
  title: task.title.trim(),
  description: textOf(task.description),
  tags: sorted(task.tags),
  assignee: sorted(task.assignees.map(userKey)),
  customer_email: shadow.customer_email?.task ?? null,
  due_at: task.due_at,
});

/** The custom field for the customer's address; undefined: the address is part of the description that the task is created with. */
export function emailField({ tool, integration }: Pick<Pair, 'tool' | 'integration'>): string | undefined {
  if (!tool.capabilities.custom_fields || integration.custom_fields_refused) return undefined;
  return integration.field_mappings.customer_email?.field_id ?? undefined;
}

/** The sync direction of a field; `off` if the tool does not support the field. */
export function directionOf(
  { tool, integration, sharing }: Pick<Pair, 'tool' | 'integration' | 'sharing'>,
  field: SyncField,
): SyncDirection {
  if (!tool.capabilities.fields.includes(field)) return 'off';
  return directionWhenShared(integration.field_mappings[field]?.direction ?? defaultDirections[field], field, sharing ?? 'none');
}

/** Every field as the input for `decide()`. */
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

/** Reserved in the description for our own lines, whose names and addresses can be of any length. */
const footerReserve = 8_000;

/** Whether the task has only the beginning of a text. An edit of the shortened text must not replace the whole text in the ticket. */
function isHeldInPart({ tool, copy, task }: Pair, field: SyncField): boolean {
  const { title, description } = tool.limits;
  if (field === 'title') return !fits(copy.subject, title);
  if (field !== 'description' || description === null) return false;
  const room = { ...description, most: description.most - footerReserve };
  return isShortened(task.description) || !fits(tool.written(copy.description ?? '') + (task.below ?? ''), room);
}

/** Converts a ticket's value into the task's terms; undefined if there is no equivalent. */
export function toTask(pair: Pair, field: SyncField, value: Value): Value | undefined {
  if (field === 'status') return statusForTask(pair, value as TicketStatus);
  if (field === 'assignee') return assigneesForTask(pair, value as string | null);
  if (field === 'tags') return tagsForTask(pair, value as string[]);
  // The address is one line of the description. Rewriting the whole description for it would overwrite edits made in the tool.
  if (field === 'customer_email' && emailField(pair) === undefined) return undefined;
  return value;
}

/** Converts a task's value into the ticket's terms; undefined if there is no equivalent, and the ticket keeps its own. */
function toTicket(pair: Pair, field: SyncField, value: Value): Value | undefined {
  if (field === 'status') return statusForTicket(pair, value as string);
  // A task without a priority leaves the ticket's priority unchanged.
  if (field === 'priority') return value === null ? undefined : value;
  if (field === 'title') return cut(value as string, ticketLimits.subject).trim() || undefined;
  if (field === 'description') return value === null ? null : cut(value as string, ticketLimits.description);
  if (field === 'tags') return sorted(inSpellingOf(pair.copy.tags, value as string[])).slice(0, ticketLimits.tags);
  if (field === 'assignee') return assigneeForTicket(value as string[]);
  return undefined;
}

/**
 * A ticket has one assignee, a task may have several: the task's other assignees stay. Undefined if the tool does not know the ticket's
 * assignee.
 */
function assigneesForTask({ task, shadow, members }: Pair, email: string | null): string[] | undefined {
  const present = task.assignees.map(userKey);
  // The ticket's assignee when the task last followed it: the tool may not know a later one.
  const previous = shadow.assignee?.followed === undefined ? shadow.assignee?.ticket : shadow.assignee.followed;
  const others = present.filter((address) => address !== previous);
  if (email === null) return sorted(others);
  const isAssignable = present.includes(email) || (members ?? []).some((member) => userKey(member) === email);
  return isAssignable ? sorted([...others, email]) : undefined;
}

/** With several assignees, there is no way to know which one is responsible for the ticket: undefined. */
function assigneeForTicket(addresses: string[]): string | null | undefined {
  const [only, ...others] = addresses;
  if (only === undefined) return null;
  return others.length > 0 || only.startsWith('id:') ? undefined : only;
}

/** If tags sync in one direction only, tags that were added in the tool stay. */
function tagsForTask(pair: Pair, tags: string[]): string[] {
  const wanted = inSpellingOf(pair.task.tags, tags);
  if (directionOf(pair, 'tags') === 'both') return sorted(wanted);
  const before = new Set(((pair.shadow.tags?.ticket ?? []) as string[]).map(folded));
  return sorted([...pair.task.tags.filter((tag) => !before.has(folded(tag))), ...wanted]);
}

const folded = (tag: string): string => tag.toLowerCase();
/** Tools change the case of tags: a tag that differs only in case takes the other side's spelling. */
function inSpellingOf(present: string[], tags: string[]): string[] {
  const spelled = new Map(present.map((tag) => [folded(tag), tag]));
  return tags.map((tag) => spelled.get(folded(tag)) ?? tag);
}

/** Whether the ticket's assignee is not yet on the task: only then are the assignable users requested. */
export function needsMembers(pair: Pair): boolean {
  const { copy, task, shadow } = pair;
  const direction = directionOf(pair, 'assignee');
  const wanted = ticketView(copy).assignee;
  if (direction === 'off' || direction === 'to_ticket' || wanted === null || wanted === shadow.assignee?.ticket) return false;
  return !task.assignees.some((assignee) => userKey(assignee) === wanted);
}

/**
 * Values without an equivalent that need no warning: no priority, a finished task whose customer is still to be notified, several
 * assignees.
 */
export function isSilent(pair: Pair, field: SyncField, way: 'to_task' | 'to_ticket'): boolean {
  if (way === 'to_task') return false;
  if (field === 'status') return isFinishedStatus(pair.task.status) || (pair.sharing ?? 'none') !== 'none';
  return field === 'priority' || field === 'assignee';
}
