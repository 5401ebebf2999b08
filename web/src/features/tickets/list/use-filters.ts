import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { filterNames, filtersOf, paramsOf, type FilterName, type TicketFilters } from './ticket-filters';
import { addressSearch, withFilter } from './ticket-query';

/** The filters in the URL, and functions that change them there. */
export function useFilters() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  // The navigation state records that a ticket is open next to the list; changing a filter must not close it.
  const { pathname, state } = useLocation() as { pathname: string; state: unknown };
  const filters = filtersOf(params);
  const go = (next: URLSearchParams) => void navigate({ pathname, search: addressSearch(next) }, { replace: true, state });
  return {
    filters,
    /** The saved view chosen last. The filters may have changed since. */
    viewId: params.get('view') ?? undefined,
    set: (name: FilterName, value: string | readonly string[] | undefined) => go(withFilter(params, name, value)),
    /** Changes the given filters and leaves the others. */
    change: (changes: { [Name in FilterName]?: TicketFilters[Name] | undefined }) =>
      go(filterNames.filter((name) => name in changes).reduce((next, name) => withFilter(next, name, changes[name]), params)),
    /** Replaces all filters. */
    replace: (next: TicketFilters, viewId?: string) => {
      const all = paramsOf(next);
      if (viewId) all.set('view', viewId);
      go(all);
    },
    clear: () => go(paramsOf(filters.sort ? { sort: filters.sort } : {})),
  };
}
