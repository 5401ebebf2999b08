import type { AppDispatch, AppStore } from '../../../app/store';
import { lastTicketChangeAt, onTicketChange } from '../../../lib/ticket-changes';
import { refreshList, ticketListApi } from './ticket-list.api';
import { paramsOf, type TicketFilters } from './ticket-filters';

/** Time to collect events before a refresh, because one change emits several. */
const gatherMs = 400;
/** Pause between two refreshes of at most two calls each: a user has 100 calls per minute. */
const restMs = 4_000;

/** When each list was last up to date. A list that is shown again may have missed events since then. */
const upToDateAt = new Map<string, number>();

interface Cache {
  dispatch: AppDispatch;
  getState: () => unknown;
}

/**
 * Keeps a loaded list up to date while it is shown without reloading all of it: collects events and applies them in a few calls
 * (`refreshList`). Sends no requests while the list or the page is hidden.
 */
export function syncList(cache: Cache, filters: TicketFilters, onNew: (ids: string[]) => void) {
  const key = paramsOf(filters).toString();
  const byAge = filters.sort === undefined || filters.sort === 'newest' || filters.sort === 'updated';
  const isLoaded = ticketListApi.endpoints.listTickets.select(filters)(cache.getState() as ReturnType<AppStore['getState']>).data;
  let all = isLoaded !== undefined && lastTicketChangeAt() > (upToDateAt.get(key) ?? 0);
  let isNew = false;
  let changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntil = 0;
  let isShown = false;
  let isRunning = false;
  if (!isLoaded) upToDateAt.set(key, Date.now());

  const isBehind = () => all || isNew || changed.size > 0;
  const round = async () => {
    const wanted = all ? ('all' as const) : changed;
    const startedAt = Date.now();
    [all, isNew, changed, isRunning] = [false, false, new Set(), true];
    try {
      const added = await refreshList(cache, filters, wanted);
      upToDateAt.set(key, startedAt);
      restUntil = Date.now() + restMs;
      if (added.length > 0) onNew(added);
    } catch {
      // Retried with the next refresh.
      all ||= wanted === 'all';
      isNew = true;
      if (wanted !== 'all') changed = new Set([...wanted, ...changed]);
      restUntil = Date.now() + 2 * restMs;
    }
    isRunning = false;
    plan();
  };
  const plan = () => {
    if (timer || isRunning || !isShown || document.hidden || !isBehind()) return;
    timer = setTimeout(run, Math.max(gatherMs, restUntil - Date.now()));
  };
  const run = () => {
    timer = undefined;
    void round();
  };
  const stopListening = onTicketChange((news) => {
    if (news === 'gap') all = true;
    // A new ticket is on the first page of a list sorted by age, or on none of the loaded pages.
    else if (news.isNew && byAge) isNew = true;
    else changed.add(news.id);
    plan();
  });
  document.addEventListener('visibilitychange', plan);
  return {
    show: (shown: boolean) => {
      isShown = shown;
      plan();
    },
    stop: () => {
      isShown = false;
      clearTimeout(timer);
      stopListening();
      document.removeEventListener('visibilitychange', plan);
      if (!isBehind() && !isRunning) upToDateAt.set(key, Date.now());
    },
  };
}
