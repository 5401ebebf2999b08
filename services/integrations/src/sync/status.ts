import { ticketStatuses, type ExternalStatus, type StatusCategory, type TicketStatus } from '@tandem/contracts';
import type { Pair } from './fields';

type StatusPair = Pick<Pair, 'integration' | 'task' | 'copy'>;

/** Names of statuses are compared without case: tools fold it here and there. */
const isSameName = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

export const isFinishedStatus = ({ category }: Pick<ExternalStatus, 'category'>): boolean => category === 'done' || category === 'closed';
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
  return name !== undefined && isSameName(name, task.status.name) ? task.status.name : name;
}

const byCategory: Record<StatusCategory, TicketStatus> = { open: 'open', active: 'in_progress', done: 'resolved', closed: 'closed' };

/**
 * The ticket's status for a status of the task: one that is mapped to it — the ticket's present one where that is among several —, else by what
 * kind of status it is. A finished task does not finish its ticket unless the integration says so: the customer is to be told first.
 */
export function statusForTicket({ integration, task, copy }: StatusPair, name: string): TicketStatus | undefined {
  const known = isSameName(task.status.name, name) ? task.status : integration.statuses.find((each) => isSameName(each.name, name));
  if (known && isFinishedStatus(known) && integration.on_task_finished === 'tell_customer') return undefined;
  const mapped = ticketStatuses.filter((status) => isSameName(integration.status_mappings[status], name));
  if (mapped.includes(copy.status)) return copy.status;
  return mapped[0] ?? (known && byCategory[known.category]);
}
