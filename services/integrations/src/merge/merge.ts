import type { ConflictRule, SyncDirection, SyncField } from '@tandem/contracts';
import type { TaskFieldName } from '../provider/field-names';

/** A field's value on one side, normalized for comparison: lists sorted, addresses in lower case. */
export type Value = string | string[] | null;

/**
 * The value of each side when they last agreed, each in its own terms ('waiting_for_customer' on the ticket, 'Review' on the task).
 * `pending_value` is the value that was sent to tickets (`task.change_proposed`), with the times when it was sent and when it is sent again
 * (ISO). `superseded` means that tickets has answered: at that time the ticket had neither the old value nor this one.
 */
export interface FieldShadow {
  ticket: Value;
  task: Value;
  pending_value?: Value;
  pending_since?: string;
  retry_at?: string;
  superseded?: true;
  /** The ticket's value when the task last followed it, if the task has no equivalent for the ticket's values since then (`compare`). */
  followed?: Value;
  /** The task did not accept the ticket's value: `ticket` and `task` are the values last agreed on, and the field still differs. */
  refused?: Refusal;
  /** The log entry about a value that the task's custom field cannot hold, so that it is written once (`compareTaskFields`). */
  logged?: string;
}
export interface Refusal {
  /** The value that was sent, in the task's terms. */
  value: Value;
  /** The tool's reason. */
  reason: string;
  /** How often this value was refused, and when it is sent again at the latest (ISO). */
  tries: number;
  retry_at: string;
}
export type Shadow = Partial<Record<SyncField, FieldShadow>> & Record<TaskFieldName, FieldShadow>;

/** The current values of a field and how to convert them into the other side's terms; undefined if the other side has no equivalent. */
export interface FieldState {
  direction: SyncDirection;
  ticket: Value;
  task: Value;
  toTask(value: Value): Value | undefined;
  toTicket(value: Value): Value | undefined;
}
export interface MergeOptions {
  rule: ConflictRule;
  /** Whether the ticket changed after the task, for the rule `latest`. */
  ticket_is_later: boolean;
}

/** The decision for a field. For `none` and `to_ticket`, save `shadow` immediately; for `to_task`, once the task has accepted the value. */
export type Decision =
  | { kind: 'none'; shadow: FieldShadow; /** A changed value without an equivalent. */ unmapped?: 'to_task' | 'to_ticket' }
  | { kind: 'to_task'; value: Value; conflict: boolean }
  | { kind: 'to_ticket'; from: Value; to: Value; shadow: FieldShadow; conflict: boolean }
  /** tickets has not answered yet: decide again when it has. */
  | { kind: 'wait'; shadow: FieldShadow }
  /** The task refused exactly this value, and neither side has changed since: `value` is sent again when its retry is due. */
  | { kind: 'refused'; value: Value; shadow: FieldShadow };

export const isSame = (a: Value | undefined, b: Value | undefined): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item, i) => item === b[i]) : a === b;

/**
 * Three-way comparison of the current values with those last agreed on. A side that still has its agreed value has not changed, regardless
 * of the other side. So our own writes that return as webhooks or events change nothing, and nothing is sent twice.
 */
export function decide(field: FieldState, shadow: FieldShadow, options: MergeOptions): Decision {
  const { ticket, task } = field;
  const isPending = shadow.pending_value !== undefined;
  if (isPending && isSame(ticket, shadow.pending_value)) return decide(field, { ticket, task: shadow.task }, options);
  if (isPending && !shadow.superseded && isSame(ticket, shadow.ticket)) return { kind: 'wait', shadow };
  // The ticket changed to a third value while the task's value was sent to it: both sides have changed.
  const ticketChanged = isPending || !isSame(ticket, shadow.ticket);
  const taskChanged = isPending || !isSame(task, shadow.task);
  const agreed: Decision = { kind: 'none', shadow: { ticket, task } };
  if (!ticketChanged && !taskChanged) return agreed;

  const wantsTask = ticketChanged && goesTo('to_task', field.direction);
  const wantsTicket = taskChanged && goesTo('to_ticket', field.direction);
  const forTask = wantsTask ? field.toTask(ticket) : undefined;
  if (wantsTask && !taskChanged && forTask !== undefined && !isSame(forTask, task) && isSame(forTask, shadow.refused?.value))
    return { kind: 'refused', value: forTask, shadow };
  const forTicket = wantsTicket ? field.toTicket(task) : undefined;
  if (wantsTask && isSame(forTask, task)) return agreed;
  if (wantsTicket && isSame(forTicket, ticket)) return agreed;

  const conflict = wantsTask && wantsTicket;
  const ticketWins = options.rule === 'help_desk' || (options.rule === 'latest' && options.ticket_is_later);
  if (wantsTask && (!conflict || ticketWins))
    return forTask === undefined ? { ...agreed, unmapped: 'to_task' } : { kind: 'to_task', value: forTask, conflict };
  if (!wantsTicket) return agreed;
  if (forTicket === undefined) return { ...agreed, unmapped: 'to_ticket' };
  return { kind: 'to_ticket', from: ticket, to: forTicket, shadow: { ticket, task, pending_value: forTicket }, conflict };
}

/**
 * Applies the answer of the tickets service to the value `pending_value`: the ticket accepted it, refused it (`isAnswered`, and the ticket
 * still has its old value), or was changed to another value first. Otherwise the answer was to another request.
 */
export function acknowledge(shadow: FieldShadow, ticket: Value, isAnswered: boolean): FieldShadow {
  if (shadow.pending_value === undefined) return shadow;
  if (isSame(ticket, shadow.pending_value)) return { ticket, task: shadow.task };
  if (!isSame(ticket, shadow.ticket))
    return { ticket: shadow.ticket, task: shadow.task, pending_value: shadow.pending_value, superseded: true };
  return isAnswered ? { ticket, task: shadow.task } : shadow;
}

const goesTo = (way: 'to_task' | 'to_ticket', direction: SyncDirection): boolean => direction === 'both' || direction === way;
