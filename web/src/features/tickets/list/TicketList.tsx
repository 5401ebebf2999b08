import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { isOwnTicket } from '../../../lib/ticket-changes';
import { ErrorNote } from '../../../ui/ErrorNote';
import { ListSkeleton, LoadMore, NoTickets } from './list-states';
import { NewTicketsPill } from './NewTicketsPill';
import { addressSearch, filtersOf, isFiltered, paramsOf } from './ticket-filters';
import { TicketFilterBar } from './TicketFilterBar';
import { RowActionsContext, useListRowActions } from './row-actions';
import type { RowsHandle } from './row-list';
import { useListTicketsInfiniteQuery } from './ticket-list.api';
import { useListKeys } from './use-list-keys';
import { useLiveList } from './use-live-list';
import { useOpenRow } from './use-open-row';
import { useRows } from './use-rows';
import { useSelection } from './use-selection';

const BulkBar = lazy(() => import('./BulkBar').then((module) => ({ default: module.BulkBar })));

interface TicketListProps {
  /** The open ticket, shown next to the list or instead of it. */
  openId: string | undefined;
  hidden: boolean;
  narrow: boolean;
  /** The view menu, when there is no column for the views. */
  views: ReactNode;
}

/** Beyond this scroll position, new tickets are announced instead of moving the rows. */
const scrolledFrom = 24;

export function TicketList({ openId, hidden, narrow, views }: TicketListProps) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const filters = filtersOf(params);
  const listKey = paramsOf(filters).toString();
  const { data, currentData, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useListTicketsInfiniteQuery(
    filters,
    { refetchOnReconnect: false },
  );
  const tickets = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const pagination = data?.pages[0]?.pagination;
  // State rather than a ref: the rows use it in their first effects, which run before a parent's ref is set.
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const rows = useRef<RowsHandle>(null);
  const [isScrolled, setIsScrolled] = useState(false);
  const [fresh, setFresh] = useState(0);
  const selection = useSelection(tickets, listKey);
  const { Rows, isLong } = useRows(tickets.length);
  const search = addressSearch(params);
  const open = useCallback(
    (id: string, replace = false) => void navigate(`/tickets/${id}${search}`, { replace, state: { fromList: true, byKey: replace } }),
    [navigate, search],
  );
  const actions = useListRowActions(open);

  useOpenRow(openId, tickets, () => !hidden && hasNextPage && !isFetching && void fetchNextPage());
  useLiveList(filters, !hidden, (ids) => isScrolled && setFresh((count) => count + ids.filter((id) => !isOwnTicket(id)).length));
  useEffect(() => {
    if (isError) notify.error('Failed to load tickets');
  }, [isError]);

  // When the user returns to the list, focus the ticket they left, after the page heading had the focus.
  const wasOpen = useRef(openId);
  useEffect(() => {
    if (!hidden && !openId && wasOpen.current) rows.current?.focus(wasOpen.current);
    wasOpen.current = openId;
  }, [hidden, openId]);
  const picker = useListKeys({ tickets, openId, rows, selection, open, isOff: hidden });

  const onScroll = (top: number) => {
    setIsScrolled(top > scrolledFrom);
    if (top <= scrolledFrom) setFresh(0);
  };
  return (
    <section aria-label="Ticket list" className={cn('relative flex min-h-0 min-w-0 flex-1 flex-col', hidden && 'hidden')}>
      <TicketFilterBar total={pagination?.total} isCapped={pagination?.total_is_capped ?? false} narrow={narrow} views={views} />
      <div className="relative flex min-h-0 flex-1 flex-col">
        {fresh > 0 && <NewTicketsPill count={fresh} onShow={() => rows.current?.toTop()} />}
        <div
          ref={setBox}
          data-scrolls
          aria-busy={isFetching}
          onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
          // Long lists restore their scroll position themselves; the browser's scroll anchoring would correct it twice.
          className={cn(
            'min-h-0 flex-1 overflow-y-auto transition-opacity',
            isLong && '[overflow-anchor:none]',
            // Keeps the selection bar from covering the last row.
            selection.ids.length > 0 && 'pb-16',
            data && data !== currentData && isFetching && 'opacity-60',
          )}
        >
          {!data && isError && <ErrorNote title="Failed to load tickets" onRetry={() => void refetch()} busy={isFetching} />}
          {!data && !isError && <ListSkeleton />}
          {data && tickets.length === 0 && !hasNextPage && <NoTickets filtered={isFiltered(filters)} />}
          {box && tickets.length > 0 && !hidden && (
            <RowActionsContext value={actions}>
              <Rows
                key={listKey}
                ref={rows}
                box={box}
                tickets={tickets}
                listKey={listKey}
                total={pagination?.total_is_capped ? undefined : pagination?.total}
                openId={openId}
                narrow={narrow}
                isScrolled={isScrolled}
                search={search}
                isSelected={selection.has}
                isSelecting={selection.ids.length > 0}
                onSelect={selection.toggle}
              />
            </RowActionsContext>
          )}
          {hasNextPage && <LoadMore busy={isFetchingNextPage} loaded={tickets.length} onLoad={() => !isFetching && void fetchNextPage()} />}
        </div>
      </div>
      {selection.ids.length > 0 && (
        <Suspense fallback={null}>
          <BulkBar tickets={tickets} selection={selection} />
        </Suspense>
      )}
      {picker}
    </section>
  );
}
