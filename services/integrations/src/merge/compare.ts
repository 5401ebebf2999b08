import { syncFieldLabels, syncFields, type DataOf, type SyncField, type taskChangeProposed } from '@tandem/contracts';
import { compareTaskFields, fieldLabel } from './custom-fields';
import type { FieldName, TaskFieldName } from '../provider/field-names';
import { fieldStates, isSilent, needsMembers, type Pair } from './fields';
import { decide, isSame, type Decision, type FieldShadow, type FieldState, type Shadow, type Value } from './merge';
import { isRetryDue } from './refusals';
import type { SyncLogLine } from '../engine/sync-log.store';
import type { IntegrationRow } from '../schema';

export type Values = Partial<Record<SyncField, Value>> & Record<TaskFieldName, Value>;
type Changes = DataOf<typeof taskChangeProposed>['changes'];

/** The changes for ticket and task that follow from comparing both with the state they last agreed on. */
export interface Comparison {
  /** The state to save. A field that is sent to the task keeps its old state until the task has accepted it. */
  shadow: Shadow;
  /** For the task, in its terms. */
  to_task: Values;
  /** For the ticket. */
  changes: Changes;
  notes: SyncLogLine[];
  /** The assignee is still undecided: the assignable users must be requested first. */
  is_open: boolean;
}

/** The ticket's name for each field of the sync. */
const ticketFields = {
  status: 'status',
  priority: 'priority',
  title: 'subject',
  description: 'description',
  tags: 'tags',
  assignee: 'assignee_email',
} as const;

/** A refused field is sent again together with any other change for the task, or once its retry is due at `now`. */
export function compare(pair: Pair, now: string): Comparison {
  const states = fieldStates(pair);
  const { refused: refusedTaskFields, ...taskFields } = compareTaskFields(pair);
  const result: Comparison = { ...taskFields, changes: {}, is_open: false };
  const refused: Values = { ...refusedTaskFields };
  const options = { rule: pair.integration.conflict_rule, ticket_is_later: pair.copy.updated_at > pair.task.updated_at };
  for (const field of syncFields) {
    const state = states[field];
    // A field that was never compared starts with the current values of both sides as agreed.
    const before = pair.shadow[field] ?? { ticket: state.ticket, task: state.task };
    if (field === 'assignee' && pair.members === undefined && needsMembers(pair)) {
      result.shadow[field] = before;
      result.is_open = true;
      continue;
    }
    const decision = decide(state, before, options);
    result.shadow[field] = decision.kind === 'to_task' ? before : withFollowed(before, decision);
    if (decision.kind === 'to_task') result.to_task[field] = decision.value;
    if (decision.kind === 'refused') refused[field] = decision.value;
    if (decision.kind === 'to_ticket') addChange(result.changes, pair, field, decision.to);
    addNotes(result.notes, pair, field, state, decision);
  }
  if (Object.keys(result.to_task).length > 0 || isRetryDue(result.shadow, now)) Object.assign(result.to_task, refused);
  return result;
}

/** Saves the ticket value that the task last followed, while the ticket's current value has no equivalent in the task. */
function withFollowed(before: FieldShadow, decision: Exclude<Decision, { kind: 'to_task' }>): FieldShadow {
  const { shadow } = decision;
  if (decision.kind !== 'none') return shadow;
  const last = before.followed === undefined ? before.ticket : before.followed;
  if (decision.unmapped === 'to_task') return { ...shadow, followed: last };
  const isUnchanged = isSame(shadow.ticket, before.ticket) && isSame(shadow.task, before.task);
  return isUnchanged && before.followed !== undefined ? { ...shadow, followed: last } : shadow;
}

/** `from` is the ticket's exact value, which tickets compares to detect a change in the meantime. */
function addChange(changes: Changes, { copy }: Pair, field: SyncField, to: Value): void {
  if (!(field in ticketFields)) return;
  const name = ticketFields[field as keyof typeof ticketFields];
  Object.assign(changes, { [name]: { from: copy[name], to } });
}

function addNotes(notes: SyncLogLine[], pair: Pair, field: SyncField, state: FieldState, decision: Decision): void {
  const ticket = pair.copy;
  if (decision.kind === 'none' && decision.unmapped && !isSilent(pair, field, decision.unmapped)) {
    const value = decision.unmapped === 'to_task' ? state.ticket : state.task;
    const level = field === 'customer_email' ? 'info' : 'warning';
    notes.push({ level, ticket, field, direction: decision.unmapped, message: unmappedMessage(field, pair.integration, value) });
  }
  if (decision.kind === 'to_ticket' && decision.conflict)
    notes.push({
      level: 'info',
      ticket,
      field,
      direction: 'to_ticket',
      message: `${syncFieldLabels[field]}: both sides had changed, the task won`,
    });
}

/** Field labels for the log: "Status and Title". */
export function named(fields: readonly FieldName[], integration: Pick<IntegrationRow, 'list_fields'> = { list_fields: [] }): string {
  const labels = fields.map((field) => fieldLabel(field, integration));
  return labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

/** The sync's names of the changed ticket fields. */
export const fieldsOfChanges = (changes: Changes): SyncField[] =>
  Object.entries(ticketFields)
    .filter(([, name]) => changes[name] !== undefined)
    .map(([field]) => field as SyncField);

/** The sync's name for a field of `task.change_proposed`; undefined for any other field. */
export const fieldCalled = (name: string): SyncField | undefined =>
  (Object.keys(ticketFields) as (keyof typeof ticketFields)[]).find((field) => ticketFields[field] === name);

/** Log message for a value that the task tool has no equivalent for. It is logged once, when the ticket gets the value. */
export function unmappedMessage(field: SyncField, { list_name }: Pick<IntegrationRow, 'list_name'>, value: Value): string {
  if (field === 'status')
    return `The status “${String(value).replaceAll('_', ' ')}” is not mapped to a status of the list “${list_name}”. It was not sent.`;
  if (field === 'assignee') return 'The assignee cannot be assigned in the task tool. The task keeps its assignee.';
  if (field === 'customer_email')
    return 'The customer has a new email address. The task has no field for it, and its description stays as it is.';
  return 'The task tool has no equivalent for this value. It was not sent.';
}
