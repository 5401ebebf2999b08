import {
  ticketStatuses,
  type ClosedMeaning,
  type ExternalStatus,
  type StatusCategory,
  type StatusMappings,
  type TicketStatus,
} from '@tandem/contracts';
import type { Pair } from './fields';
import type { Shadow } from './merge';

type StatusPair = Pick<Pair, 'integration' | 'task' | 'copy' | 'sharing'>;

/** Names of statuses are compared without case: tools fold it here and there. */
const isSameName = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

type Named = Pick<ExternalStatus, 'id' | 'name'>;
/** By id, where both have one that is not just the name: a status that is renamed is the same one. */
const isSameId = (one: Named, other: Named): boolean => one.id === other.id && one.id !== one.name && other.id !== other.name;

/** Statuses of a list that have another name now: old name → new name. */
export function renamed(before: readonly ExternalStatus[], after: readonly ExternalStatus[]): Map<string, string> {
  const pairs = before.flatMap((old) => {
    const now = after.find((each) => isSameId(each, old));
    return now && now.name !== old.name ? [[old.name, now.name] as const] : [];
  });
  return new Map(pairs);
}

/** A mapping that follows what was renamed. */
export function withRenamed(mappings: StatusMappings, names: ReadonlyMap<string, string>): StatusMappings {
  const now = (name: string | null) => [...names].find(([old]) => isSameName(name, old))?.[1] ?? name;
  return Object.fromEntries(Object.entries(mappings).map(([status, name]) => [status, now(name)])) as StatusMappings;
}

/** What ticket and task agreed upon, where the task's status has only got another name since it was seen: nobody changed it. */
export function followRenamed(shadow: Shadow, seen: { status: ExternalStatus } | null, { status }: { status: ExternalStatus }): Shadow {
  const held = shadow.status;
  if (!held || !seen || !isSameId(seen.status, status) || held.task !== seen.status.name) return shadow;
  return { ...shadow, status: { ...held, task: status.name } };
}

export const isFinishedStatus = ({ category }: Pick<ExternalStatus, 'category'>): boolean => category === 'done' || category === 'closed';

/** What the end of a task means, as the integration's admin chose, else as the tool says; undefined while the task is not over. */
export function outcomeOf({ closed_meanings, statuses }: StatusPair['integration'], status: ExternalStatus): ClosedMeaning | undefined {
  if (!isFinishedStatus(status)) return undefined;
  const known = statuses.find((each) => isSameId(each, status)) ?? statuses.find((each) => isSameName(each.name, status.name));
  const id = known?.id ?? status.id;
  const chosen = Object.hasOwn(closed_meanings, id) ? closed_meanings[id] : undefined;
  return chosen ?? status.meaning ?? known?.meaning ?? 'finished';
}

export const isFinishedTicket = (status: TicketStatus): boolean => status === 'resolved' || status === 'closed';

/** As the mapping says, spelled as the list spells it; undefined where the integration maps it to nothing. */
export function mappedStatus(integration: StatusPair['integration'], status: TicketStatus): string | undefined {
  const name = integration.status_mappings[status];
  if (name === null || name === undefined) return undefined;
  return integration.statuses.find((each) => isSameName(each.name, name))?.name ?? name;
}

/**
 * A finished task stays finished while its customer is asked whether all is well: with `tell_customer` that is what happens next, and it must not
 * begin the work again.
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
 * The ticket's status for a status of the task: one that is mapped to it — the ticket's present one where that is among several —, else by what
 * kind of status it is. A finished task does not finish its ticket unless the integration says so: the customer is to be told first.
 */
export function statusForTicket(pair: StatusPair, name: string): TicketStatus | undefined {
  const status = statusOfWork(pair, name);
  if ((pair.sharing ?? 'none') === 'none') return status;
  // A shared task says how the work goes. Whether one customer was asked, or helped, is for that ticket alone.
  const isOwn = pair.copy.status !== 'open' && pair.copy.status !== 'in_progress';
  return isOwn || status === 'waiting_for_customer' ? undefined : status;
}

function statusOfWork({ integration, task, copy }: StatusPair, name: string): TicketStatus | undefined {
  const known = isSameName(task.status.name, name) ? task.status : integration.statuses.find((each) => isSameName(each.name, name));
  if (known && isFinishedStatus(known) && integration.on_task_finished === 'tell_customer') return undefined;
  // Renamed over there, and the list was not read since.
  const before = known && integration.statuses.find((each) => isSameId(each, known))?.name;
  const names = [name, before ?? name];
  const mapped = ticketStatuses.filter((status) => names.some((each) => isSameName(integration.status_mappings[status], each)));
  if (mapped.includes(copy.status)) return copy.status;
  return mapped[0] ?? (known && byCategory[known.category]);
}
