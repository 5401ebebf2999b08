import { syncFieldLabels, syncFields, type DataOf, type SyncField, type taskChangeReceived } from '@tandem/contracts';
import { unmappedMessage } from './draft';
import { fieldStates, isSilent, needsMembers, type Pair } from './fields';
import { decide, isSame, type Decision, type FieldShadow, type FieldState, type Shadow, type Value } from './merge';
import { isRetryDue } from './refusals';
import type { SyncNote } from './sync-log.store';

export type Values = Partial<Record<SyncField, Value>>;
type Changes = DataOf<typeof taskChangeReceived>['changes'];

/** What ticket and task, compared with what they last agreed upon, want of each other. */
export interface Comparison {
  /** To be kept: for fields that go to the task as it was, until the task has taken them. */
  shadow: Shadow;
  /** For the task, in its words. */
  to_task: Values;
  /** For the ticket. */
  changes: Changes;
  notes: SyncNote[];
  /** Something is left to be decided: who can be assigned must be asked first. */
  is_open: boolean;
}

/** How a field of the sync is called in a ticket. */
const ticketFields = {
  status: 'status',
  priority: 'priority',
  title: 'subject',
  description: 'description',
  tags: 'tags',
  assignee: 'assignee_email',
} as const;

/** A refused field is sent again with whatever else goes to the task, or once its time has come (`now`). */
export function compare(pair: Pair, now: string): Comparison {
  const states = fieldStates(pair);
  const result: Comparison = { shadow: {}, to_task: {}, changes: {}, notes: [], is_open: false };
  const refused: Values = {};
  const circumstances = { rule: pair.integration.conflict_rule, ticket_is_later: pair.copy.updated_at > pair.task.updated_at };
  for (const field of syncFields) {
    const state = states[field];
    // A field that was never compared begins with what both sides hold.
    const before = pair.shadow[field] ?? { ticket: state.ticket, task: state.task };
    if (field === 'assignee' && pair.members === undefined && needsMembers(pair)) {
      result.shadow[field] = before;
      result.is_open = true;
      continue;
    }
    const decision = decide(state, before, circumstances);
    result.shadow[field] = decision.kind === 'to_task' ? before : withFollowed(before, decision);
    if (decision.kind === 'to_task') result.to_task[field] = decision.value;
    if (decision.kind === 'refused') refused[field] = decision.value;
    if (decision.kind === 'to_ticket') addChange(result.changes, pair, field, decision.to);
    addNotes(result.notes, pair, field, state, decision);
  }
  if (Object.keys(result.to_task).length > 0 || isRetryDue(result.shadow, now)) Object.assign(result.to_task, refused);
  return result;
}

/** Remembers what the task last followed while the ticket holds something that the task has no value for. */
function withFollowed(before: FieldShadow, decision: Exclude<Decision, { kind: 'to_task' }>): FieldShadow {
  const { shadow } = decision;
  if (decision.kind !== 'none') return shadow;
  const last = before.followed === undefined ? before.ticket : before.followed;
  if (decision.unmapped === 'to_task') return { ...shadow, followed: last };
  const isUnchanged = isSame(shadow.ticket, before.ticket) && isSame(shadow.task, before.task);
  return isUnchanged && before.followed !== undefined ? { ...shadow, followed: last } : shadow;
}

/** `from` is what the ticket holds to the letter, by which tickets knows whether it has changed since. */
function addChange(changes: Changes, { copy }: Pair, field: SyncField, to: Value): void {
  if (!(field in ticketFields)) return;
  const name = ticketFields[field as keyof typeof ticketFields];
  Object.assign(changes, { [name]: { from: copy[name], to } });
}

function addNotes(notes: SyncNote[], pair: Pair, field: SyncField, state: FieldState, decision: Decision): void {
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

/** Fields by their labels, for the log: "Status and Title". */
export function named(fields: readonly SyncField[]): string {
  const labels = fields.map((field) => syncFieldLabels[field]);
  return labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

/** The fields of a ticket's changes, as the sync calls them. */
export const fieldsOfChanges = (changes: Changes): SyncField[] =>
  Object.entries(ticketFields)
    .filter(([, name]) => changes[name] !== undefined)
    .map(([field]) => field as SyncField);

/** What the sync calls a field of `task.change_received`; undefined for something else. */
export const fieldCalled = (name: string): SyncField | undefined =>
  (Object.keys(ticketFields) as (keyof typeof ticketFields)[]).find((field) => ticketFields[field] === name);
