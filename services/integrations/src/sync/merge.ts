import type { ConflictRule, SyncDirection, SyncField } from '@tandem/contracts';

/** A field's value as one side holds it, made comparable: lists sorted, addresses in lower case. */
export type Value = string | string[] | null;

/**
 * What each side held when they last agreed, each in its own words ('waiting_for_customer' there, 'Review' here). `awaiting`: the value that
 * tickets was asked to take (`task.change_received`), with when it was asked and when it is asked again (ISO); `overtaken`: it has answered that the
 * ticket held neither the old value nor this one by then.
 */
export interface FieldShadow {
  ticket: Value;
  task: Value;
  awaiting?: Value;
  awaiting_since?: string;
  ask_again_at?: string;
  overtaken?: true;
  /** What the ticket held when the task last followed it, where the task has no value for what the ticket has held since (`compare`). */
  followed?: Value;
  /** The task did not accept the ticket's value: `ticket` and `task` are what they last agreed on, and the field still differs. */
  refused?: Refusal;
}
export interface Refusal {
  /** What was sent, in the task's words. */
  value: Value;
  /** Why, in the tool's words. */
  reason: string;
  /** How often this value was refused, and when it is sent again at the latest (ISO). */
  tries: number;
  retry_at: string;
}
export type Shadow = Partial<Record<SyncField, FieldShadow>>;

/** One field as it stands now, and how it goes from one side's words to the other's; undefined: the other side has no word for it. */
export interface FieldState {
  direction: SyncDirection;
  ticket: Value;
  task: Value;
  toTask(value: Value): Value | undefined;
  toTicket(value: Value): Value | undefined;
}
export interface Circumstances {
  rule: ConflictRule;
  /** Whether the ticket changed after the task, for the rule `latest`. */
  ticket_is_later: boolean;
}

/** What is to be done with a field. `shadow` is to be kept: at once for `none` and `to_ticket`, for `to_task` once the task has taken it. */
export type Decision =
  | { kind: 'none'; shadow: FieldShadow; /** A changed value that the other side has no word for. */ unmapped?: 'to_task' | 'to_ticket' }
  | { kind: 'to_task'; value: Value; conflict: boolean }
  | { kind: 'to_ticket'; from: Value; to: Value; shadow: FieldShadow; conflict: boolean }
  /** tickets has not answered yet: look again then. */
  | { kind: 'wait'; shadow: FieldShadow }
  /** The task refused exactly this value, and neither side has changed since: `value` is sent again when its time comes. */
  | { kind: 'refused'; value: Value; shadow: FieldShadow };

export const isSame = (a: Value | undefined, b: Value | undefined): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item, i) => item === b[i]) : a === b;

/**
 * Three-way: what either side holds now, beside what they held when they last agreed. A side that still holds that has not changed, whatever the
 * other says; so our own writes coming back as webhooks or events change nothing, and nothing is sent twice.
 */
export function decide(field: FieldState, shadow: FieldShadow, circumstances: Circumstances): Decision {
  const { ticket, task } = field;
  const isAwaiting = shadow.awaiting !== undefined;
  if (isAwaiting && isSame(ticket, shadow.awaiting)) return decide(field, { ticket, task: shadow.task }, circumstances);
  if (isAwaiting && !shadow.overtaken && isSame(ticket, shadow.ticket)) return { kind: 'wait', shadow };
  // The ticket took a third value while it was asked to take the task's: both have changed.
  const ticketChanged = isAwaiting || !isSame(ticket, shadow.ticket);
  const taskChanged = isAwaiting || !isSame(task, shadow.task);
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
  const ticketWins = circumstances.rule === 'help_desk' || (circumstances.rule === 'latest' && circumstances.ticket_is_later);
  if (wantsTask && (!conflict || ticketWins))
    return forTask === undefined ? { ...agreed, unmapped: 'to_task' } : { kind: 'to_task', value: forTask, conflict };
  if (!wantsTicket) return agreed;
  if (forTicket === undefined) return { ...agreed, unmapped: 'to_ticket' };
  return { kind: 'to_ticket', from: ticket, to: forTicket, shadow: { ticket, task, awaiting: forTicket }, conflict };
}

/**
 * What tickets answered to the question whether a ticket takes `awaiting`: it did, it will not (`isAnswered` with the value it held before), it was
 * faster with a value of its own, or the answer was to another question.
 */
export function settle(shadow: FieldShadow, ticket: Value, isAnswered: boolean): FieldShadow {
  if (shadow.awaiting === undefined) return shadow;
  if (isSame(ticket, shadow.awaiting)) return { ticket, task: shadow.task };
  if (!isSame(ticket, shadow.ticket)) return { ticket: shadow.ticket, task: shadow.task, awaiting: shadow.awaiting, overtaken: true };
  return isAnswered ? { ticket, task: shadow.task } : shadow;
}

const goesTo = (way: 'to_task' | 'to_ticket', direction: SyncDirection): boolean => direction === 'both' || direction === way;
