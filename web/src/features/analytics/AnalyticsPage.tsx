import type { Analytics } from '@tandem/contracts';
import { CalendarClock } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { getAppStore } from '../../app/store';
import { announce } from '../../lib/announce';
import { cn } from '../../lib/cn';
import { periodText } from '../../lib/metric-format';
import { metricLinks } from '../../lib/metric-links';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { PageHeader } from '../../ui/PageHeader';
import { Rich } from '../../ui/Rich';
import { readFirstFigures, useReadAnalyticsQuery } from './analytics.api';
import { analyticsViewOf, fieldParam, isEmptyRange, isFuture, paramsOf, type AnalyticsView } from './analytics-view';
import { AnalyticsFilterBar } from './AnalyticsFilterBar';
import { AnalyticsSkeleton } from './AnalyticsSkeleton';
import { DownloadTickets } from './DownloadTickets';
import { FigureRow } from './FigureRow';
import type { SectionProps } from './section';
import { Volume } from './Volume';

// Loaded together with the page, but not part of its first chunk: the first screen is painted without it.
const lowerSections = import('./LowerSections');
const LowerSections = lazy(() => lowerSections.then((module) => ({ default: module.LowerSections })));
const PrintHeading = lazy(() => lowerSections.then((module) => ({ default: module.PrintHeading })));
const NoTickets = lazy(() => import('./NoTickets').then((module) => ({ default: module.NoTickets })));
const NothingFound = lazy(() => import('./NoTickets').then((module) => ({ default: module.NothingFound })));
const ReportsDialog = lazy(() => import('./reports/ReportsDialog').then((module) => ({ default: module.ReportsDialog })));

/** The period, what it is compared with, and how the figures were computed. */
function PeriodNote({ analytics: { period, previous, time_zone, computed_live, is_rebuilding } }: { analytics: Analytics }) {
  return (
    <>
      {is_rebuilding && <Alert>{t('analytics.figures_are_being_recomputed')}</Alert>}
      <div className="tabular flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        <p>
          <Rich
            text={t('analytics.period_compared', {
              period: periodText(period, previous.period),
              previous: periodText(previous.period, period),
              time_zone,
            })}
            tags={{ period: (text) => <span className="font-medium text-ink">{text}</span> }}
          />
        </p>
        {computed_live && <Badge tone="gray">{t('analytics.computed_live')}</Badge>}
      </div>
    </>
  );
}

interface SectionsProps {
  section: SectionProps;
  /** Whether the page returns to a scroll position below the first screen. */
  isScrolled: boolean;
}
/** The sections of the first screen are painted before the others are rendered, which takes three times as long. */
function Sections({ section, isScrolled }: SectionsProps) {
  const lower = useDeferredValue<SectionProps | null>(section, isScrolled ? section : null);
  return (
    <>
      <PeriodNote analytics={section.analytics} />
      <FigureRow {...section} />
      <Volume {...section} />
      {lower && (
        <Suspense fallback={null}>
          <LowerSections {...lower} />
        </Suspense>
      )}
    </>
  );
}

const useAnalytics = (view: AnalyticsView) => useReadAnalyticsQuery(view);

interface ContentProps {
  query: ReturnType<typeof useAnalytics>;
  view: AnalyticsView;
  onChange: (view: AnalyticsView) => void;
  isScrolled: boolean;
}
/** The figures, or why there are none. While another range loads, the last figures stay in place, if there were any. */
function Content({ query, view, onChange, isScrolled }: ContentProps) {
  const { data, currentData, error, isError, isFetching, refetch } = query;
  const section = useMemo(
    () => data && { analytics: data, links: metricLinks({ period: data.period, timeZone: data.time_zone, filters: view.filters }), view },
    [data, view],
  );
  // Figures of another range must not stay on screen under the name of this range.
  if (isError && !currentData)
    return (
      <ErrorNote
        title={t('analytics.couldnt_load_figures')}
        detail={messageOf(error, '')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  // That the last range was empty says nothing about this one.
  if (!section || (!currentData && isEmptyRange(section.analytics))) return <AnalyticsSkeleton />;
  if (!section.analytics.has_tickets)
    return (
      <Suspense fallback={null}>
        <NoTickets />
      </Suspense>
    );
  return (
    <div className={cn('flex flex-col gap-3 transition-opacity', !currentData && 'opacity-60')} inert={!currentData}>
      {isError && !isFetching && (
        <Alert tone="destructive">
          <Rich
            text={t('analytics.couldnt_update_figures')}
            tags={{
              retry: (text) => (
                <button type="button" className="font-medium underline" onClick={() => void refetch()}>
                  {text}
                </button>
              ),
            }}
          />
        </Alert>
      )}
      {isEmptyRange(section.analytics) ? (
        <>
          <PeriodNote analytics={section.analytics} />
          <Suspense fallback={null}>
            <NothingFound view={view} isFuture={isFuture(section.analytics)} onChange={onChange} />
          </Suspense>
        </>
      ) : (
        <Sections section={section} isScrolled={isScrolled} />
      )}
    </div>
  );
}

/** By history entry. */
const scrollTops = new Map<string, number>();

/** Returns to the same chart after Back from its tickets. */
function useScrollMemory(isReady: boolean) {
  const { key } = useLocation();
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!isReady || !box) return;
    const top = scrollTops.get(key);
    if (top !== undefined) box.scrollTop = top;
    return () => void scrollTops.set(key, box.scrollTop);
  }, [isReady, key]);
  return { scroller, isScrolled: (scrollTops.get(key) ?? 0) > 0 };
}

/** Announces the figures of another range or filter once they are on screen, but not each later change. */
function useAnnouncedView(data: Analytics | undefined, address: string) {
  const announced = useRef<string>(undefined);
  useEffect(() => {
    if (!data || announced.current === address) return;
    if (announced.current !== undefined)
      announce(t('analytics.tickets_of_period', { period: periodText(data.period), count: data.figures.total_tickets }));
    announced.current = address;
  }, [data, address]);
}

/** Longer than a nearby server needs; with a slower one the user sees the page's outline. */
const maxWaitMs = 150;

/**
 * Waits a little for the figures before the page is rendered for the first time: rendering its outline before them takes a slow processor
 * longer than waiting.
 */
export async function awaitFirstFigures(): Promise<void> {
  const view = analyticsViewOf(new URLSearchParams(window.location.search));
  await Promise.race([getAppStore().dispatch(readFirstFigures(view)), new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}

/** Without the custom field, so that another one renders its card only. */
function splitAddress(params: URLSearchParams): { address: string; field: string | null } {
  const own = new URLSearchParams(params);
  own.delete(fieldParam);
  return { address: own.toString(), field: params.get(fieldParam) };
}

/** /analytics: how the team is doing, what has changed, and the tickets behind each number. */
export function AnalyticsPage() {
  const [params, setParams] = useSearchParams();
  const { address, field } = splitAddress(params);
  const view = useMemo(() => analyticsViewOf(new URLSearchParams(address)), [address]);
  const query = useAnalytics(view);
  useAnnouncedView(query.currentData, address);
  // Sorting the names of the filters takes longer than painting the figures, which may be there before the first render.
  const figuresForFilters = useDeferredValue<Analytics | null | undefined>(query.data, null);
  const { scroller, isScrolled } = useScrollMemory(query.data !== undefined);
  // Nothing to filter or to download.
  const isEmpty = query.data?.has_tickets === false;
  const [isReporting, setIsReporting] = useState(false);
  const change = (next: AnalyticsView) => {
    const all = paramsOf(next);
    if (field !== null) all.set(fieldParam, field);
    setParams(all, { replace: true });
  };
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto bg-canvas print:overflow-visible">
      <PageHeader
        title={t('analytics.analytics')}
        actions={
          <>
            <Button size="sm" onClick={() => setIsReporting(true)}>
              <CalendarClock aria-hidden />
              <span className="max-sm:sr-only">{t('analytics.scheduled_reports')}</span>
            </Button>
            {!isEmpty && <DownloadTickets view={view} />}
          </>
        }
      />
      {!isEmpty && <AnalyticsFilterBar view={view} onChange={change} analytics={figuresForFilters ?? undefined} />}
      <div className="mx-auto max-w-7xl p-6 max-md:p-4 print:p-0" aria-busy={query.isFetching}>
        <Suspense fallback={null}>
          <PrintHeading filters={view.filters} />
        </Suspense>
        <Content query={query} view={view} onChange={change} isScrolled={isScrolled} />
      </div>
      {isReporting && (
        <Suspense fallback={null}>
          <ReportsDialog onClose={() => setIsReporting(false)} />
        </Suspense>
      )}
    </div>
  );
}
