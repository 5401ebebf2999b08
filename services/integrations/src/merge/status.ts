import {
  ticketStatuses,
  type ClosedMeaning,
  type ExternalStatus,
  type StatusCategory,
  type StatusMappings,
  type TicketStatus,
} from '@tandem/contracts';
import type { TaskSnapshot } from '../provider/task-tool';
import type { IntegrationRow, TicketCopy } from '../schema';
import type { Shadow } from './merge';
import type { SharingRole } from './sharing';

/** The part of a `Pair` that its status depends on. */
interface StatusPair {
  integration: IntegrationRow;
  copy: TicketCopy;
  task: TaskSnapshot;
  sharing?: SharingRole;
}

/** Status names are compared without case, because some tools change it. */
const isSameName = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

type Named = Pick<ExternalStatus, 'id' | 'name'>;
/** Compares ids if both have one that is not just the name: a renamed status is still the same status. */
const isSameId = (one: Named, other: Named): boolean => one.id === other.id && one.id !== one.name && other.id !== other.name;

/** Statuses of a list whose name has changed: old name → new name. */
export function renamed(before: readonly ExternalStatus[], after: readonly ExternalStatus[]): Map<string, string> {
  const pairs = before.flatMap((old) => {
    const now = after.find((each) => isSameId(each, old));
    return now && now.name !== old.name ? [[old.name, now.name] as const] : [];
  });
  return new Map(pairs);
}

/** The mapping with renamed statuses replaced. */
export function withRenamed(mappings: StatusMappings, names: ReadonlyMap<string, string>): StatusMappings {
  const now = (name: string | null) => [...names].find(([old]) => isSameName(name, old))?.[1] ?? name;
  return Object.fromEntries(Object.entries(mappings).map(([status, name]) => [status, now(name)])) as StatusMappings;
}

/** If the task's status was only renamed since it was last read, the agreed status is renamed too: otherwise it would count as a change. */
export function followRenamed(shadow: Shadow, seen: { status: ExternalStatus } | null, { status }: { status: ExternalStatus }): Shadow {
  const held = shadow.status;
  if (!held || !seen || !isSameId(seen.status, status) || held.task !== seen.status.name) return shadow;
  return { ...shadow, status: { ...held, task: status.name } };
}

export const isFinishedStatus = ({ category }: Pick<ExternalStatus, 'category'>): boolean => category === 'done' || category === 'closed';

/** The meaning of the task's end as the admin chose it, otherwise as the tool reports it; undefined while the task is not finished. */
export function outcomeOf({ closed_meanings, statuses }: StatusPair['integration'], status: ExternalStatus): ClosedMeaning | undefined {
  if (!isFinishedStatus(status)) return undefined;
  const known = statuses.find((each) => isSameId(each, status)) ?? statuses.find((each) => isSameName(each.name, status.name));
  const id = known?.id ?? status.id;
  const chosen = Object.hasOwn(closed_meanings, id) ? closed_meanings[id] : undefined;
  return chosen ?? status.meaning ?? known?.meaning ?? 'finished';
}

export const isFinishedTicket = (status: TicketStatus): boolean => status === 'resolved' || status === 'closed';

/** The mapped status, spelled as in the list; undefined if the integration maps it to nothing. */
export function mappedStatus(integration: StatusPair['integration'], status: TicketStatus): string | undefined {
  const name = integration.status_mappings[status];
  if (name === null || name === undefined) return undefined;
  return integration.statuses.find((each) => isSameName(each.name, name))?.name ?? name;
}

/**
 * With `tell_customer`, the customer of a finished task is asked whether the problem is solved, so the ticket waits for the customer. That
 * must not reopen the task: it keeps its finished status.
 */
export function statusForTask({ integration, task }: StatusPair, status: TicketStatus): string | undefined {
  const asksCustomer = status === 'waiting_for_customer' && integration.on_task_finished === 'tell_customer';
  if (asksCustomer && isFinishedStatus(task.status)) return task.status.name;
  const name = mappedStatus(integration, status);
  if (name === undefined) return undefined;
  const known = integration.statuses.find((each) => each.name === name);
  return isSameName(name, task.status.name) || (known && isSameId(known, task.status)) ? task.status.name : name;
}

const byCategory: Record<StatusCategory, TicketStatus> = { open: 'open', active: 'in_progress', done: 'resolved', closed: 'closed' };

/**
 * The ticket's status for a status of the task: one that is mapped to it (the ticket's current one if it is among several), otherwise by
 * the category of the task's status. A finished task does not finish its ticket unless the integration is set to do so, because the
 * customer is notified first.
 */
export function statusForTicket(pair: StatusPair, name: string): TicketStatus | undefined {
  const status = statusOfWork(pair, name);
  if ((pair.sharing ?? 'none') === 'none') return status;
  // A shared task reports only the progress of the work. Whether a customer was asked or helped is decided per ticket.
  const isOwn = pair.copy.status !== 'open' && pair.copy.status !== 'in_progress';
  return isOwn || status === 'waiting_for_customer' ? undefined : status;
}

function statusOfWork({ integration, task, copy }: StatusPair, name: string): TicketStatus | undefined {
  const known = isSameName(task.status.name, name) ? task.status : integration.statuses.find((each) => isSameName(each.name, name));
  if (known && isFinishedStatus(known) && integration.on_task_finished === 'tell_customer') return undefined;
  // The status may have been renamed in the tool since the list was last read.
  const before = known && integration.statuses.find((each) => isSameId(each, known))?.name;
  const names = [name, before ?? name];
  const mapped = ticketStatuses.filter((status) => names.some((each) => isSameName(integration.status_mappings[status], each)));
  if (mapped.includes(copy.status)) return copy.status;
  return mapped[0] ?? (known && byCategory[known.category]);
}
