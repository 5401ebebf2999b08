import { Inbox } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { sampleTicketPath, useSampleTicket } from '../../../lib/sample-ticket';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { cn } from '../../../lib/cn';
import { Skeleton } from '../../../ui/Skeleton';
import type { RowLayout } from './row-list';

const skeletonHeights = { comfortable: 'h-16', compact: 'h-10', beside: 'h-14', card: 'h-28' };

/** Rows of the same height as those that replace them. */
export function ListSkeleton({ layout }: { layout: RowLayout }) {
  return (
    <div aria-hidden>
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className={cn('flex items-center gap-4 border-b px-4', skeletonHeights[layout])}>
          <Skeleton className="h-4 w-16 shrink-0" />
          <div className="flex-1">
            <Skeleton className="h-4 w-1/2" />
            {layout !== 'compact' && <Skeleton className="mt-2 h-3 w-4/5" />}
          </div>
          <Skeleton className="h-4 w-20 shrink-0" />
        </div>
      ))}
    </div>
  );
}

export function NoTickets({ filtered }: { filtered: boolean }) {
  const hasSample = useSampleTicket();
  return (
    <EmptyState
      icon={Inbox}
      title={t('tickets.list.no_tickets_found')}
      action={
        <>
          {filtered && (
            <Button asChild>
              <Link to="/tickets">{t('tickets.list.clear_filters')}</Link>
            </Button>
          )}
          <Button asChild variant={filtered ? 'secondary' : 'primary'}>
            <Link to="/tickets/new">{filtered ? t('tickets.list.new_ticket') : t('tickets.list.create_your_first_ticket')}</Link>
          </Button>
          {!filtered && hasSample && (
            <Button asChild>
              <Link to={sampleTicketPath}>{t('tickets.list.see_sample_ticket')}</Link>
            </Button>
          )}
        </>
      }
    >
      {filtered ? t('tickets.list.no_tickets_match_search_and_filters') : t('tickets.list.how_to_get_tickets')}
    </EmptyState>
  );
}

/** Loads the next page before the end of the list comes into view. The button is for people who do not scroll. */
export function LoadMore({ busy, loaded, onLoad }: { busy: boolean; loaded: number; onLoad: () => void }) {
  const [isNear, setIsNear] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  useLayoutEffect(() => {
    load.current = onLoad;
  });
  useEffect(() => {
    if (!end.current || typeof IntersectionObserver === 'undefined') return;
    const root = end.current.closest('[data-scrolls]');
    // A busy page receives several changes at once; only the last one is current.
    const observer = new IntersectionObserver((changes) => setIsNear(changes.at(-1)?.isIntersecting === true), {
      root,
      rootMargin: '1200px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  // Runs again if a page was too short to push the end out of view, but does not retry in a loop when loading fails.
  useEffect(() => {
    if (isNear) load.current();
  }, [isNear, loaded]);
  return (
    <div ref={end} className="flex justify-center p-4">
      <Button busy={busy} onClick={onLoad}>
        {t('tickets.list.load_more')}
      </Button>
    </div>
  );
}
