import {
  customFieldKey,
  isCustomFieldName,
  keyOfName,
  taskFilters,
  ticketLimits,
  ticketPriorities,
  ticketSorts,
  ticketStatuses,
} from '@tandem/contracts/values';
import { conditionFromText, conditionText } from '../../../app/conditions/condition-text';
import { t } from '../../../lib/staff-texts';
import { figureParsers, type FigureFilter } from './figure-filters';
import { instant, oneOf, several, someOf } from './filter-parsers';
import { withFilter, type FilterName, type TicketFilters } from './ticket-query';

export type { FilterName, TicketFilters };

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const email = /^[^\s@,]+@[^\s@,]+$/;
const plain = (value: string | null, longest: number): string | undefined => value?.trim().slice(0, longest) || undefined;

const assignee = (value: string | null): string | undefined =>
  value && (value === 'me' || value === 'unassigned' || uuid.test(value)) ? value : undefined;
const customerEmail = (value: string | null): string | undefined => {
  const address = plain(value, ticketLimits.email);
  return address && email.test(address) ? address : undefined;
};
const condition = (value: string | null): string | undefined => {
  const found = conditionFromText(value);
  return found && conditionText(found);
};
const sort = (value: string | null) => {
  const order = value && isCustomFieldName(value) && customFieldKey.test(keyOfName(value)) ? value : oneOf(ticketSorts, value);
  return order === 'newest' ? undefined : order;
};

/** Reads each filter from its URL parameter. An invalid value counts as all. */
const parsers: { [Name in FilterName]: (value: string | null) => TicketFilters[Name] | undefined } = {
  search: (value) => plain(value, ticketLimits.search),
  status: (value) => someOf(ticketStatuses, value),
  priority: (value) => someOf(ticketPriorities, value),
  assignee,
  category: (value) => plain(value, ticketLimits.category),
  tag: (value) => several(value).slice(0, 20),
  task: (value) => oneOf(taskFilters, value),
  snoozed: (value) => oneOf(['true', 'false'] as const, value),
  condition,
  customer_email: customerEmail,
  created_from: instant,
  created_to: instant,
  sort,
  ...figureParsers,
};
export const filterNames = Object.keys(parsers) as FilterName[];

/** The filters that have a control in the bar above the list. A chip shows each of the others that is set; most are in the popup. */
type BarFilter = 'search' | 'status' | 'priority' | 'assignee' | 'sort';
/** `condition` is set in the dialog of a view. */
export type PopupFilter = Exclude<FilterName, BarFilter | FigureFilter | 'condition'>;

/** The name of each filter on its chip; the chip of `created_from` shows the whole range. */
export const chipNames: Record<Exclude<PopupFilter, 'created_to'>, string> = {
  customer_email: t('tickets.list.customer'),
  category: t('tickets.list.category'),
  tag: t('tickets.list.tag'),
  task: t('tickets.list.task'),
  snoozed: t('tickets.list.snoozed'),
  created_from: t('tickets.list.created'),
};

/** Reads the filters from the URL. Invalid values count as all, so that a mistyped link still shows a list. */
export function filtersOf(params: URLSearchParams): TicketFilters {
  const all = filterNames.map((name) => [name, parsers[name](params.get(name))] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value.length > 0));
}

/** The URL parameters of exactly these filters. */
export const paramsOf = (filters: TicketFilters): URLSearchParams =>
  filterNames.reduce((params, name) => withFilter(params, name, filters[name]), new URLSearchParams());

/** Whether any filter is set; the sort order does not count. */
export const isFiltered = ({ sort: _, ...filters }: TicketFilters): boolean => Object.keys(filters).length > 0;

export const sameFilters = (one: TicketFilters, other: TicketFilters): boolean => paramsOf(one).toString() === paramsOf(other).toString();
