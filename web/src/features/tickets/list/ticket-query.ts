import type { TicketFilter } from '@tandem/contracts';
import { encodeList, type CustomFieldName, type TicketSort } from '@tandem/contracts/values';

/** Parameters of the list's API that pages or API clients use, not its users. */
type ApiFilter = 'page' | 'cursor' | 'limit' | 'ids' | 'external_id' | 'updated_since';
export type FilterName = Exclude<keyof TicketFilter, ApiFilter>;
/**
 * The filters of the list. A missing one means all. The URL uses the same names and lists (`status=open,in_progress`) as the contract's
 * `TicketFilter`. `created_from` and `created_to` can also be days in the reader's time
 * zone.
 */
export type TicketFilters = { [Name in Exclude<FilterName, 'sort' | 'condition'>]?: NonNullable<TicketFilter[Name]> } & {
  sort?: TicketSort | CustomFieldName;
  /** As JSON (`conditionText`). */
  condition?: string;
};

/** Sets one filter in the URL and leaves the rest. `all` and empty values remove the parameter. */
export function withFilter(params: URLSearchParams, name: FilterName, value: string | readonly string[] | undefined): URLSearchParams {
  const next = new URLSearchParams(params);
  const text = typeof value === 'string' ? value : encodeList(value ?? []);
  if (text === '' || value === 'all') next.delete(name);
  else next.set(name, text);
  return next;
}

/** Keeps commas readable in the URL. */
export const addressSearch = (params: URLSearchParams): string => {
  const text = params.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
};

/** A day starts at midnight in the reader's time zone; the server expects instants. */
const instantOf = (value: string | undefined): string | undefined =>
  value && !value.includes('T') ? new Date(`${value}T00:00`).toISOString() : value;

const timeFilters = [
  'created_from',
  'created_to',
  'breached_from',
  'breached_to',
  'reopened_from',
  'reopened_to',
  'resolved_from',
  'resolved_to',
  'open_at',
] as const;

/** The filters as query parameters of the API. */
export const queryOf = (filters: TicketFilters): Record<string, string | undefined> => ({
  ...Object.fromEntries(
    Object.entries(filters).map(([name, value]: [string, string | string[]]) => [
      name,
      typeof value === 'string' ? value : encodeList(value),
    ]),
  ),
  ...Object.fromEntries(timeFilters.map((name) => [name, instantOf(filters[name])])),
});
