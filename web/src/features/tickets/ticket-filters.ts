import { ticketLimits, ticketPriorities, ticketStatuses, type TicketPriority, type TicketStatus } from '@tandem/contracts/values';

/** What the list is narrowed to. An absent part means all; the address says the same (`search`, `status`, `priority`, `assignee`). */
export interface TicketFilters {
  search?: string;
  status?: TicketStatus;
  priority?: TicketPriority;
  /** A member's id, `me` or `unassigned`. */
  assignee?: string;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const oneOf = <T extends string>(values: readonly T[], value: string | null): T | undefined => values.find((each) => each === value);

/** From the address; what is not a filter's value counts as all, so that a mistyped link still shows a list. */
export function filtersOf(params: URLSearchParams): TicketFilters {
  const assignee = params.get('assignee');
  const search = params.get('search')?.trim().slice(0, ticketLimits.search);
  const status = oneOf(ticketStatuses, params.get('status'));
  const priority = oneOf(ticketPriorities, params.get('priority'));
  return {
    ...(search ? { search } : {}),
    ...(status ? { status } : {}),
    ...(priority ? { priority } : {}),
    ...(assignee && (assignee === 'me' || assignee === 'unassigned' || uuid.test(assignee)) ? { assignee } : {}),
  };
}

/** Into the address, without touching what else is there. `all` and nothing take the parameter away. */
export function withFilter(params: URLSearchParams, name: keyof TicketFilters, value: string): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value === '' || value === 'all') next.delete(name);
  else next.set(name, value);
  return next;
}

export const isFiltered = (filters: TicketFilters): boolean => Object.keys(filters).length > 0;
