import {
  priorityLabels,
  statusLabels,
  syncFields,
  type SyncField,
  type TaskLinkPreview,
  type TicketPriority,
  type TicketStatus,
} from '@tandem/contracts';
import { directionOf, fieldStates, taskView, ticketView, type Pair } from '../merge/fields';
import { isSame, type Shadow, type Value } from '../merge/merge';

type Winner = 'ticket' | 'task';

/** Synced fields in which ticket and task differ now. A field only counts if at least one side has an equivalent for the other's value. */
export function differingFields(pair: Pair): SyncField[] {
  const states = fieldStates(pair);
  return syncFields.filter((field) => {
    const state = states[field];
    const { direction, ticket, task } = state;
    if (field === 'customer_email' || direction === 'off') return false;
    const forTask = direction === 'to_ticket' ? undefined : state.toTask(ticket);
    const forTicket = direction === 'to_task' ? undefined : state.toTicket(task);
    const agrees = (forTask !== undefined && isSame(forTask, task)) || (forTicket !== undefined && isSame(forTicket, ticket));
    // Whether the tool knows the assignee is only known once the ticket's value is sent.
    const isUnknownAssignee = field === 'assignee' && direction !== 'to_ticket' && ticket !== null;
    return !agrees && (forTask !== undefined || forTicket !== undefined || isUnknownAssignee);
  });
}

/** Each differing field with the values of both sides, for display. */
export function differencesOf(pair: Pair): TaskLinkPreview['differences'] {
  const [ticket, task] = [ticketView(pair.copy), taskView(pair.task, {})];
  return differingFields(pair).map((field) => ({
    field,
    direction: directionOf(pair, field),
    ticket: displayValue(field, ticket[field]),
    task: field === 'assignee' ? pair.task.assignees.map(({ name }) => name).join(', ') || null : displayValue(field, task[field]),
  }));
}

const longest = 500;
function displayValue(field: SyncField, value: Value): string | null {
  if (value === null || value.length === 0) return null;
  if (Array.isArray(value)) return value.join(', ');
  if (field === 'status') return statusLabels[value as TicketStatus] ?? value;
  if (field === 'priority') return priorityLabels[value as TicketPriority] ?? value;
  return value.length > longest ? `${value.slice(0, longest).toWellFormed()}…` : value;
}

/**
 * The initial shadow of a link. Without a winner both sides count as agreed; otherwise the winner's differing fields count as changed, so
 * that the sync copies them to the other side.
 */
export function shadowOf(pair: Pair, winner: Winner | undefined): Shadow {
  const [ticket, task] = [ticketView(pair.copy), taskView(pair.task, {})];
  const shadow: Shadow = Object.fromEntries(syncFields.map((field) => [field, { ticket: ticket[field], task: task[field] }]));
  if (winner === undefined) return shadow;
  const another = (value: Value): Value => (value === null ? '' : null);
  for (const field of differingFields(pair)) {
    const held = { ticket: ticket[field], task: task[field] };
    shadow[field] = { ...held, [winner]: another(held[winner]) };
  }
  return shadow;
}
