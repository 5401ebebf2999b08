import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { addressSearch, filterNames, filtersOf, paramsOf, withFilter, type FilterName, type TicketFilters } from './ticket-filters';

/** The filters of the address, and ways to change them there. */
export function useFilters() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  // The state says that a ticket is open beside the list: a filter must not close it.
  const { pathname, state } = useLocation() as { pathname: string; state: unknown };
  const filters = filtersOf(params);
  const go = (next: URLSearchParams) => void navigate({ pathname, search: addressSearch(next) }, { replace: true, state });
  return {
    filters,
    /** The saved view that was chosen last; the filters may have been changed since. */
    viewId: params.get('view') ?? undefined,
    set: (name: FilterName, value: string | readonly string[] | undefined) => go(withFilter(params, name, value)),
    /** Several at once: those that are named, the rest stays. */
    change: (changes: { [Name in FilterName]?: TicketFilters[Name] | undefined }) =>
      go(filterNames.filter((name) => name in changes).reduce((next, name) => withFilter(next, name, changes[name]), params)),
    /** These and no others. */
    replace: (next: TicketFilters, viewId?: string) => {
      const all = paramsOf(next);
      if (viewId) all.set('view', viewId);
      go(all);
    },
    clear: () => go(paramsOf(filters.sort ? { sort: filters.sort } : {})),
  };
}
