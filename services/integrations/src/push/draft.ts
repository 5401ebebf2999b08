import type { SyncField } from '@tandem/contracts';
import { fieldIdOf, isTaskFieldName } from '../provider/field-names';
import type { ExternalUser, TaskDraft, TaskFieldChange, TaskPatch, TaskSnapshot, TaskText } from '../provider/task-tool';
import type { Values } from '../merge/compare';
import { decoded, type TaskField } from '../merge/custom-fields';
import { userKey, directionOf, emailField, ticketView, type Pair } from '../merge/fields';
import type { Value } from '../merge/merge';
import { mappedStatus } from '../merge/status';

/** Contained in the description of exactly one task: the link to its ticket, used to find the task again. */
export const ticketMarker = (ticket_id: string): string => `/tickets/${ticket_id}`;

export const ticketUrl = (public_url: string, ticket_id: string): string => public_url.replace(/\/+$/, '') + ticketMarker(ticket_id);

const syncsToTask = (pair: Pick<Pair, 'tool' | 'integration'>, field: SyncField): boolean =>
  ['both', 'to_task'].includes(directionOf(pair, field));

/** The customer's text, followed by the link to the ticket and the customer's name and address. */
export function descriptionOf(
  pair: Pick<Pair, 'tool' | 'integration' | 'copy'>,
  text: string | null,
  public_url: string,
  more: TaskText['lines'] = [],
): TaskText {
  const { copy } = pair;
  const lines: TaskText['lines'] = [{ label: 'Ticket', text: copy.ticket_number, url: ticketUrl(public_url, copy.ticket_id) }];
  if (syncsToTask(pair, 'customer_email') && emailField(pair) === undefined)
    lines.push({ label: 'Customer', text: copy.customer_name ? `${copy.customer_name}, ${copy.customer_email}` : copy.customer_email });
  return { text, lines: [...lines, ...more], whole: ticketUrl(public_url, copy.ticket_id) };
}

/**
 * The task draft for a ticket. `without` are the fields that the tool refused in earlier attempts; `fields` are the custom fields to send.
 */
export function draftOf(
  pair: Pick<Pair, 'tool' | 'integration' | 'copy' | 'members'>,
  public_url: string,
  without: ReadonlySet<SyncField> = new Set(),
  fields: readonly TaskField[] = [],
): TaskDraft {
  const { integration, copy, members } = pair;
  const ticket = ticketView(copy);
  const isSent = (field: SyncField) => syncsToTask(pair, field) && !without.has(field);
  const status = isSent('status') ? mappedStatus(integration, copy.status) : undefined;
  const assignee = isSent('assignee') ? members?.find((member) => userKey(member) === ticket.assignee) : undefined;
  const field_id = isSent('customer_email') ? emailField(pair) : undefined;
  return {
    title: copy.subject,
    description: descriptionOf(pair, isSent('description') ? copy.description : null, public_url),
    ...(status !== undefined && { status }),
    ...(isSent('priority') && { priority: copy.priority }),
    tags: isSent('tags') ? copy.tags : [],
    assignee_ids: assignee ? [assignee.id] : [],
    due_at: isSent('due_at') ? copy.due_at : null,
    ...(field_id !== undefined && { customer_email: { field_id, value: copy.customer_email } }),
    ...(fields.length > 0 && { custom_fields: fields.map(({ name, value }) => ({ field_id: fieldIdOf(name), value: decoded(value) })) }),
  };
}

/** Whether the draft needs the list's assignable users. */
export const draftNeedsMembers = (pair: Pick<Pair, 'tool' | 'integration' | 'copy'>): boolean =>
  pair.copy.assignee_email !== null && syncsToTask(pair, 'assignee');

/** The patch that sets these values, given in the task's terms, on the task. */
export function patchOf(pair: Pair, values: Values, public_url: string, lines: TaskText['lines'] = []): TaskPatch {
  const patch: { [Part in keyof TaskPatch]: TaskPatch[Part] | undefined } = {};
  const has = (field: SyncField) => values[field] !== undefined;
  if (has('title')) patch.title = values.title as string;
  if (has('status')) patch.status = values.status as string;
  if (has('priority')) patch.priority = values.priority as TaskPatch['priority'];
  if (has('due_at')) patch.due_at = values.due_at as string | null;
  if (has('tags')) patch.tags = orUndefined(difference(pair.task.tags, values.tags as string[]));
  if (has('assignee')) patch.assignees = orUndefined(assigneesOf(pair, values.assignee as string[]));
  const field_id = emailField(pair);
  if (has('customer_email') && field_id !== undefined) patch.customer_email = { field_id, value: values.customer_email as string };
  const changes = customFieldChanges(values);
  if (changes.length > 0) patch.custom_fields = changes;
  const { below } = pair.task;
  if (has('description'))
    patch.description = { ...descriptionOf(pair, values.description as string | null, public_url, lines), ...(below != null && { below }) };
  return Object.fromEntries(Object.entries(patch).filter(([, part]) => part !== undefined));
}

const customFieldChanges = (values: Values): TaskFieldChange[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isTaskFieldName(name) && value !== undefined ? [{ field_id: fieldIdOf(name), value: decoded(value) }] : [],
  );

interface Difference {
  add: string[];
  remove: string[];
}
const orUndefined = (change: Difference): Difference | undefined => (change.add.length + change.remove.length > 0 ? change : undefined);

function difference(present: string[], wanted: string[]): Difference {
  return { add: wanted.filter((value) => !present.includes(value)), remove: present.filter((value) => !wanted.includes(value)) };
}

function assigneesOf({ task, members }: Pair, wanted: string[]): Difference {
  const ids = new Map([...(members ?? []), ...task.assignees].map((user): [string, string] => [userKey(user), user.id]));
  const { add, remove } = difference(task.assignees.map(userKey), wanted);
  const known = (addresses: string[]) => addresses.map((address) => ids.get(address)).filter((id) => id !== undefined);
  return { add: known(add), remove: known(remove) };
}

/** The task as the patch leaves it, for tools whose response does not include it. */
export function applyPatch(task: TaskSnapshot, values: Partial<Record<SyncField, Value>>, members: ExternalUser[]): TaskSnapshot {
  const known = new Map([...members, ...task.assignees].map((user): [string, ExternalUser] => [userKey(user), user]));
  const assignees = (values.assignee as string[] | undefined)?.map((address) => known.get(address)).filter((user) => user !== undefined);
  return {
    ...task,
    ...(values.title !== undefined && { title: values.title as string }),
    ...(values.description !== undefined && { description: values.description as string | null }),
    ...(values.priority !== undefined && { priority: values.priority as TaskSnapshot['priority'] }),
    ...(values.tags !== undefined && { tags: values.tags as string[] }),
    ...(values.due_at !== undefined && { due_at: values.due_at as string | null }),
    ...(values.status !== undefined && { status: { ...task.status, id: values.status as string, name: values.status as string } }),
    ...(assignees && { assignees }),
  };
}
