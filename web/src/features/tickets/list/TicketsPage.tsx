import { Plus } from 'lucide-react';
import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { Link, Outlet, useLocation, useNavigate, useOutletContext, useParams, useSearchParams } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { useMedia } from '../../../lib/media';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { PageHeader } from '../../../ui/PageHeader';
import { RowsSkeleton } from '../../../ui/PageSkeletons';
import { DetailSkeleton } from '../detail/DetailSkeleton';
import { storage } from '../../../lib/storage';
import { addressSearch, withFilter } from './ticket-query';

const loadList = () => import('./lazy-list');
const TicketList = lazy(() => loadList().then((module) => ({ default: module.TicketList })));
const LoadedSearch = lazy(() => loadList().then((module) => ({ default: module.TicketSearch })));
const ViewRail = lazy(() => loadList().then((module) => ({ default: module.ViewRail })));
const ViewMenu = lazy(() => loadList().then((module) => ({ default: module.ViewMenu })));
// A ticket's own URL shows no list, so the list's code loads on demand there; anywhere else it loads immediately to save a round trip.
if (!/^\/tickets\/./.test(window.location.pathname)) void loadList();

/** How a ticket is shown: next to its list, or as the whole page. */
export interface TicketLayout {
  isBesideList: boolean;
}
export const useTicketLayout = () => useOutletContext<TicketLayout>();

function NewTicketButton({ compact }: { compact: boolean }) {
  return (
    <Button asChild variant="primary" size={compact ? 'icon' : 'md'}>
      <Link to="/tickets/new" aria-label={t('tickets.list.new_ticket')}>
        <Plus aria-hidden />
        {!compact && t('tickets.list.new_ticket')}
      </Link>
    </Button>
  );
}

/** While it loads, an empty field of the same size. */
const TicketSearch = (props: ComponentProps<typeof LoadedSearch>) => (
  <Suspense fallback={<div aria-hidden className={cn('h-8 w-full max-w-md rounded-md bg-hover touch:h-10', props.className)} />}>
    <LoadedSearch {...props} />
  </Suspense>
);

function useRailHidden() {
  const [railHidden, setRailHidden] = useState(storage.get('views') === 'hidden');
  const hideRail = (hidden: boolean) => {
    setRailHidden(hidden);
    if (hidden) storage.set('views', 'hidden');
    else storage.remove('views');
  };
  return { railHidden, hideRail };
}

/** On narrow screens, the search has its own line. */
const ListHeader = ({ medium, onSearch }: { medium: boolean; onSearch: (text: string) => void }) => (
  <>
    <PageHeader
      title={t('tickets.list.page_title')}
      middle={medium && <TicketSearch onSearch={onSearch} />}
      actions={<NewTicketButton compact={!medium} />}
    />
    {!medium && (
      <div className="border-b p-2">
        <TicketSearch onSearch={onSearch} className="max-w-none" />
      </div>
    )}
  </>
);

/**
 * `/tickets` and `/tickets/{id}`. On wide screens, a ticket opened from the list appears next to it. On narrow ones, and when its URL was
 * opened directly, it fills the page.
 */
export function TicketsPage() {
  const { id } = useParams();
  const [params] = useSearchParams();
  const location = useLocation() as { pathname: string; state: unknown };
  const navigate = useNavigate();
  const wide = useMedia('(min-width: 1280px)');
  const isWide = useMedia('(min-width: 1024px)');
  const medium = useMedia('(min-width: 768px)');
  const fromList = (location.state as { fromList?: boolean } | null)?.fromList === true;
  const isBesideList = id !== undefined && wide && fromList;
  const whole = id !== undefined && !isBesideList;
  // Once shown, the list stays mounted so that going back shows it unchanged.
  const [listWanted, setListWanted] = useState(!whole);
  if (!whole && !listWanted) setListWanted(true);

  const { railHidden, hideRail } = useRailHidden();
  const mayHaveRail = wide && !isBesideList;
  const hasRail = mayHaveRail && !railHidden;

  const search = (text: string) =>
    void navigate(
      { pathname: location.pathname, search: addressSearch(withFilter(params, 'search', text)) },
      { replace: true, state: location.state },
    );
  return (
    <>
      {!whole && <ListHeader medium={medium} onSearch={search} />}
      <div className="flex min-h-0 flex-1">
        {listWanted && hasRail && !whole && (
          <Suspense fallback={<div aria-hidden className="w-58 shrink-0 border-r bg-canvas" />}>
            <ViewRail onCollapse={() => hideRail(true)} />
          </Suspense>
        )}
        {listWanted && (
          <div className={cn('flex min-h-0 min-w-0', whole && 'hidden', isBesideList ? 'w-[23.5rem] shrink-0 border-r' : 'flex-1')}>
            <Suspense fallback={<RowsSkeleton />}>
              <TicketList
                openId={id}
                hidden={whole}
                narrow={isBesideList || !isWide}
                isBesideTicket={isBesideList}
                views={hasRail ? null : <ViewMenu isIcon={isBesideList} {...(mayHaveRail ? { onExpand: () => hideRail(false) } : {})} />}
              />
            </Suspense>
          </div>
        )}
        {id && (
          <Suspense fallback={<DetailSkeleton />}>
            <Outlet context={{ isBesideList } satisfies TicketLayout} />
          </Suspense>
        )}
      </div>
    </>
  );
}
