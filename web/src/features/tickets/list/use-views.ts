import type { View } from '@tandem/contracts';
import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { isFiltered, sameFilters, type TicketFilters } from './ticket-filters';
import { useFilters } from './use-filters';
import { builtInViews, countText, filtersOfView, useCountViewsQuery, viewFilterOf } from './views.api';

export interface ListedView {
  key: string;
  name: string;
  filters: TicketFilters;
  count: string | undefined;
  /** Whether the list shows this view, or showed it before the filters were changed. */
  isCurrent: boolean;
  /** The saved view, if it is one. */
  saved?: View;
  mayChange: boolean;
}

/** The views of the list, the current one, and whether its filters have changed since. */
export function useViews() {
  const { profile } = useSession();
  const { filters, viewId, replace, clear } = useFilters();
  const { data: counts, isSuccess } = useCountViewsQuery();
  const saved = counts?.saved ?? [];
  const base = saved.find(({ id }) => id === viewId);
  const isLeader = profile.role === 'admin' || profile.role === 'manager';
  const count = (key: keyof NonNullable<typeof counts>['views']) => (counts?.views[key] ? countText(counts.views[key]) : undefined);
  const all: ListedView[] = builtInViews.map(({ key, name, filters: wanted }) => ({
    key,
    name,
    filters: wanted,
    count: counts ? countText(counts[key]) : undefined,
    // Built-in views have no sort order, so it is ignored.
    isCurrent: !base && sameFilters({ ...wanted, ...(filters.sort ? { sort: filters.sort } : {}) }, filters),
    mayChange: false,
  }));
  // Without a task tool this view is useless, so it is listed only if it has tickets or is current.
  const builtIn = all.filter(({ key, isCurrent }) => key !== 'finished_task' || isCurrent || (counts?.finished_task.count ?? 0) > 0);
  const listed: ListedView[] = saved.map((view) => ({
    key: view.id,
    name: view.name,
    filters: filtersOfView(view),
    count: count(view.id),
    isCurrent: base === view,
    saved: view,
    mayChange: view.owner_id === profile.user_id || (view.is_shared && isLeader),
  }));
  const current = [...builtIn, ...listed].find(({ isCurrent }) => isCurrent);
  const isNew = current ? !current.saved : !isFiltered(filtersOfView({ filter: viewFilterOf(filters) }));
  return {
    builtIn,
    saved: listed,
    current,
    isModified: current?.saved !== undefined && !sameFilters(current.filters, filters),
    /** A new view gets the filters of the list, if there are any. */
    canSave: isSuccess && !current?.saved,
    saveLabel: isNew ? t('tickets.list.new_view') : t('tickets.list.save_as_view'),
    filters,
    choose: (view: ListedView) => replace(view.filters, view.saved?.id),
    clear,
  };
}
