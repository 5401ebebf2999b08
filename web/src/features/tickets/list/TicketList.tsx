import type { TicketSummary } from '@tandem/contracts';
import type { ListDensity } from '@tandem/contracts/values';
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { isOwnTicket } from '../../../lib/ticket-changes';
import { ErrorNote } from '../../../ui/ErrorNote';
import { groupRows } from './group-rows';
import { useListPreferences } from './list-preferences';
import { ListSkeleton, LoadMore, NoTickets } from './list-states';
import { NewTicketsPill } from './NewTicketsPill';
import { filtersOf, isFiltered, paramsOf, type TicketFilters } from './ticket-filters';
import { addressSearch } from './ticket-query';
import { TicketFilterBar } from './TicketFilterBar';
import { TicketRows } from './TicketRows';
import { RowActionsContext, useListRowActions } from './row-actions';
import type { RowLayout, RowsHandle } from './row-list';
import { useSnoozeDialog } from '../snooze/SnoozeState';
import { useListTicketsInfiniteQuery } from './ticket-list.api';
import { useListKeys } from './use-list-keys';
import { useLiveList } from './use-live-list';
import { useOpenRow } from './use-open-row';
import { useSelection, type Selection } from './use-selection';

const BulkBar = lazy(() => import('./BulkBar').then((module) => ({ default: module.BulkBar })));

interface TicketListProps {
  /** The open ticket, shown next to the list or instead of it. */
  openId: string | undefined;
  hidden: boolean;
  /** One column: next to an open ticket, or on a narrow screen. */
  narrow: boolean;
  isBesideTicket: boolean;
  /** The view menu, when there is no column for the views. */
  views: ReactNode;
}

/** Beyond this scroll position, new tickets are announced instead of moving the rows. */
const scrolledFrom = 24;

/** Counts the new tickets that have arrived above a scrolled list. */
function useFreshTickets(filters: TicketFilters, hidden: boolean) {
  const [isScrolled, setIsScrolled] = useState(false);
  const [fresh, setFresh] = useState(0);
  useLiveList(filters, !hidden, (ids) => isScrolled && setFresh((count) => count + ids.filter((id) => !isOwnTicket(id)).length));
  const onScroll = (top: number) => {
    setIsScrolled(top > scrolledFrom);
    if (top <= scrolledFrom) setFresh(0);
  };
  return { isScrolled, fresh, onScroll };
}

function useFocusOnReturn(rows: RefObject<RowsHandle | null>, openId: string | undefined, hidden: boolean): void {
  // When the user returns to the list, focus the ticket they left, after the page heading had the focus.
  const wasOpen = useRef(openId);
  useEffect(() => {
    if (!hidden && !openId && wasOpen.current) rows.current?.focus(wasOpen.current);
    wasOpen.current = openId;
  }, [rows, hidden, openId]);
}

/** All pages of the list that are loaded, in the groups that the user has chosen. */
function useTickets(filters: TicketFilters) {
  const { preferences, choose } = useListPreferences();
  const { group_by: groupBy } = preferences;
  const list = useListTicketsInfiniteQuery(filters, { refetchOnReconnect: false });
  const { data, isError } = list;
  useEffect(() => {
    if (isError) notify.error(t('tickets.list.failed_to_load_tickets'));
  }, [isError]);
  const now = useNow();
  // Only due dates depend on the time.
  const groupedAt = groupBy === 'due' ? now : 0;
  const grouped = useMemo(
    () =>
      groupRows(
        (data?.pages ?? []).flatMap(({ items }) => items),
        groupBy,
        groupedAt,
      ),
    [data, groupBy, groupedAt],
  );
  return { ...list, ...grouped, preferences, choose, pagination: data?.pages[0]?.pagination };
}

function useOpen(search: string) {
  const navigate = useNavigate();
  // `navigate` changes with each address. A row must not render again only because another ticket is open.
  const latest = useRef(navigate);
  useLayoutEffect(() => {
    latest.current = navigate;
  });
  return useCallback(
    (id: string, replace = false) => void latest.current(`/tickets/${id}${search}`, { replace, state: { fromList: true, byKey: replace } }),
    [search],
  );
}

type TicketsQuery = ReturnType<typeof useTickets>;

/** Why the list shows no rows. */
function ListState({ list, filtered, layout }: { list: TicketsQuery; filtered: boolean; layout: RowLayout }) {
  const { data, tickets, isError, isFetching, refetch, hasNextPage } = list;
  return (
    <>
      {!data && isError && <ErrorNote title={t('tickets.list.failed_to_load_tickets')} onRetry={() => void refetch()} busy={isFetching} />}
      {!data && !isError && <ListSkeleton layout={layout} />}
      {data && tickets.length === 0 && !hasNextPage && <NoTickets filtered={filtered} />}
    </>
  );
}

function NextPage({ list }: { list: TicketsQuery }) {
  const { tickets, isFetching, fetchNextPage } = list;
  return <LoadMore busy={list.isFetchingNextPage} loaded={tickets.length} onLoad={() => !isFetching && void fetchNextPage()} />;
}

function BulkActions({ tickets, selection }: { tickets: readonly TicketSummary[]; selection: Selection }) {
  if (selection.ids.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <BulkBar tickets={tickets} selection={selection} />
    </Suspense>
  );
}

function useActions(search: string) {
  const open = useOpen(search);
  const { ask, dialog } = useSnoozeDialog();
  return { open, actions: useListRowActions(open, ask), snoozeDialog: dialog };
}

function useListAddress() {
  const [params] = useSearchParams();
  const filters = filtersOf(params);
  return { filters, listKey: paramsOf(filters).toString(), search: addressSearch(params) };
}

function layoutOf(density: ListDensity, narrow: boolean, isBesideTicket: boolean): RowLayout {
  if (isBesideTicket) return 'beside';
  if (!narrow) return density;
  return density === 'compact' ? 'beside' : 'card';
}

export function TicketList({ openId, hidden, narrow, isBesideTicket, views }: TicketListProps) {
  const { filters, listKey, search } = useListAddress();
  const list = useTickets(filters);
  const { preferences, choose, data, tickets, headings, pagination, isFetching, hasNextPage, fetchNextPage } = list;
  // State rather than a ref: the rows use it in their first effects, which run before a parent's ref is set.
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const rows = useRef<RowsHandle>(null);
  const selection = useSelection(tickets, listKey);
  const layout = layoutOf(preferences.density, narrow, isBesideTicket);
  const { open, actions, snoozeDialog } = useActions(search);
  useOpenRow(openId, tickets, () => !hidden && hasNextPage && !isFetching && void fetchNextPage());
  const { isScrolled, fresh, onScroll } = useFreshTickets(filters, hidden);
  useFocusOnReturn(rows, openId, hidden);
  const picker = useListKeys({ tickets, openId, rows, selection, open, actions, isOff: hidden, density: preferences.density, choose });

  return (
    <section aria-label={t('tickets.list.ticket_list')} className={cn('relative flex min-h-0 min-w-0 flex-1 flex-col', hidden && 'hidden')}>
      <TicketFilterBar {...{ pagination, narrow, isBesideTicket, preferences, views }} onChoose={choose} />
      <div className="relative flex min-h-0 flex-1 flex-col">
        {fresh > 0 && <NewTicketsPill count={fresh} onShow={() => rows.current?.toTop()} />}
        <div
          ref={setBox}
          data-scrolls
          aria-busy={isFetching}
          onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
          // The list restores its scroll position itself; the browser's scroll anchoring would correct it twice.
          className={cn(
            'min-h-0 flex-1 overflow-y-auto transition-opacity [overflow-anchor:none]',
            data && data !== list.currentData && isFetching && 'opacity-60',
          )}
        >
          <ListState list={list} filtered={isFiltered(filters)} layout={layout} />
          {box && tickets.length > 0 && !hidden && (
            <RowActionsContext value={actions}>
              <TicketRows
                key={listKey}
                ref={rows}
                box={box}
                {...{ tickets, headings }}
                isWhole={!hasNextPage}
                listKey={listKey}
                total={pagination?.total_is_capped ? undefined : pagination?.total}
                openId={openId}
                layout={layout}
                isScrolled={isScrolled}
                search={search}
                isSelected={selection.has}
                isSelecting={selection.ids.length > 0}
                onSelect={selection.toggle}
              />
            </RowActionsContext>
          )}
          {list.hasNextPage && <NextPage list={list} />}
        </div>
      </div>
      <BulkActions tickets={tickets} selection={selection} />
      {picker}
      {snoozeDialog}
    </section>
  );
}
