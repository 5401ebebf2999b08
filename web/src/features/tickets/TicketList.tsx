import { Inbox } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { useHotkeys } from '../../lib/keyboard';
import { notify } from '../../lib/notify';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { filtersOf, isFiltered } from './ticket-filters';
import { TicketCard } from './TicketCard';
import { TicketFilterBar } from './TicketFilterBar';
import { useListTicketsInfiniteQuery } from './ticket-list.api';

function ListSkeleton() {
  return (
    <div aria-hidden>
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex items-start gap-4 border-b px-4 py-3.5 max-md:px-3">
          <Skeleton className="h-4 w-16" />
          <div className="flex-1">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="mt-2 h-3 w-4/5" />
          </div>
          <Skeleton className="h-5 w-20" />
        </div>
      ))}
    </div>
  );
}

function NoTickets({ filtered }: { filtered: boolean }) {
  return (
    <EmptyState
      icon={Inbox}
      title="No tickets found"
      action={
        <>
          {filtered && (
            <Button asChild>
              <Link to="/tickets">Clear filters</Link>
            </Button>
          )}
          <Button asChild variant={filtered ? 'secondary' : 'primary'}>
            <Link to="/tickets/new">{filtered ? 'New Ticket' : 'Create Your First Ticket'}</Link>
          </Button>
        </>
      }
    >
      {filtered
        ? 'Nothing matches the search and the filters.'
        : 'Open a ticket for a customer who called, or share your portal and let customers write.'}
    </EmptyState>
  );
}

/** Loads the next page when the end of the list comes into view; the button is there for those who do not scroll. */
function LoadMore({ busy, onLoad }: { busy: boolean; onLoad: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  useLayoutEffect(() => {
    load.current = onLoad;
  });
  useEffect(() => {
    if (!end.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), { rootMargin: '400px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} className="flex justify-center p-4">
      <Button busy={busy} onClick={onLoad}>
        Load more
      </Button>
    </div>
  );
}

interface TicketListProps {
  /** The ticket that is open beside the list. */
  openId: string | undefined;
  hidden: boolean;
  narrow: boolean;
}

export function TicketList({ openId, hidden, narrow }: TicketListProps) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const filters = filtersOf(params);
  const { data, currentData, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useListTicketsInfiniteQuery(filters);
  const tickets = data?.pages.flatMap(({ items }) => items) ?? [];
  const pagination = data?.pages[0]?.pagination;
  const box = useRef<HTMLDivElement>(null);
  const scrolledTo = useRef(0);
  const search = params.toString() ? `?${params.toString()}` : '';
  const addressOf = (id: string) => `/tickets/${id}${search}`;

  useEffect(() => {
    if (isError) notify.error('Failed to load tickets');
  }, [isError]);

  // Coming back to the list: where one was. The focus goes there after the page's heading had it.
  const wasOpen = useRef(openId);
  useLayoutEffect(() => {
    if (!hidden && box.current) box.current.scrollTop = scrolledTo.current;
  }, [hidden]);
  useEffect(() => {
    if (!hidden && !openId && wasOpen.current)
      box.current?.querySelector<HTMLElement>(`[data-ticket="${CSS.escape(wasOpen.current)}"]`)?.focus({ preventScroll: true });
    wasOpen.current = openId;
  }, [hidden, openId]);

  const step = (by: 1 | -1) => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>('[data-ticket]') ?? [])];
    const focused = links.findIndex((link) => link === document.activeElement);
    const opened = links.findIndex((link) => link.dataset.ticket === openId);
    const from = openId ? opened : focused;
    const next = links[Math.min(Math.max(from + by, 0), links.length - 1)];
    if (!next) return;
    next.focus({ preventScroll: true });
    next.closest('li')?.scrollIntoView({ block: 'nearest' });
    if (openId && next.dataset.ticket !== openId)
      void navigate(addressOf(next.dataset.ticket ?? ''), { replace: true, state: { fromList: true } });
  };
  const openFocused = () => {
    const id = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.ticket : undefined;
    if (id) void navigate(addressOf(id), { state: { fromList: true } });
  };
  useHotkeys(hidden ? {} : { j: () => step(1), k: () => step(-1), o: openFocused, Enter: openFocused });

  return (
    <section aria-label="Ticket list" className={cn('flex min-h-0 min-w-0 flex-1 flex-col', hidden && 'hidden')}>
      <TicketFilterBar total={pagination?.total} isCapped={pagination?.total_is_capped ?? false} narrow={narrow} />
      <div
        ref={box}
        aria-busy={isFetching}
        onScroll={(event) => (scrolledTo.current = event.currentTarget.scrollTop)}
        className={cn('min-h-0 flex-1 overflow-y-auto transition-opacity', data && data !== currentData && isFetching && 'opacity-60')}
      >
        {!data && isError && <ErrorNote title="Failed to load tickets" onRetry={() => void refetch()} busy={isFetching} />}
        {!data && !isError && <ListSkeleton />}
        {data && tickets.length === 0 && <NoTickets filtered={isFiltered(filters)} />}
        {tickets.length > 0 && (
          <ul>
            {tickets.map((ticket) => (
              <TicketCard key={ticket.id} ticket={ticket} to={addressOf(ticket.id)} isOpen={ticket.id === openId} narrow={narrow} />
            ))}
          </ul>
        )}
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onLoad={() => !isFetching && void fetchNextPage()} />}
      </div>
    </section>
  );
}
