import {
  taskFilters,
  ticketLimits,
  ticketPriorities,
  ticketSorts,
  ticketStatuses,
  type TaskFilter,
  type TicketPriority,
  type TicketSort,
  type TicketStatus,
} from '@tandem/contracts/values';

/**
 * The filters of the list. A missing one means all. The URL uses the same names, with commas between several values of one filter
 * (`status=open,in_progress`), as in the contract's `TicketFilter`.
 */
export interface TicketFilters {
  search?: string;
  status?: TicketStatus[];
  priority?: TicketPriority[];
  /** A member's id, `me` or `unassigned`. */
  assignee?: string;
  category?: string;
  tag?: string[];
  /** Whether the ticket has a task; `finished` means that the task is finished and the customer has not been informed. */
  task?: TaskFilter;
  customer_email?: string;
  /** A day in the reader's time zone, or an instant. */
  created_from?: string;
  /** Exclusive end. */
  created_to?: string;
  sort?: TicketSort;
}
export type FilterName = keyof TicketFilters;
export const filterNames: readonly FilterName[] = [
  'search',
  'status',
  'priority',
  'assignee',
  'category',
  'tag',
  'task',
  'customer_email',
  'created_from',
  'created_to',
  'sort',
];

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const email = /^[^\s@,]+@[^\s@,]+$/;
const oneOf = <T extends string>(values: readonly T[], value: string | null): T | undefined => values.find((each) => each === value);

const several = (value: string | null): string[] => [
  ...new Set(
    (value ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];
/** In the order of `values` rather than of the URL, so that the same choice gives the same list. */
const someOf = <T extends string>(values: readonly T[], value: string | null): T[] => {
  const wanted = new Set(several(value));
  return values.filter((each) => wanted.has(each));
};
const plain = (value: string | null, longest: number): string | undefined => value?.trim().slice(0, longest) || undefined;
const moment = (value: string | null): string | undefined =>
  value && /^\d{4}-\d{2}-\d{2}(T.+Z)?$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Reads the filters from the URL. Invalid values count as all, so that a mistyped link still shows a list. */
export function filtersOf(params: URLSearchParams): TicketFilters {
  const assignee = params.get('assignee');
  const address = plain(params.get('customer_email'), ticketLimits.email);
  const sort = oneOf(ticketSorts, params.get('sort'));
  const all: Record<FilterName, string | string[] | undefined> = {
    search: plain(params.get('search'), ticketLimits.search),
    status: someOf(ticketStatuses, params.get('status')),
    priority: someOf(ticketPriorities, params.get('priority')),
    assignee: assignee && (assignee === 'me' || assignee === 'unassigned' || uuid.test(assignee)) ? assignee : undefined,
    category: plain(params.get('category'), ticketLimits.category),
    tag: several(params.get('tag')).slice(0, 20),
    task: oneOf(taskFilters, params.get('task')),
    customer_email: address && email.test(address) ? address : undefined,
    created_from: moment(params.get('created_from')),
    created_to: moment(params.get('created_to')),
    sort: sort === 'newest' ? undefined : sort,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value.length > 0));
}

/** Sets one filter in the URL and leaves the rest. `all` and empty values remove the parameter. */
export function withFilter(params: URLSearchParams, name: FilterName, value: string | readonly string[] | undefined): URLSearchParams {
  const next = new URLSearchParams(params);
  const text = typeof value === 'string' ? value : (value ?? []).join(',');
  if (text === '' || text === 'all') next.delete(name);
  else next.set(name, text);
  return next;
}

/** The URL parameters of exactly these filters. */
export const paramsOf = (filters: TicketFilters): URLSearchParams =>
  filterNames.reduce((params, name) => withFilter(params, name, filters[name]), new URLSearchParams());

/** Keeps commas readable in the URL. */
export const addressSearch = (params: URLSearchParams): string => {
  const text = params.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
};

/** Whether any filter is set; the sort order does not count. */
export const isFiltered = ({ sort: _, ...filters }: TicketFilters): boolean => Object.keys(filters).length > 0;

export const sameFilters = (one: TicketFilters, other: TicketFilters): boolean => paramsOf(one).toString() === paramsOf(other).toString();

/** A day starts at midnight in the reader's time zone; the server expects instants. */
const instantOf = (value: string | undefined): string | undefined =>
  value && !value.includes('T') ? new Date(`${value}T00:00`).toISOString() : value;

/** The filters as query parameters of the API. */
export const queryOf = (filters: TicketFilters): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(filters).map(([name, value]: [string, string | string[]]) => [name, String(value)])),
  created_from: instantOf(filters.created_from),
  created_to: instantOf(filters.created_to),
});
